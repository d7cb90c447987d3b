// Undo and redo: applies a step's log in reverse in one transaction, or restores the copy that was kept.
import { counted } from '#shared/counted.ts';
import { AppError, fail } from '#shared/protocol/errors.ts';
import type { HistoryStep, StepId } from '#shared/protocol/history.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { Connection } from '../engines/engine.ts';
import { RowLogApplier } from '../engines/row-log/apply.ts';
import { openRowLog } from '../engines/row-log/reader.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import type { History } from './history.ts';
import { snapshotGone, type Snapshot, type SnapshotPart } from './snapshot-files.ts';
import { MAX_ROWS_WITH_AFTER, type RowLog } from '../engines/row-log/row-log.ts';
import { MergeTarget } from './merge-target.ts';
import { agrees } from './merge.ts';
import { keyText, netChanges } from './net-changes.ts';

export type Report = (progress: Progress) => void;

type Direction = 'undo' | 'redo';

/** Rows between two checks of the clock and of Stop: well below a millisecond of work. */
const ROWS_BETWEEN_LOOKS = 64;
const REPORT_EVERY_MS = 100;

/** @throws AppError `not-found` when there is nothing to undo, `conflict`, `stopped`: nothing was changed then */
export function* undo(history: History, turn: Turn, report: Report): Generator<Pause, HistoryStep> {
  const { timeline } = history;
  assertNoTransaction(turn.connection);
  const step = timeline.undo;
  if (!step) throw nothingTo('undo', timeline.undoEnd?.why);
  if (step.kind === 'snapshot') yield* switchTo(history, turn, { step, direction: 'undo' }, report);
  else {
    const log = timeline.store.undoLog(step.id);
    if (!log) throw nothingTo('undo');
    const captured = applyBackwards(history, turn, { log, title: step.title, direction: 'undo' }, report);
    history.moved(() => timeline.movedBack(step.id, captured.log, captured.mark));
  }
  return { ...step, state: 'undone' };
}

/** @throws AppError as {@link undo} */
export function* redo(history: History, turn: Turn, report: Report): Generator<Pause, HistoryStep> {
  const { timeline } = history;
  assertNoTransaction(turn.connection);
  const step = timeline.redo;
  if (!step) throw nothingTo('redo');
  if (step.kind === 'snapshot') yield* switchTo(history, turn, { step, direction: 'redo' }, report);
  else {
    const log = timeline.store.redoLog(step.id);
    if (!log) throw nothingTo('redo');
    const captured = applyBackwards(history, turn, { log, title: step.title, direction: 'redo' }, report);
    history.moved(() => timeline.movedOn(step.id, captured.log, captured.mark));
  }
  return { ...step, state: 'done' };
}

/**
 * Undoes all steps from the newest down to `target`, each in its own transaction; other work gets its turn in between.
 * @throws AppError as {@link undo}; steps before the failure stay undone
 */
export function* undoTo(history: History, turn: Turn, target: StepId, report: Report): Generator<Pause, number> {
  const { timeline } = history;
  assertNoTransaction(turn.connection);
  const total = timeline.stepsFrom(target);
  let undone = 0;
  for (let at = timeline.position.at; at >= target; at = timeline.position.at) {
    yield* undo(history, turn, () => undefined);
    report({ phase: 'Undo', done: ++undone, total, unit: 'steps' });
    if (turn.stopRequested) throw stoppedAfter(undone);
    const position = timeline.position;
    yield 'between';
    if (timeline.position !== position) throw overtaken(undone);
  }
  return undone;
}

function stoppedBefore(): AppError {
  return AppError.stopped('Stopped. Everything is as it was before.');
}

function stoppedAfter(undone: number): AppError {
  return AppError.stopped(`Stopped. ${counted(undone, 'step')} undone; Redo restores what was undone.`);
}

function overtaken(undone: number): AppError {
  return AppError.conflict(
    `Another window made changes in the meantime. Before that, ${counted(undone, 'step')} undone: continue from the current data.`,
  );
}

export function assertNoTransaction(connection: Connection): void {
  if (connection.autocommit) return;
  fail(
    'transaction-elsewhere',
    'A transaction is open in this window. Commit it or roll it back first; nothing was changed.',
  );
}

interface Passage {
  readonly log: Uint8Array;
  readonly title: string;
  readonly direction: Direction;
}

function applyBackwards(
  history: History,
  turn: Turn,
  { log, title, direction }: Passage,
  report: Report,
): { readonly log: Uint8Array | null; readonly mark: string } {
  const { connection } = turn;
  const changes = openRowLog(log);
  const watch = watchWork(turn, `${direction === 'undo' ? 'Undo' : 'Redo'} of ${title}`, changes.rowCount, report);
  const captured = history.capture(() =>
    connection.replay(() => {
      if (history.isShared) {
        history.assertAlone();
        if (!areUnchanged(connection, changes)) throw changedSince(direction);
      }
      const applier = new RowLogApplier(connection);
      try {
        for (const change of changes.backwards()) {
          watch();
          // A row of `sqlite_sequence` is restored whatever its current value.
          if (applier.undo(change) === 0 && change.operation !== 'sequence') throw changedSince(direction);
        }
      } finally {
        applier.close();
      }
    }),
  );
  return captured ?? { log: null, mark: connection.commitMark };
}

interface Switch {
  readonly step: HistoryStep;
  readonly direction: Direction;
}

/** Copies the current state first, as the way back. */
function* switchTo(history: History, turn: Turn, { step, direction }: Switch, report: Report): Generator<Pause, void> {
  const { timeline, connection } = history;
  const [target, other]: readonly SnapshotPart[] = direction === 'undo' ? ['before', 'after'] : ['after', 'before'];
  const copyOfTarget = (): Snapshot => {
    const copy = timeline.copyOf(step.id, target!);
    if (copy) return copy;
    throw snapshotGone();
  };
  const { sizeBytes } = copyOfTarget();
  const ownBytes = timeline.copyOf(step.id, other!) ? 0 : connection.fileSizeBytes;
  const tell = tellBytes(
    turn,
    `${direction === 'undo' ? 'Undo' : 'Redo'} of ${step.title}`,
    ownBytes + sizeBytes,
    report,
  );
  if (ownBytes > 0) yield* keepWayBack(history, turn, { step: step.id, part: other! }, tell);
  // The oldest steps may have been forgotten during the copy.
  const { file } = copyOfTarget();
  history.restore(file, (share) => tell(ownBytes + share * sizeBytes));
  timeline.files.removeLog(file);
  history.moved(() => {
    if (direction === 'undo') timeline.movedBack(step.id, null, connection.commitMark);
    else timeline.movedOn(step.id, null, connection.commitMark);
  });
}

/** Other work may read in the meantime; writes wait, because the copy must be of a single state. */
function* keepWayBack(
  { timeline, connection, makeRoom }: History,
  turn: Turn,
  { step, part }: Pick<Snapshot, 'step' | 'part'>,
  tell: (doneBytes: number) => void,
): Generator<Pause, void> {
  const file = timeline.files.nameOf(step, part);
  let sizeBytes = 0;
  for (sizeBytes of timeline.files.copy(connection, file)) {
    tell(sizeBytes);
    if (turn.stopRequested) throw stoppedBefore();
    if (performance.now() >= turn.deadlineMs) yield 'reading';
  }
  timeline.addSnapshot(step, part, file, sizeBytes);
  makeRoom();
}

function tellBytes(turn: Turn, phase: string, total: number, report: Report): (doneBytes: number) => void {
  let done = 0;
  let reportedMs = performance.now();
  const progress = (): Progress => ({ phase, done, total, unit: 'bytes' });
  turn.measureBy(progress);
  return (doneBytes) => {
    done = Math.min(Math.round(doneBytes), total);
    const now = performance.now();
    if (now - reportedMs < REPORT_EVERY_MS) return;
    reportedMs = now;
    report(progress());
  };
}

/** Returns a function to call once per row, which checks for Stop and reports progress. */
export function watchWork(turn: Turn, phase: string, total: number, report: Report): () => void {
  let done = 0;
  let reportedMs = performance.now();
  const progress = (): Progress => ({ phase, done, total, unit: 'rows' });
  turn.measureBy(progress);
  return () => {
    if (++done % ROWS_BETWEEN_LOOKS !== 0) return;
    if (turn.stopRequested) throw stoppedBefore();
    const now = performance.now();
    if (now - reportedMs < REPORT_EVERY_MS) return;
    reportedMs = now;
    report(progress());
  };
}

function nothingTo(direction: Direction, why = ''): AppError {
  return AppError.notFound(`There is nothing to ${direction}. ${why}`.trim());
}

function changedSince(direction: Direction): AppError {
  return AppError.conflict(
    `A row is not as this step left it, so it cannot be ${direction === 'undo' ? 'undone' : 'redone'} as a whole. Nothing was changed.`,
  );
}

/**
 * Whether rows are as a step left them. Where other programs write too, the mark alone does not say it: it identifies the state of the file.
 * Larger steps do not keep the values after them, so there only the mark is checked. @throws AppError `not-found` when a table has changed
 */
function areUnchanged(connection: Connection, log: RowLog): boolean {
  if (log.rowCount > MAX_ROWS_WITH_AFTER) return true;
  const changes = netChanges(log.forwards());
  const present = new Set(changes.flatMap(({ table, keyAfter }) => (keyAfter ? [keyText(table.name, keyAfter)] : [])));
  const targets = new Map<string, MergeTarget>();
  return changes.every(({ table, keyBefore, keyAfter, after }) => {
    // Another row may have its key by now.
    if (!keyAfter && present.has(keyText(table.name, keyBefore!))) return true;
    let target = targets.get(table.name);
    if (!target) targets.set(table.name, (target = new MergeTarget(connection, table, {})));
    const now = target.read(keyAfter ?? keyBefore!);
    return keyAfter ? now !== null && agrees(now, after!) : now === null;
  });
}
