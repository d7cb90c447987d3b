// One action on an object, from planning until it is kept or discarded. Lives as long as its dialog.
import { create } from 'zustand';
import { toAppError } from '#shared/protocol/index.ts';
import type { Progress, SchemaChange, SchemaChangeReport, SchemaObject, SchemaPlan } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { knownSchema } from '../../state/schema.ts';
import { notify } from '../../state/store.ts';
import { plural } from '../../ui/format.ts';
import { offerUndo } from '../../workbench/history/history.ts';
import { stillBroken } from '../../workbench/objects/schema-change-facts.tsx';
import { closeObjectAction, type ObjectActionRequest } from '../../workbench/objects/object-actions.ts';
import { consequences, doneText, surprises } from './action-labels.ts';
import { changesFor, columnNames, freeCopyName, nameProblem, type ActionChoices } from './object-change.ts';

export interface ActionView extends ActionChoices {
  readonly phase: 'asking' | 'running' | 'report' | 'finishing';
  /** Null until the plan is known, or if it cannot be made. */
  readonly plan: SchemaPlan | null;
  readonly isPlanning: boolean;
  readonly planFailure: string | null;
  readonly objects: readonly SchemaObject[];
  readonly startedAtMs: number;
  readonly progress: Progress | null;
  readonly stopping: boolean;
  readonly failure: string | null;
  /** Why it could not be undone, once that is known; running it again does without undo. */
  readonly notUndoable: string | null;
  /** Damage that was not foreseen; known once the change is made. */
  readonly surprises: readonly string[];
}

export class ActionSession {
  readonly request: ObjectActionRequest;
  readonly useView = create<ActionView>(() => FIRST_VIEW);
  #abort: AbortController | null = null;
  #planAbort: AbortController | null = null;
  /** Report on a change that was made but not saved yet. */
  #report: SchemaChangeReport | null = null;

  constructor(request: ObjectActionRequest) {
    this.request = request;
    const { object, action } = request;
    this.#update({
      name: action === 'duplicate' ? `${object.name}_copy` : object.name,
      order: (columnNames(object) ?? []).map((_, index) => index),
    });
    void this.#begin();
  }

  get #view(): ActionView {
    return this.useView.getState();
  }

  /** Null if Sidelite cannot read the statement of the object. */
  get changes(): readonly SchemaChange[] | null {
    return changesFor(this.request, this.#view, this.#view.objects);
  }

  get whyNot(): string | null {
    const { request } = this;
    const { name, order, objects, plan, isPlanning, phase } = this.#view;
    if (phase !== 'asking') return 'The change is already running.';
    if (request.action === 'rename' || request.action === 'duplicate') {
      const problem = nameProblem(name, request, objects);
      if (problem !== null) return problem;
      if (name === request.object.name) return 'This is already its name.';
    }
    if (request.action === 'reorder' && order.every((index, at) => index === at))
      return 'The columns are already in this order.';
    if (this.changes === null) return 'Sidelite cannot read its CREATE statement.';
    const inTheWay = plan?.obstacles.reduce((sum, { count }) => sum + count, 0) ?? 0;
    if (inTheWay > 0) return `${plural(inTheWay, 'row is', 'rows are')} in the way.`;
    return isPlanning ? 'Sidelite is still checking what depends on it.' : null;
  }

  choose(choices: Partial<ActionChoices>): void {
    this.#update({ ...choices, failure: null });
    // How rows are copied depends on the table alone, but the statement names the new one.
    if (this.request.action === 'duplicate' || this.request.action === 'reorder') void this.#plan();
  }

  async run(): Promise<void> {
    const { changes } = this;
    if (changes === null || this.whyNot !== null) return;
    const { database } = this.request;
    const withoutUndo = this.#view.notUndoable !== null;
    this.#abort = new AbortController();
    this.#update({ phase: 'running', failure: null, progress: null, stopping: false, startedAtMs: performance.now() });
    try {
      const report = await client.call(
        'schema.change',
        { database, changes, keep: true, ...(withoutUndo && { withoutUndo }) },
        { signal: this.#abort.signal, onChunk: (progress) => this.#update({ progress }) },
      );
      if (report.kept) this.#done(report);
      else await this.#review(report);
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      if (code === 'stopped') notify({ tone: 'info', text: 'Stopped. Nothing was changed.' });
      this.#update({
        phase: 'asking',
        ...(code === 'not-undoable' ? { notUndoable: message } : { failure: code === 'stopped' ? null : message }),
      });
    } finally {
      this.#abort = null;
    }
  }

  stop(): void {
    this.#update({ stopping: true });
    this.#abort?.abort();
  }

  /** Ends the transaction that the report is about. */
  async finish(keep: boolean): Promise<void> {
    this.#update({ phase: 'finishing' });
    try {
      await client.call('dryRun.finish', { database: this.request.database, keep });
      if (keep) return this.#done(this.#report);
      notify({ tone: 'info', text: 'Nothing was changed.' });
      this.#close();
    } catch (thrown) {
      const isOver = toAppError(thrown).code === 'not-found';
      notifyFailure(thrown);
      if (isOver) this.#close();
      else this.#update({ phase: 'report' });
    }
  }

  dispose(): void {
    this.#planAbort?.abort();
    this.#abort?.abort();
    if (this.#view.phase !== 'report') return;
    client.call('dryRun.finish', { database: this.request.database, keep: false }).catch(notifyFailure);
  }

  async #begin(): Promise<void> {
    const { database, object, action } = this.request;
    const objects = (await knownSchema(database))?.objects ?? [];
    this.#update({ objects, ...(action === 'duplicate' && { name: freeCopyName(object.name, objects) }) });
    const isLeaf = object.kind === 'index' || object.kind === 'trigger';
    const makesOthersAgain = object.kind === 'trigger' && action === 'rename';
    if (isLeaf && !makesOthersAgain) this.#update({ isPlanning: false });
    else await this.#plan();
  }

  async #plan(): Promise<void> {
    this.#planAbort?.abort();
    const abort = new AbortController();
    this.#planAbort = abort;
    const { changes } = this;
    const { objects, name } = this.#view;
    const isNamed = this.request.action === 'duplicate';
    // The plan for the previous name stays until the new name is valid.
    if (isNamed && nameProblem(name, this.request, objects) !== null) return this.#update({ isPlanning: false });
    if (changes === null) return this.#update({ isPlanning: false, plan: null });
    const { database } = this.request;
    try {
      const plan = await client.call('schema.plan', { database, changes }, { signal: abort.signal });
      if (this.#planAbort === abort) this.#update({ plan, isPlanning: false, planFailure: null });
    } catch (thrown) {
      // A change that cannot be planned can still be tried: it runs in a transaction.
      if (this.#planAbort !== abort || abort.signal.aborted) return;
      this.#update({ plan: null, isPlanning: false, planFailure: toAppError(thrown).message });
    }
  }

  /** Whether something stopped working. If it was named before, the user has already decided. */
  async #review(report: SchemaChangeReport): Promise<void> {
    const foreseen = consequences(this.request, this.#view.plan?.dependents ?? [], this.#view.objects);
    const found = surprises(report, foreseen);
    if (found.length === 0) return await this.finish(true);
    this.#report = report;
    this.#update({ phase: 'report', surprises: found });
  }

  #done(report: SchemaChangeReport | null): void {
    const { database } = this.request;
    void offerUndo(
      database,
      doneText(this.request, this.#view.name, report?.tables, report ? stillBroken(report) : []),
    );
    this.#close();
  }

  #close(): void {
    // Nothing is left to end when the dialog is closed.
    this.#update({ phase: 'finishing' });
    closeObjectAction();
  }

  #update(part: Partial<ActionView>): void {
    this.useView.setState(part);
  }
}

const FIRST_VIEW: ActionView = {
  phase: 'asking',
  name: '',
  rows: true,
  order: [],
  plan: null,
  isPlanning: true,
  planFailure: null,
  objects: [],
  startedAtMs: 0,
  progress: null,
  stopping: false,
  failure: null,
  notUndoable: null,
  surprises: [],
};
