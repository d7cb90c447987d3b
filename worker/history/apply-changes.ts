// Applies row changes to the database as one new step, or returns the conflicts that prevent it.
import { AppError, fail } from '#shared/protocol/errors.ts';
import type { ApplyReply, ConflictChoices, HistoryStep, StepId } from '#shared/protocol/history.ts';
import type { Connection } from '../engines/engine.ts';
import { openRowLog } from '../engines/row-log/reader.ts';
import type { RowLog } from '../engines/row-log/row-log.ts';
import type { Turn } from '../sessions/session.ts';
import { ForeignKeyCheck } from './foreign-keys.ts';
import type { History } from './history.ts';
import { MergeTarget } from './merge-target.ts';
import { choiceFor, describeConflict, Merge, type Conflict, type MergeOutcome, type MergeStep } from './merge.ts';
import { inverse, netChanges, type NetChange } from './net-changes.ts';
import { assertNoTransaction, watchWork, type Report } from './undo-redo.ts';
import { TextIndexes } from './text-indexes.ts';
import { isHidden, type VirtualTables } from './virtual-tables.ts';

/** Conflicts beyond this many are only counted. */
const MAX_CONFLICTS = 1000;
/** How often all changes are made again without those that a person leaves out, and how many changes that may be in any case. */
const [MAX_PASSES, FEW_CHANGES] = [20, 1_000_000];

interface ChangesToApply {
  readonly changes: readonly NetChange[];
  readonly virtual: VirtualTables;
  readonly choices: ConflictChoices | null;
  /** Shown with progress. */
  readonly phase: string;
}

/** Reverts a single step. @throws AppError `not-found`, `invalid` when its changes are not known row by row */
export function revertStep(
  history: History,
  turn: Turn,
  { step: id, choices }: { readonly step: StepId; readonly choices: ConflictChoices | null },
  report: Report,
): ApplyReply {
  const { step, log } = revertable(history, id);
  const virtual = history.timeline.store.virtualTables(id);
  const changes = netChanges(log.forwards())
    .filter(({ table }) => !isHidden(table.name, virtual))
    .map(inverse);
  return applyNetChanges(history, turn, { changes, virtual, choices, phase: `Undo: ${step.title}` }, report);
}

/** Reads only the tables of a step, not its rows. @throws AppError as {@link revertStep}, for whatever would fail in any case */
export function assertRevertable(history: History, connection: Connection, id: StepId): void {
  const { log } = revertable(history, id);
  const virtual = history.timeline.store.virtualTables(id);
  const tables = log.tables.filter(({ name }) => !isHidden(name, virtual));
  const targets = tables.map((table) => new MergeTarget(connection, table, virtual));
  new TextIndexes(connection, virtual, new Set(targets.map(({ table }) => table)));
}

function revertable(history: History, id: StepId): { readonly step: HistoryStep; readonly log: RowLog } {
  const step = history.timeline.step(id);
  const log = history.timeline.store.undoLog(id);
  if (step.state === 'undone') fail('invalid', 'This step is already undone.');
  if (log) return { step, log: openRowLog(log) };
  fail('invalid', 'This step changed the schema or was not kept row by row, so it cannot be undone on its own.');
}

/** Triggers do not run, because what they did is already among the changes. */
export function applyNetChanges(history: History, turn: Turn, work: ChangesToApply, report: Report): ApplyReply {
  const { connection } = turn;
  assertNoTransaction(connection);
  const steps = stepsOf(connection, work);
  const indexes = new TextIndexes(connection, work.virtual, new Set(steps.map(({ target }) => target.table)));
  const before = history.timeline.position.at;
  try {
    const { rowsChanged, skipped } = connection.replay(() => {
      // Rows from an earlier state or another file may never have passed the current CHECK constraints, unlike rows that undo restores.
      connection.run('PRAGMA ignore_check_constraints = OFF');
      const outcome = mergeWithKeys(turn, steps, work, report);
      if (outcome.conflicts.length > 0) throw new InConflict(outcome);
      indexes.rebuild();
      return outcome;
    });
    const { at } = history.timeline.position;
    return { applied: true, rowsChanged, skipped, step: at === before ? 0 : at };
  } catch (error) {
    if (!(error instanceof InConflict)) throw error;
    return refusedBy(error.outcome, work); // the window shows the current rows
  }
}

/** Ends the transaction without a change. */
class InConflict extends Error {
  readonly outcome: MergeOutcome;

  constructor(outcome: MergeOutcome) {
    super();
    this.outcome = outcome;
  }
}

/** Foreign keys are checked once all changes are made; a change that breaks one is also a conflict. */
function mergeWithKeys(turn: Turn, steps: readonly MergeStep[], work: ChangesToApply, report: Report): MergeOutcome {
  const { connection } = turn;
  const check = new ForeignKeyCheck(connection, [...new Set(steps.map(({ target }) => target.table))]);
  let left = steps;
  let made = 0;
  for (;;) {
    made += left.length;
    if (made > Math.max(FEW_CHANGES, steps.length * MAX_PASSES)) throw referTooLong();
    connection.run('SAVEPOINT sidelite_changes');
    const watch = watchWork(turn, work.phase, left.length, report);
    const outcome = new Merge(connection, work.choices, watch).run(left);
    const broken = check.conflicts(left);
    const skip = new Set(
      broken.map(({ step }) => step).filter(({ index }) => choiceFor(work.choices, index) === 'mine'),
    );
    if (skip.size === 0) {
      connection.run('RELEASE sidelite_changes');
      return {
        ...outcome,
        skipped: outcome.skipped + steps.length - left.length,
        conflicts: [...outcome.conflicts, ...broken],
      };
    }
    connection.run('ROLLBACK TO sidelite_changes');
    connection.run('RELEASE sidelite_changes');
    left = left.filter((step) => !skip.has(step));
  }
}

const referTooLong = (): AppError =>
  AppError.tooBig(
    'Rows refer to each other in so long a chain that finding all those to leave out would take too long. Nothing was changed. Apply changes to fewer rows.',
  );

function refusedBy({ conflicts }: MergeOutcome, { virtual }: ChangesToApply): Extract<ApplyReply, { applied: false }> {
  const inOrder = [...conflicts].sort((a: Conflict, b: Conflict) => a.step.index - b.step.index);
  return {
    applied: false,
    conflicts: inOrder.slice(0, MAX_CONFLICTS).map((conflict) => describeConflict(conflict, virtual)),
    total: conflicts.length,
  };
}

function stepsOf(connection: Connection, { changes, virtual }: ChangesToApply): MergeStep[] {
  const targets = new Map<string, MergeTarget>();
  return changes.map((change, index) => {
    let target = targets.get(change.table.name);
    if (!target) targets.set(change.table.name, (target = new MergeTarget(connection, change.table, virtual)));
    return { index, change, target };
  });
}
