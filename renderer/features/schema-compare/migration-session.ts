// The migration of a comparison: the chosen steps, their effect on a copy, and the change itself until it is kept or discarded.
import { create } from 'zustand';
import { migrationChanges, migrationSteps, type MigrationStep } from '#shared/schema-diff/migration.ts';
import { remainingDifferences, type Remaining } from '#shared/schema-diff/remaining.ts';
import type { SchemaDifference } from '#shared/schema-diff/compare-schemas.ts';
import { AppError, toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, Progress, SchemaChange, SchemaChangeReport, SchemaText } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notify } from '../../state/store.ts';
import { noteReview } from '../../state/reviews.ts';
import { discardTransaction, endTransaction } from '../../workbench/text/dry-run.ts';
import { UndoWaiver } from '../../workbench/history/undo-waiver.ts';

/** Which schema to change, and its goal. Null until both are read, and while the first is no database. */
export interface MigrationGoal {
  readonly database: DatabaseId;
  readonly from: SchemaText;
  readonly to: SchemaText;
  readonly difference: SchemaDifference;
}

/** Result of a migration, on a copy or in the database. */
export interface MigrationResult {
  readonly report: Omit<SchemaChangeReport, 'kept'>;
  readonly remaining: Remaining;
}

export interface MigrationView {
  readonly goal: MigrationGoal | null;
  readonly steps: readonly MigrationStep[];
  readonly chosen: ReadonlySet<string>;
  readonly phase: 'choosing' | 'trying' | 'running' | 'report' | 'finishing';
  readonly startedAtMs: number;
  readonly progress: Progress | null;
  /** The statements, as a copy with one row of each table has run them; null while they are not known. */
  readonly statements: readonly string[] | null;
  readonly statementsFailure: string | null;
  readonly trial: MigrationResult | null;
  readonly failure: string | null;
  /** Result of the change whose transaction is open. */
  readonly result: MigrationResult | null;
}

const NOTHING: MigrationView = {
  goal: null,
  steps: [],
  chosen: new Set(),
  phase: 'choosing',
  startedAtMs: 0,
  progress: null,
  statements: null,
  statementsFailure: null,
  trial: null,
  failure: null,
  result: null,
};

export class MigrationSession {
  readonly useView = create<MigrationView>(() => NOTHING);
  /** Steps for which the user has overridden the default. */
  readonly #choices = new Map<string, boolean>();
  readonly #waiver = new UndoWaiver();
  readonly #stopListening: () => void;
  #goal: MigrationGoal | null = null;
  #abort: AbortController | null = null;
  readonly #tabId: string;
  #writing: AbortController | null = null;

  constructor(tabId: string) {
    this.#tabId = tabId;
    // The transaction is gone with its engine.
    this.#stopListening = client.onReconnected(() => {
      if (this.#view.phase === 'report') this.#end();
    });
  }

  /** During a change, the goal is stored for later: the steps stay those of the change until it is kept or discarded. */
  setGoal(goal: MigrationGoal | null): void {
    this.#goal = goal;
    if (this.#view.phase !== 'choosing') return;
    const steps = goal ? migrationSteps(goal.difference) : [];
    this.#update({ ...NOTHING, goal, steps, chosen: this.#chosenOf(steps) });
    void this.#write();
  }

  choose(id: string, isChosen: boolean): void {
    this.#choices.set(id, isChosen);
    this.#update({ chosen: this.#chosenOf(this.#view.steps), trial: null, failure: null });
    void this.#write();
  }

  get changes(): readonly SchemaChange[] {
    const { goal, chosen } = this.#view;
    return goal ? migrationChanges(goal.difference, chosen) : [];
  }

  /** Runs the migration on a copy with all rows, which is deleted afterwards. */
  async tryOnCopy(): Promise<void> {
    await this.#attempt('trying', 'The trial was stopped.', async (goal, changes, options) => {
      const { report, schema } = await client.call(
        'schema.try',
        { database: goal.database, changes, rows: 'all' },
        options,
      );
      const trial = { report, remaining: this.#remaining(schema, goal) };
      this.#update({ phase: 'choosing' });
      if (this.#goal === goal) return this.#update({ trial });
      this.setGoal(this.#goal);
      this.#update({ failure: 'The comparison changed during the trial. Try again.' });
    });
  }

  /** Runs the migration in a transaction that stays open until it is kept or discarded. */
  async apply(): Promise<void> {
    await this.#attempt('running', 'The change was stopped. Nothing was changed.', async (goal, changes, options) => {
      const { database } = goal;
      noteReview(database, this.#tabId);
      expectSame(await client.call('schema.text', { database }), goal.from);
      const report = await this.#waiver.run((params) =>
        client.call('schema.change', { database, changes, ...params }, options),
      );
      // A server keeps no transaction open until someone decides.
      if (report.kept) {
        this.#end();
        notify({ tone: 'success', text: 'The migration was made and saved on the server.' });
        return;
      }
      try {
        const schema = await client.call('schema.text', { database });
        // A stop is only a wish: the change may have been made before it arrived.
        if (options.signal.aborted) throw AppError.stopped('Stopped. Nothing was changed.');
        this.#update({ phase: 'report', result: { report, remaining: this.#remaining(schema, goal) } });
      } catch (thrown) {
        discardTransaction(database);
        throw thrown;
      }
    });
  }

  async finish(keep: boolean): Promise<void> {
    const { phase, goal } = this.#view;
    if (phase !== 'report' || !goal) return;
    this.#update({ phase: 'finishing' });
    if ((await endTransaction(goal.database, keep)) === 'open') this.#update({ phase: 'report' });
    else this.#end();
  }

  stop(): void {
    this.#abort?.abort();
  }

  dispose(): void {
    const { phase, goal } = this.#view;
    this.stop();
    this.#goal = null;
    this.#writing?.abort();
    this.#stopListening();
    if (phase === 'report' && goal) discardTransaction(goal.database);
  }

  get #view(): MigrationView {
    return this.useView.getState();
  }

  #update(part: Partial<MigrationView>): void {
    this.useView.setState(part);
  }

  #end(): void {
    this.#update({ phase: 'choosing', result: null });
    this.setGoal(this.#goal);
  }

  #chosenOf(steps: readonly MigrationStep[]): ReadonlySet<string> {
    return new Set(steps.flatMap(({ id, losesData }) => ((this.#choices.get(id) ?? !losesData) ? [id] : [])));
  }

  #remaining(schema: SchemaText, goal: MigrationGoal): Remaining {
    const { steps, chosen } = this.#view;
    return remainingDifferences(schema, goal.to, steps, chosen);
  }

  /** Determines the statements. */
  async #write(): Promise<void> {
    this.#writing?.abort();
    this.#update({ statements: null, statementsFailure: null });
    const { goal } = this.#view;
    const { changes } = this;
    if (!goal || changes.length === 0) return;
    const abort = new AbortController();
    this.#writing = abort;
    try {
      const params = { database: goal.database, changes, rows: 'sample' } as const;
      const { report } = await client.call('schema.try', params, { signal: abort.signal });
      if (this.#writing === abort) this.#update({ statements: report.sql });
    } catch (thrown) {
      if (this.#writing === abort) this.#update({ statementsFailure: toAppError(thrown).message });
    }
  }

  async #attempt(
    phase: 'trying' | 'running',
    stopped: string,
    work: (
      goal: MigrationGoal,
      changes: readonly SchemaChange[],
      options: { readonly signal: AbortSignal; readonly onChunk: (progress: Progress) => void },
    ) => Promise<void>,
  ): Promise<void> {
    const { goal, phase: before } = this.#view;
    if (!goal || before !== 'choosing') return;
    this.#update({ phase, failure: null, trial: null, progress: null, startedAtMs: performance.now() });
    const abort = new AbortController();
    this.#abort = abort;
    try {
      await work(goal, this.changes, {
        signal: abort.signal,
        onChunk: (progress) => this.#update({ progress }),
      });
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      this.#end();
      this.#update({ failure: code === 'stopped' ? null : message });
      if (code === 'stopped') notify({ tone: 'info', text: stopped });
    } finally {
      this.#abort = null;
    }
  }
}

/** @throws AppError `conflict` */
function expectSame(now: SchemaText, then: SchemaText): void {
  if (JSON.stringify(now.objects) === JSON.stringify(then.objects)) return;
  throw AppError.conflict(
    'The schema has changed since the comparison, so the migration was not applied. Refresh the comparison and review it.',
  );
}
