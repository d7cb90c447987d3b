// Runs an import: one transaction in slices. If it is stopped or fails, everything is as before.
import { counted } from '#shared/counted.ts';
import { AppError, inParts, toAppError, toErrorData } from '#shared/protocol/errors.ts';
import type { ImportPlan, RowsImportReply } from '#shared/protocol/import.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { Connection } from '../engines/engine.ts';
import type { RecordInsert } from '../engines/record-insert.ts';
import { assertNoTransaction } from '../history/undo-redo.ts';
import type { RecordBatch, RecordReader } from '../records/record-batch.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { commitInPieces } from './commit-in-pieces.ts';
import { brokenKeys, defersKeys } from './foreign-keys.ts';
import { OtherTypes } from './open-types.ts';
import { copyOf } from './first-records.ts';
import {
  addColumns,
  bindingOf,
  createTable,
  indexKey,
  insertSql,
  resolveTarget,
  hasNamesOnly,
  NAMES_ONLY,
} from './import-target.ts';
import type { ResolvedTarget } from './import-target.ts';
import type { ProblemLog } from './problem-log.ts';
import { ChangedNumbers } from './changed-numbers.ts';
import { RecordFeed } from './record-feed.ts';

/** New requests arrive only between slices, and an edit in another database must not noticeably wait. */
const SLICE_MS = 8;
const REPORT_EVERY_MS = 100;
/** Whether Stop was pressed while the import waits for its file. */
const LOOK_EVERY_MS = 50;

export interface ImportRun {
  readonly plan: ImportPlan;
  readonly reader: RecordReader;
  readonly sizeBytes: number;
  readonly problems: ProblemLog;
  readonly report: (progress: Progress) => void;
  /** The types of the plan are a guess, and the file, as far as it is read, suggests others. */
  readonly isRefuted?: (() => boolean) | undefined;
}

type Counts = Pick<RowsImportReply, 'added' | 'changed' | 'equal' | 'skipped'>;

/** @throws AppError or OtherTypes, after which everything is as before */
export function* importRecords(
  turn: Turn,
  run: ImportRun,
): Generator<Pause, Counts & Pick<RowsImportReply, 'table' | 'removed' | 'notes'>> {
  const { connection } = turn;
  assertNoTransaction(connection);
  // Rows that are written twice are paid for twice, and others wait for them twice.
  if (run.isRefuted && connection.isMetered) throw new OtherTypes();
  const resolved = resolveTarget(connection, run.plan);
  const isDeferred = defersKeys(connection, resolved);
  connection.passCache(onlyAppends(run.plan));
  connection.run('BEGIN IMMEDIATE');
  let insert: RecordInsert | null = null;
  let isCommitted = false;
  try {
    if (isDeferred) connection.run('PRAGMA defer_foreign_keys = ON');
    const removed = prepareTable(connection, run.plan, resolved);
    if (resolved.lacksKey) yield* announceIndex(turn, run);
    const removeKey = indexKey(connection, resolved);
    const count = countRows(connection, resolved);
    const binding = bindingOf(resolved, run.plan);
    insert = connection.insertRecords(insertSql(resolved, 'main'), binding);
    const { options } = run.plan;
    const changed = new ChangedNumbers(resolved, binding, options);
    const { reader: remarks, problems } = run;
    const feed = new RecordFeed({ insert, remarks, problems, format: options.format, changed });
    const hasRows = yield* feedAll(turn, run, feed, resolved);
    const counts = count(feed.taken, insert.changes);
    insert.close();
    insert = null;
    removeKey();
    yield* commitInPieces(turn, run.report, () => {
      commit(connection, resolved);
      isCommitted = true;
    });
    const notes = [...resolved.notes, ...feed.notes, ...(hasRows ? [] : [NAMES_ONLY])];
    return { table: resolved.table, removed, ...counts, notes };
  } catch (error) {
    throw explained(error);
  } finally {
    insert?.close();
    // A full disk, a Stop inside SQLite or a trigger may have ended it already; a transaction after the commit is not this one.
    if (!isCommitted && !connection.autocommit) connection.run('ROLLBACK');
    connection.passCache(false);
  }
}

/** Records of a new table without a key need no search for their place. */
const onlyAppends = ({ target, columns }: ImportPlan): boolean =>
  target.kind === 'new-table' && !columns.some(({ primaryKey }) => primaryKey);

/** Returns how many rows it removed. */
function prepareTable(connection: Connection, plan: ImportPlan, resolved: ResolvedTarget): number {
  const { target, table } = resolved;
  if (target.kind === 'new-table') connection.run(createTable(plan, 'main'));
  const isReplaced = target.kind === 'table' && target.mode === 'replace';
  const removed = isReplaced ? connection.run(`DELETE FROM main.${quoteName(table)}`) : 0;
  addColumns(connection, resolved);
  return removed;
}

/** The index is one step of SQLite, which no file in place can stop: 500,000 rows take a second. The window is told, and Stop heard, before. */
function* announceIndex(turn: Turn, { report, sizeBytes }: ImportRun): Generator<Pause, void> {
  report({ phase: 'Indexing the key', done: 0, total: sizeBytes, unit: 'bytes' });
  yield 'between';
  assertNotStopped(turn);
}

/** Call before anything is written. Returns a function that reports afterwards what was done. */
export function countRows(
  connection: Connection,
  { target, table }: ResolvedTarget,
): (taken: number, written: number) => Counts {
  if (target.kind === 'new-table' || target.mode !== 'upsert')
    return (taken, written) => ({ added: written, changed: 0, equal: 0, skipped: Math.max(0, taken - written) });
  const rows = (): number => Number(connection.one(`SELECT count(*) FROM main.${quoteName(table)}`)![0]);
  const before = rows();
  return (taken, written) => {
    const added = Math.min(written, Math.max(0, rows() - before));
    const untouched = Math.max(0, taken - written);
    // A row of which nothing is NULL stays as it is when only NULLs are filled, whatever the file has for it.
    const isCompared = target.existing === 'overwrite';
    return {
      added,
      changed: written - added,
      equal: isCompared ? untouched : 0,
      skipped: isCompared ? 0 : untouched,
    };
  };
}

/** Returns false for a file that has names of columns and no row. */
function* feedAll(turn: Turn, run: ImportRun, feed: RecordFeed, resolved: ResolvedTarget): Generator<Pause, boolean> {
  const tell = teller(turn, run, feed);
  let batch = yield* nextBatch(turn, run.reader);
  let ahead: RecordBatch | null = null;
  if (batch !== null && !run.plan.options.hasHeader && hasNamesOnly(batch, resolved)) {
    batch = copyOf(batch, 0);
    ahead = yield* nextBatch(turn, run.reader);
    if (ahead === null) return false;
  }
  for (; batch !== null; [batch, ahead] = [ahead ?? (yield* nextBatch(turn, run.reader)), null]) {
    feed.load(batch);
    while (!feed.run(Math.min(turn.deadlineMs, performance.now() + SLICE_MS))) {
      assertMayContinue(turn, run, feed);
      tell();
      yield 'between';
    }
    assertMayContinue(turn, run, feed);
    tell();
  }
  feed.end();
  assertMayContinue(turn, run, feed);
  return true;
}

/** Lets other work run while the file is being read. Stop works even when the disk does not respond. */
function* nextBatch(turn: Turn, reader: RecordReader): Generator<Pause, RecordBatch | null> {
  let outcome: { readonly batch: RecordBatch | null } | { readonly error: unknown } | null = null;
  const reading = reader.next().then(
    (batch) => void (outcome = { batch }),
    (error: unknown) => void (outcome = { error }),
  );
  while (outcome === null) {
    turn.pauseUntil(settledOrLate(reading));
    yield 'between';
    assertNotStopped(turn);
  }
  const settled = outcome as { readonly batch: RecordBatch | null } | { readonly error: unknown };
  if ('error' in settled) throw settled.error;
  return settled.batch;
}

function settledOrLate(reading: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LOOK_EVERY_MS);
    void reading.then(() => (clearTimeout(timer), resolve()));
  });
}

function assertNotStopped(turn: Turn): void {
  if (turn.stopRequested) throw AppError.stopped('Stopped.');
}

function assertMayContinue(turn: Turn, { plan, problems, isRefuted }: ImportRun, feed: RecordFeed): void {
  assertNotStopped(turn);
  if (isRefuted?.()) throw new OtherTypes();
  if (problems.count < Math.max(1, plan.maxProblems)) return;
  // With the right types there may be none.
  if (isRefuted) throw new OtherTypes();
  const good = feed.taken === 0 ? 'none of them could be imported' : `${feed.taken} could be imported`;
  throw AppError.invalid(
    inParts(
      `The import ended early: ${counted(problems.count, 'row')} had problems, ${good}.`,
      'Everything is as it was before.',
    ),
    { detail: { problems: problems.count } },
  );
}

function teller(turn: Turn, run: ImportRun, feed: RecordFeed): () => void {
  let reportedMs = performance.now();
  const progress = (): Progress => ({
    phase: `${feed.taken.toLocaleString('en-US')} rows`,
    done: Math.min(run.reader.bytesRead, run.sizeBytes),
    total: run.sizeBytes,
    unit: 'bytes',
  });
  turn.measureBy(progress);
  return () => {
    const now = performance.now();
    if (now - reportedMs < REPORT_EVERY_MS) return;
    reportedMs = now;
    run.report(progress());
  };
}

/** @throws AppError `constraint` with the rows whose foreign keys are broken */
function commit(connection: Connection, resolved: ResolvedTarget): void {
  try {
    connection.run('COMMIT');
  } catch (error) {
    const isKeys = toAppError(error).detail?.['kind'] === 'foreign-key' && !connection.autocommit;
    throw (isKeys ? brokenKeys(connection, resolved) : null) ?? error;
  }
}

function explained(thrown: unknown): unknown {
  if (thrown instanceof AppError && thrown.detail?.['server'] === 'TRANSACTION_TIMEOUT')
    return new AppError({
      ...toErrorData(thrown),
      ...inParts(
        'Another client wanted to write, so the server ended the transaction of the import.',
        'Nothing was imported. Import fewer rows at a time, or try again later.',
      ),
    });
  if (!(thrown instanceof AppError) || thrown.code !== 'stopped') return thrown;
  return AppError.stopped(inParts('The import was stopped.', 'Everything is as it was before.'), {
    ...(thrown.sqlite && { sqlite: thrown.sqlite }),
  });
}
