// State of an import tab, which lives as long as the tab, shown or not: the choices, and what is known about the file.
import { create, type StoreApi, type UseBoundStore } from 'zustand';
import { holdsTables } from '#shared/import-formats.ts';
import { toAppError } from '#shared/protocol/index.ts';
import type { ImportOptions, ImportPlan, ImportSource, Reading, TableDetail } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { updateTab, useStore } from '../../state/store.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import { forgetPastedText, pastedText, type ImportTab } from '../../workbench/tabs/import.ts';
import {
  choicesByName,
  choicesByOrder,
  choicesForNewTable,
  inTable,
  keepingAdded,
  movedBy,
  named,
  newColumnName,
  replaced,
  tableNameFor,
  withAdded,
  withFacts,
  writable,
} from '#shared/import/column-choices.ts';
import type { ColumnChoice } from '#shared/import/column-choices.ts';
import { asNewColumn, choicesForTable, withExpression, withNewColumns } from '#shared/import/new-columns.ts';
import { firstView, withoutTable } from './first-view.ts';
import { ImportRunner } from './import-runner.ts';
import { isStrict, namesInTable, plannedBy, type ImportView } from './import-view.ts';
import { likelyKey } from './likely-key.ts';
import { chosenWith } from './near-readings.ts';
import type { TargetChoice } from '#shared/import/target-choice.ts';
import { loadRecipes } from './recipe-store.ts';
import { withReading } from '#shared/import/readings.ts';
import { differencesOf, findRecipe, recipeChoices, recipeOptions, recipeTarget } from '#shared/import/recipes.ts';
import type { Recipe } from '#shared/import/recipes.ts';
import { SourceReading } from './source-reading.ts';
import { TransferSession } from './transfer-session.ts';
import { tableNames } from './table-names.ts';

/** The source of an import tab: a file, found again after a restart, or text from the clipboard. Ends with the tab. */
class ImportFile {
  readonly #tabId: string;
  #source: ImportSource | null;
  /** ID under which the library knows the location of the file: a token ends with the app. */
  #locationId: string | null;
  #disposed = false;

  constructor(tab: ImportTab) {
    this.#tabId = tab.id;
    this.#locationId = tab.locationId;
    const text = pastedText(tab.id);
    if (tab.token !== null) this.#source = { kind: 'file', token: tab.token };
    else this.#source = text === null ? null : { kind: 'text', text, name: tab.fileName };
  }

  /** Null if there is nothing to read: pasted text ends with the app. */
  get source(): ImportSource | null {
    return this.#source;
  }

  /** Another file for this tab. */
  replace(token: string): void {
    this.letGo();
    this.#forget();
    this.#source = { kind: 'file', token };
  }

  /** After a restart of the app or the engine, the token is invalid, but the library may know where the file is. */
  async findAgain(): Promise<void> {
    const locationId = this.#locationId;
    if (locationId === null || this.#source?.kind !== 'file' || (await isOpen(this.#source))) return;
    try {
      const { token } = await client.call('import.reopenFile', { locationId });
      this.#source = { kind: 'file', token };
      updateTab<ImportTab>(this.#tabId, { token });
    } catch {
      // It says so when it is read.
    }
  }

  /** Remembers the file, so that it is found again. Call it once the file has been read. */
  async remember(): Promise<void> {
    if (this.#locationId !== null || this.#source?.kind !== 'file') return;
    const kept = await client.call('import.keepFile', { token: this.#source.token }).catch(() => null);
    if (!kept?.locationId || this.#disposed) return;
    this.#locationId = kept.locationId;
    updateTab<ImportTab>(this.#tabId, { locationId: kept.locationId });
  }

  /** Closes it in the engine. */
  letGo(): void {
    if (this.#source) void client.call('import.end', { source: this.#source }).catch(() => undefined); // it ends with the connection
  }

  /** An import that still reads it has to call {@link letGo} when it ends. */
  dispose(isStillRead: boolean): void {
    this.#disposed = true;
    forgetPastedText(this.#tabId);
    this.#forget();
    if (!isStillRead) this.letGo();
  }

  #forget(): void {
    if (this.#locationId === null) return;
    void client.call('import.forgetFile', { locationId: this.#locationId }).catch(() => undefined); // it is not asked for again
    this.#locationId = null;
    updateTab<ImportTab>(this.#tabId, { locationId: null });
  }
}

function isOpen(source: ImportSource): Promise<boolean> {
  return client.call('import.detect', { source, options: {} }).then(
    () => true,
    (thrown: unknown) => toAppError(thrown).code !== 'not-found',
  );
}

export const importSessionOf = tabSessions((tab: ImportTab) => new ImportSession(tab));

export class ImportSession {
  readonly tabId: string;
  readonly #file: ImportFile;
  readonly useView: UseBoundStore<StoreApi<ImportView>>;
  /** Options that the user has chosen; the others are detected. */
  #chosen: Partial<ImportOptions> = {};
  readonly #reading: SourceReading;
  readonly runner: ImportRunner;
  /** What was asked last that decides on the columns. */
  #asked: Promise<unknown> = Promise.resolve();
  #disposed = false;
  /** One of them may be offered when the file is first looked at. */
  #recipes: readonly Recipe[] = [];
  #transfer: TransferSession | null = null;

  constructor(tab: ImportTab) {
    this.tabId = tab.id;
    this.#file = new ImportFile(tab);
    this.useView = create(() => firstView(tab));
    this.#reading = new SourceReading({
      source: () => this.#file.source,
      view: () => this.#view,
      patch: (part) => this.#patch(part),
      plan: () => this.#plan(),
      detected: () => {
        this.#followFormat();
        this.#offerRecipe();
      },
      columnsRead: (columns) => this.#readTable(columns),
      factsRead: () => this.#takeFacts(),
    });
    this.runner = new ImportRunner(tab.id, {
      view: () => this.#view,
      patch: (part) => this.#patch(part),
      factsRead: () => this.#takeFacts(),
      goInto: (database) => void this.setTarget({ database }),
    });
    void this.#begin();
  }

  get #view(): ImportView {
    return this.useView.getState();
  }

  /** Set if the file consists of tables. */
  get transfer(): TransferSession | null {
    return this.#transfer;
  }

  /** Another file for this tab, such as one that was chosen before a restart. */
  async setFile(token: string, fileName: string): Promise<void> {
    this.#file.replace(token);
    this.#chosen = {};
    this.#transfer?.dispose();
    this.#transfer = null;
    this.#patch({
      isOfTables: false,
      fileName,
      failure: null,
      detected: null,
      options: null,
      near: null,
      recipe: null,
      analysis: null,
      preview: null,
      outcome: null,
    });
    await this.#begin();
  }

  /** Reads the file again, with these options instead of the detected ones. */
  async setOptions(change: Partial<ImportOptions>): Promise<void> {
    // Options for one format mean nothing for another.
    this.#chosen = change.format === undefined ? { ...this.#chosen, ...change } : change;
    const { options } = this.#view;
    if (options) this.#patch({ options: { ...options, ...change } });
    await this.#detect();
  }

  /** Reads the file in one of the ways that are near. */
  async chooseReading(at: number): Promise<void> {
    const { near, options } = this.#view;
    if (!near || !options) return;
    this.#chosen = chosenWith(near, at, this.#chosen);
    this.#patch({ options: { ...options, ...near.readings[0]!.options, ...near.readings[at]!.options } });
    await this.#detect();
  }

  async setTarget(change: Partial<TargetChoice>): Promise<void> {
    const before = this.#view.target;
    const target = this.#withKey({ ...before, ...change });
    this.#patch({ target, problem: null });
    const isOther = target.kind !== before.kind || target.table !== before.table || target.database !== before.database;
    if (isOther) await this.#ask(this.#readTable(this.#view.detected?.columns ?? []));
    else if (target.strict !== before.strict)
      this.#patch({ columns: this.#view.columns.map((choice) => inTable(choice, target.strict)) });
    this.#reading.previewSoon();
  }

  /** Rows of a table without a key are found by the column whose name says so, until the user chooses. */
  #withKey(target: TargetChoice): TargetChoice {
    const { detail, target: before } = this.#view;
    const becomesByKey = target.mode === 'upsert' && before.mode !== 'upsert';
    if (!becomesByKey || target.key.length > 0 || target.table === null || !detail) return target;
    return { ...target, key: likelyKey(target.table, writable(detail.columns)) };
  }

  setColumn(at: number, change: Partial<Omit<ColumnChoice, 'source' | 'name'>>): void {
    this.#setColumns(replaced(this.#view.columns, at, change));
  }

  /** @param reading null: as its values are written */
  readColumn(at: number, reading: Reading | null): void {
    const { analysis, columns } = this.#view;
    const facts = analysis?.state === 'done' ? analysis.analysis.columns[at] : undefined;
    if (facts) this.#setColumns(replaced(columns, at, withReading(columns[at]!, reading, facts, isStrict(this.#view))));
  }

  /** @param name null: the column is not imported */
  nameColumn(at: number, name: string | null): void {
    this.#setColumns(named(this.#view.columns, at, name, namesInTable(this.#view)));
  }

  /** Makes a column of the file a new one of the existing table; without an index, all that the table does not have. */
  addToTable(at: number | null): void {
    const { columns } = this.#view;
    const names = namesInTable(this.#view) ?? [];
    this.#setColumns(at === null ? withNewColumns(columns, names) : asNewColumn(columns, at, names));
    this.#takeFacts();
  }

  /** Adds a column whose values come only from an expression or its default. */
  addColumn(): void {
    const { columns, detail } = this.#view;
    const name = newColumnName(columns.map((choice) => choice.name ?? ''));
    this.#setColumns(detail ? withExpression(columns, detail.columns) : withAdded(columns, name));
  }

  moveColumn(at: number, by: number): void {
    this.#setColumns(movedBy(this.#view.columns, at, by));
  }

  #setColumns(columns: readonly ColumnChoice[]): void {
    this.#patch({ columns });
    this.#reading.previewSoon();
  }

  matchBy(how: 'name' | 'order'): void {
    const { detail, detected } = this.#view;
    if (!detail || !detected) return;
    const match = how === 'name' ? choicesByName : choicesByOrder;
    const names = writable(detail.columns);
    this.#setColumns(keepingAdded(match(detected.columns, names), this.#view.columns, names));
  }

  async applyRecipe(): Promise<void> {
    const { recipe: offered, detected, target: fallback } = this.#view;
    if (!offered || !detected) return;
    const { recipe } = offered;
    this.#chosen = recipeOptions(recipe, detected);
    this.#patch({ recipe: { ...offered, isApplied: true } });
    const { database } = recipe.target;
    const isOpen = database !== null && useStore.getState().openDatabases[database] !== undefined;
    const { target, note } = recipeTarget(recipe, isOpen ? await tableNames(database) : null, fallback);
    this.#patch({ target });
    await this.#reading.detect(this.#chosen);
    await this.#readTable(this.#view.detected?.columns ?? []);
    this.#choose(recipeChoices(recipe, this.#view.detected?.columns ?? [], target.kind), target.key);
    if (note && this.#view.recipe)
      this.#patch({ recipe: { ...this.#view.recipe, differences: [...this.#view.recipe.differences, note] } });
    this.#takeFacts();
    this.#reading.previewSoon();
  }

  async run(): Promise<void> {
    await this.#answered();
    if (this.#view.running || this.#view.failure || !this.#file.source || !this.#view.detected) return;
    this.#reading.pause();
    await this.runner.run(this.#plan());
    if (this.#disposed) this.#file.letGo();
    else if (!this.#view.outcome) this.#reading.resume();
  }

  /** Back to the choices, for another import of the same file. */
  async backToChoices(): Promise<void> {
    const { columns, target } = this.#view;
    this.#patch({ outcome: null });
    await this.#readTable(this.#view.detected?.columns ?? []);
    if (target.kind === 'table' && !this.#view.detail) this.#patch(withoutTable(target));
    this.#choose(columns, target.key);
    this.#reading.resume();
  }

  /** Choices that were made earlier. */
  #choose(choices: readonly ColumnChoice[], key: readonly string[]): void {
    const { detail, target } = this.#view;
    const columns = detail ? choicesForTable(choices, detail.columns) : choices;
    this.#patch({ columns, target: { ...target, key: key.length > 0 ? key : target.key } });
  }

  /** A running import continues: the status bar shows it, and a message reports its end. */
  dispose(): void {
    this.#disposed = true;
    this.#transfer?.dispose();
    this.#reading.dispose();
    this.#file.dispose(this.runner.isRunning);
  }

  async #begin(): Promise<void> {
    const { target } = this.#view;
    const tables = target.database === null ? [] : await tableNames(target.database);
    this.#patch({ target: { ...this.#view.target, newTable: tableNameFor(this.#view.fileName, tables) } });
    await this.#file.findAgain();
    this.#recipes = await loadRecipes().catch(() => []);
    await this.#reading.detect(this.#chosen);
    if (this.#view.detected) await this.#file.remember();
  }

  /** Offered with the first look at the file: a banner that came later would move what is below it. */
  #offerRecipe(): void {
    const { detected, isOfTables } = this.#view;
    const recipes = this.#recipes;
    this.#recipes = [];
    if (!detected || isOfTables) return;
    const recipe = findRecipe(recipes, detected);
    if (recipe)
      this.#patch({ recipe: { recipe, differences: differencesOf(recipe, detected.columns, null), isApplied: false } });
  }

  #detect(): Promise<void> {
    return this.#ask(this.#reading.detect(this.#chosen));
  }

  #ask(work: Promise<void>): Promise<void> {
    this.#asked = Promise.allSettled([this.#asked, work]);
    return work;
  }

  /** Whoever chooses something and imports at once means the columns that follow from it, not those from before. */
  async #answered(): Promise<void> {
    for (let asked; asked !== this.#asked;) await (asked = this.#asked);
  }

  /** Importing tables is different from importing rows. */
  #followFormat(): void {
    const { detected, target } = this.#view;
    const isOfTables = detected !== null && holdsTables(detected.options.format);
    if (isOfTables === (this.#transfer !== null)) return;
    this.#transfer?.dispose();
    this.#transfer = isOfTables
      ? new TransferSession(this.tabId, this.#file.source!, detected.fileName, target.database)
      : null;
    this.#patch({ isOfTables });
  }

  #takeFacts(): void {
    const { analysis, columns, target, recipe, detected } = this.#view;
    if (analysis?.state !== 'done' || !detected) return;
    const facts = analysis.analysis.columns;
    this.#patch({ columns: withFacts(columns, facts, { kind: target.kind, isStrict: isStrict(this.#view) }) });
    if (recipe && !recipe.isApplied)
      this.#patch({ recipe: { ...recipe, differences: differencesOf(recipe.recipe, detected.columns, facts) } });
  }

  /** Makes new choices for the columns: for a new table, or for the one that is chosen. */
  async #readTable(sources: readonly string[]): Promise<void> {
    const { database, kind, table } = this.#view.target;
    if (kind === 'new-table' || database === null || table === null) {
      this.#patch({ detail: null, columns: keepingAdded(choicesForNewTable(sources), this.#view.columns, null) });
      return this.#takeFacts();
    }
    let detail: TableDetail | null = null;
    try {
      detail = await client.call('schema.table', { database, table });
    } catch (thrown) {
      this.#patch({ previewProblem: toAppError(thrown).message });
    }
    const { target } = this.#view;
    if (target.table !== table || target.database !== database) return;
    const names = writable(detail?.columns ?? []);
    const primary = (detail?.columns ?? []).filter(({ primaryKeyIndex }) => primaryKeyIndex > 0);
    const guess = target.mode === 'upsert' ? likelyKey(table, names) : [];
    this.#patch({
      detail,
      columns: keepingAdded(choicesByName(sources, names), this.#view.columns, names),
      target: { ...target, key: primary.length > 0 ? primary.map(({ name }) => name) : guess },
    });
  }

  #plan(): ImportPlan {
    return plannedBy(this.#view, this.#file.source!);
  }

  #patch(part: Partial<ImportView>): void {
    this.useView.setState(part);
  }
}
