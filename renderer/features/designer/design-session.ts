// State of a designer tab, which lives as long as the tab: its text, the parsed model, and the change to the database.
import type { EditorState } from '@codemirror/state';
import { create } from 'zustand';
import type { ColumnIdentity } from '#shared/ddl/changes.ts';
import { sameName, writeName } from '#shared/ddl/names.ts';
import { followName } from '#shared/ddl/suggested-name.ts';
import type { ObjectModel } from '#shared/ddl/parse-object.ts';
import { AppError, capabilitiesOf, toAppError } from '#shared/protocol/index.ts';
import type { SchemaChange, SchemaChangeReport, SchemaSnapshot } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { smallestChange } from '../../editor/smallest-change.ts';
import { notifyFailure } from '../../state/databases.ts';
import { noteReview } from '../../state/reviews.ts';
import { knownNames, knownSchema, onSchema } from '../../state/schema.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { notify, updateTab, useStore } from '../../state/store.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import { KIND_WORDS, type DesignedKind, type DesignTab } from '../../workbench/tabs/design.ts';
import { discardTransaction, endTransaction } from '../../workbench/text/dry-run.ts';
import { offerUndo } from '../../workbench/history/history.ts';
import { TabEditor } from '../../workbench/text/tab-editor.ts';
import { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import { EMPTY_DESIGN, type DesignView } from './design-view.ts';
import { changesOf, firstIdentity, nextIdentity, readDesign, wordsOf, losesNothing } from './designed.ts';
import { doneText, savedText } from './object-labels.ts';

export const designSessionOf = tabSessions((tab: DesignTab) => new DesignSession(tab));

export class DesignSession {
  readonly editor: TabEditor;
  readonly useView = create<DesignView>(() => EMPTY_DESIGN);
  readonly #tabId: string;
  readonly #database: string;
  readonly object: DesignedKind;
  #base: string | null;
  #name: string | null;
  #identity: ColumnIdentity;
  /** Column identity known to the form for the text it is about to write. */
  #nextIdentity: ColumnIdentity | null = null;
  readonly #waiver = new UndoWaiver();
  /** The model that the report is about. */
  #applied: ObjectModel | null = null;
  #abort: AbortController | null = null;
  #isDisposed = false;
  readonly #stopListening: () => void;

  constructor(tab: DesignTab) {
    this.#tabId = tab.id;
    this.#database = tab.database;
    this.object = tab.object;
    this.#base = tab.base;
    this.#name = tab.name;
    this.#identity = tab.identity;
    this.editor = new TabEditor(tab, { onText: this.#onText, checks: false });
    const stopListening = [
      client.onReconnected(() => this.#endReport()),
      onSchema(tab.database, (schema) => this.#followSchema(schema)),
      useStore.subscribe(({ tabs }, before) => {
        if (tabs !== before.tabs) void this.#follow(tabs).catch(notifyFailure);
      }),
    ];
    this.#stopListening = () => stopListening.forEach((stop) => stop());
    this.#begin(tab.sql);
  }

  /** Name of the object in the database; null for a new one. */
  get name(): string | null {
    return this.#name;
  }

  get isNew(): boolean {
    return this.#base === null;
  }

  /** Writes a text made by the form. @param identity of its columns, if the form has moved them */
  change(text: string, identity?: ColumnIdentity): void {
    this.#write(this.#withName(text), identity);
  }

  #write(text: string, identity?: ColumnIdentity): void {
    const edit = smallestChange(this.editor.state.doc, text);
    if (!edit) return;
    this.#nextIdentity = identity ?? null;
    this.editor.change(edit);
  }

  /** A new index or trigger is called after what it is for, until the user chooses a name. */
  #withName(text: string): string {
    const { model } = this.#view;
    if (!this.isNew || (model?.kind !== 'index' && model?.kind !== 'trigger')) return text;
    return followName(model, text, knownNames(this.#database));
  }

  get identity(): ColumnIdentity {
    return this.#identity;
  }

  revert(): void {
    const { base } = this.#view;
    if (this.#base !== null) this.#write(withLineFeeds(this.#base), base ? firstIdentity(base, base) : undefined);
  }

  /** Checks what the change would do, how long it takes, and what prevents it. Returns whether everything would compile. */
  async check(): Promise<boolean> {
    const plan = await this.#attempt('checking', 'The check was stopped.', (changes, options) =>
      client.call('schema.plan', { database: this.#database, changes }, options),
    );
    if (!plan) return false;
    this.#update({ phase: 'editing', plan });
    return plan.broken.length === 0;
  }

  /** Makes the change: in a transaction that stays open until it is kept or discarded, unless it cannot lose anything and all is well. */
  async apply(): Promise<void> {
    if (this.#mayNotCompile && this.#view.plan === null && !(await this.check())) return;
    this.#applied = this.#view.model;
    noteReview(this.#database, this.#tabId);
    const report = await this.#attempt('running', 'The change was stopped. Nothing was changed.', (changes, options) =>
      this.#waiver.run((params) =>
        client.call(
          'schema.change',
          { database: this.#database, changes, keep: losesNothing(changes), ...params },
          options,
        ),
      ),
    );
    if (!report) return;
    if (report.kept) await this.#noteKept(report);
    // A stop is only a wish: the change may have been made before it arrived.
    else if (this.#isDisposed) discardTransaction(this.#database);
    else this.#update({ phase: 'report', report, plan: null });
  }

  /** SQLite accepts views and triggers that it cannot compile. The user should know before they are in the database. */
  get #mayNotCompile(): boolean {
    return this.object === 'view' || this.object === 'trigger';
  }

  stop(): void {
    this.#abort?.abort();
  }

  async #noteKept(report: SchemaChangeReport): Promise<void> {
    const applied = this.#applied;
    const before = this.#name;
    this.#endReport();
    if (!applied) return;
    const name = applied.name.name;
    // Before anything else is awaited: until then the tab would offer to make the change again.
    if (!this.#isDisposed) await this.#startAgain(name, applied.text).catch(notifyFailure);
    if (capabilitiesOf(this.#database).history) await offerUndo(this.#database, doneText(this.object, before, name));
    else notify({ tone: 'success', topic: 'design', text: savedText(name, report) });
  }

  async finish(keep: boolean): Promise<void> {
    const applied = this.#applied;
    if (this.#view.phase !== 'report') return;
    this.#update({ phase: 'finishing' });
    const end = await endTransaction(this.#database, keep);
    if (end === 'open') return this.#update({ phase: 'report' });
    this.#endReport();
    if (end === 'done' && keep && applied) await this.#startAgain(applied.name.name, applied.text).catch(notifyFailure);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.stop();
    if (this.#view.phase === 'report') discardTransaction(this.#database);
    this.#stopListening();
    this.editor.dispose();
  }

  /** Runs an operation on the changes while the form waits. Returns null if it failed or was stopped, after telling the user. */
  async #attempt<T>(
    phase: 'checking' | 'running',
    stopped: string,
    work: (changes: readonly SchemaChange[], options: { readonly signal: AbortSignal }) => Promise<T>,
  ): Promise<T | null> {
    const { model } = this.#view;
    if (!model || this.#view.phase !== 'editing') return null;
    this.#update({ phase, failure: null });
    this.#abort = new AbortController();
    try {
      return await work(await this.#changes(model), { signal: this.#abort.signal });
    } catch (thrown) {
      const error = toAppError(thrown);
      this.#update({ phase: 'editing', failure: error.code === 'stopped' ? null : error.message });
      if (error.code === 'stopped') notify({ tone: 'info', text: stopped });
      return null;
    } finally {
      this.#abort = null;
    }
  }

  get #view(): DesignView {
    return this.useView.getState();
  }

  #update(part: Partial<DesignView>): void {
    this.useView.setState(part);
  }

  #endReport(): void {
    this.#update({ phase: 'editing', report: null });
  }

  #begin(sql: string): void {
    const base = this.#base === null ? null : readDesign(this.object, withLineFeeds(this.#base));
    this.#update({
      ...EMPTY_DESIGN,
      base: base?.understood ? base : null,
      baseProblem: base && !base.understood ? base : null,
    });
    this.#read(withLineFeeds(sql));
  }

  readonly #onText = ({ doc }: EditorState): void => {
    this.#read(doc.toString());
    updateTab<DesignTab>(this.#tabId, { identity: this.#identity });
  };

  #read(text: string): void {
    const { base, model: before } = this.#view;
    const model = readDesign(this.object, text);
    if (!model.understood) return this.#update({ problem: model, changes: [], plan: null });
    const next = this.#nextIdentity;
    this.#nextIdentity = null;
    this.#identity = next ?? nextIdentity({ base, before, model }, this.#identity);
    this.#update({
      model,
      problem: null,
      failure: null,
      plan: null,
      changes: base ? wordsOf({ base, model, identity: this.#identity }) : [],
    });
  }

  async #changes(model: ObjectModel): Promise<readonly SchemaChange[]> {
    const { base } = this.#view;
    if (!base || this.#name === null) return [{ kind: 'create', sql: model.text }];
    await this.#expectUnchanged(this.#name);
    const asStored = (sql: string): string => withLineEndsOf(this.#base!, sql);
    return changesOf({ base, model, identity: this.#identity }, this.#name, asStored);
  }

  /** @throws when the object has been changed elsewhere since this design was started */
  async #expectUnchanged(name: string): Promise<void> {
    const now = this.#sqlIn(await knownSchema(this.#database), name);
    if (now === this.#base) return;
    const what = `The ${KIND_WORDS[this.object]} “${name}”`;
    throw new AppError(
      now === null
        ? { code: 'not-found', message: `${what} no longer exists. Nothing was changed.` }
        : {
            code: 'conflict',
            message: `${what} has changed in the meantime, so your change was not applied. Copy the SQL you need and open the design again.`,
          },
    );
  }

  #sqlIn(schema: SchemaSnapshot | null, name: string): string | null {
    return schema?.objects.find((object) => object.kind === this.object && object.name === name)?.sql ?? null;
  }

  /** The object was renamed elsewhere: the design still refers to that object. */
  async #follow(tabs: readonly Tab[]): Promise<void> {
    const tab = tabs.find(({ id }) => id === this.#tabId) as DesignTab | undefined;
    const before = this.#name;
    if (!tab || tab.name === null || tab.name === before || before === null || this.#base === null) return;
    if (this.#view.phase !== 'editing' && this.#view.phase !== 'checking') return;
    const isUnchanged = this.editor.state.doc.toString() === withLineFeeds(this.#base);
    this.#name = tab.name;
    const sql = this.#sqlIn(await client.call('schema.get', { database: this.#database }), tab.name);
    if (sql === null || this.#isDisposed || this.#name !== tab.name) return;
    const { model } = this.#view;
    const identity = this.#identity;
    if (isUnchanged) this.#write(withLineFeeds(sql));
    else if (model && sameName(model.name.name, before)) {
      const { from, to } = model.name.span;
      this.#write(model.text.slice(0, from) + writeName(tab.name) + model.text.slice(to), identity);
    }
    this.#base = sql;
    this.#identity = identity;
    this.#begin(this.editor.state.doc.toString());
    updateTab<DesignTab>(this.#tabId, { base: sql, identity: this.#identity });
  }

  /** Starts again with the object as it is in the database now. @param applied the text that became it */
  async #startAgain(name: string, applied: string): Promise<void> {
    const sql = this.#sqlIn(await client.call('schema.get', { database: this.#database }), name);
    if (sql === null) return;
    // Edits made while the user read the report now count as changes to what was kept.
    this.#takeBase(name, sql, this.editor.state.doc.toString() === applied);
  }

  /** A design without changes follows its object, after Undo for example. One with changes keeps its base. */
  #followSchema(schema: SchemaSnapshot): void {
    if (this.#name === null || this.#base === null || this.#view.phase !== 'editing') return;
    const sql = this.#sqlIn(schema, this.#name);
    const isUnchanged = this.editor.state.doc.toString() === withLineFeeds(this.#base);
    if (sql !== null && sql !== this.#base && isUnchanged) this.#takeBase(this.#name, sql, true);
  }

  /** @param isSame whether the text is that of the object, without changes */
  #takeBase(name: string, sql: string, isSame: boolean): void {
    if (isSame) this.#write(withLineFeeds(sql));
    this.#base = sql;
    this.#name = name;
    this.#identity = [];
    this.#begin(isSame ? sql : this.editor.state.doc.toString());
    updateTab<DesignTab>(this.#tabId, { base: sql, name, title: name, identity: this.#identity });
  }
}

/** The text with the line endings that the editor uses. */
function withLineFeeds(sql: string): string {
  return sql.replace(/\r\n?/g, '\n');
}

/** The text of the editor, with the line endings of the original statement. */
function withLineEndsOf(base: string, sql: string): string {
  return base.includes('\r\n') ? sql.replaceAll('\n', '\r\n') : sql;
}
