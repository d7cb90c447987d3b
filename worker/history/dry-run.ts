// Runs SQL in a transaction that stays open until the user has reviewed what it did.
import { AppError, fail, inParts, toErrorData, whatHappened } from '#shared/protocol/errors.ts';
import type { ParameterValues } from '#shared/protocol/query.ts';
import type { DryRunReply, RowDifferencePage } from '#shared/protocol/history.ts';
import type { Connection, ScriptStatement } from '../engines/engine.ts';
import { isGenerator } from '../sessions/scheduler.ts';
import type { WorkOrigin, DatabaseSession, Pause, Turn, WindowSession } from '../sessions/session.ts';
import { firstOf } from '../sql/statement-kinds.ts';
import { DifferencePages } from './differences.ts';
import { assertNoTransaction } from './undo-redo.ts';
import { countsOf, virtualTablesIn } from './virtual-tables.ts';

interface DryRun {
  readonly window: WindowSession;
  readonly origin: WorkOrigin;
  /** Built at the first request for rows. */
  pages: DifferencePages | null;
}

/**
 * These statements would end the transaction of the dry run, or a rollback could not undo them. As far as the text shows them, they are
 * refused before anything runs.
 */
const NOT_IN_A_DRY_RUN = new Set(['BEGIN', 'COMMIT', 'END', 'ROLLBACK', 'ATTACH', 'DETACH', 'VACUUM']);

export const SLICE_MS = 8;
const dryRuns = new WeakMap<DatabaseSession, DryRun>();

/** @throws AppError `invalid` */
export function assertDryRunnable(sql: string): void {
  const word = firstOf(sql, NOT_IN_A_DRY_RUN);
  if (word !== null) throw notInADryRun(word);
}

function notInADryRun(what: string): AppError {
  return AppError.invalid(
    inParts(
      `${what} cannot be part of a dry run, which is a single transaction. Remove it, or run the SQL without a dry run.`,
      'Nothing was changed.',
    ),
  );
}

type TryingTurn = Pick<Turn, 'connection' | 'stopRequested'>;

interface DryRunText {
  readonly sql: string;
  readonly origin: WorkOrigin;
  readonly parameters: ParameterValues | undefined;
  /** Commit at once, instead of waiting for a decision. */
  readonly keep: boolean;
}

/** Errors and Stop roll everything back. */
export function* startDryRun(
  database: DatabaseSession,
  window: WindowSession,
  turn: Turn,
  { sql, origin, parameters, keep }: DryRunText,
): Generator<Pause, DryRunReply> {
  const { connection } = turn;
  const started = performance.now();
  const schemaBefore = schemaVersion(connection);
  const changesBefore = connection.totalChanges;
  return yield* inTransaction(turn, { sql, parameters }, (statements) => {
    const schema = schemaVersion(connection) !== schemaBefore;
    const log = connection.openLog;
    const tables = log ? countsOf(log.tables, virtualTablesIn(connection, log.tables, null)) : [];
    // For rows beyond the log, only the number is known.
    const rows = log
      ? tables.reduce((sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted, 0)
      : connection.totalChanges - changesBefore;
    if (keep) connection.run('COMMIT');
    else hold(database, { window, origin, pages: null });
    return { tables, rows, statements, timeMs: performance.now() - started, schema };
  });
}

/** Runs the text and then `body`. The transaction stays open if `body` returns without ending it; errors and Stop roll it back. */
export function* inTransaction<T>(
  turn: TryingTurn,
  { sql, parameters }: { readonly sql: string; readonly parameters: ParameterValues | undefined },
  body: (statements: number) => T | Generator<Pause, T, undefined>,
): Generator<Pause, T> {
  const { connection } = turn;
  assertNoTransaction(connection);
  connection.run('BEGIN IMMEDIATE');
  let isWhole = false;
  try {
    const result = body(yield* runAll(turn, sql, parameters));
    const whole = isGenerator<T>(result) ? yield* result : result;
    isWhole = true;
    return whole;
  } catch (error) {
    throw rolledBack(error);
  } finally {
    if (!isWhole && !connection.autocommit) connection.run('ROLLBACK');
  }
}

/** Makes the open transaction a dry run of `window`. Changed rows are not listed. */
export function holdAsDryRun(database: DatabaseSession, window: WindowSession, origin: WorkOrigin): void {
  hold(database, { window, origin, pages: null });
}

/** A later commit writes exactly what was shown: other work of the window is refused until then. */
function hold(database: DatabaseSession, run: DryRun): void {
  dryRuns.set(database, run);
  database.pending.review();
}

export function dryRunRows(
  database: DatabaseSession,
  window: WindowSession,
  connection: Connection,
  { start, count }: { readonly start: number; readonly count: number },
): RowDifferencePage {
  const run = openRun(database, window, connection);
  const log = connection.openLog;
  if (!run.pages && log) run.pages = new DifferencePages(log, virtualTablesIn(connection, log.tables, null));
  return run.pages?.page(start, count) ?? { rows: [], total: 0 };
}

export function finishDryRun(
  database: DatabaseSession,
  window: WindowSession,
  connection: Connection,
  keep: boolean,
): null {
  openRun(database, window, connection);
  // A COMMIT that fails (deferred foreign keys) leaves the transaction open: the user may still discard it.
  connection.run(keep ? 'COMMIT' : 'ROLLBACK');
  dryRuns.delete(database);
  return null;
}

/** The step describes the SQL that was run, not its COMMIT. */
export function dryRunOrigin(database: DatabaseSession): WorkOrigin | undefined {
  return dryRuns.get(database)?.origin;
}

function openRun(database: DatabaseSession, window: WindowSession, connection: Connection): DryRun {
  const run = dryRuns.get(database);
  if (run?.window === window && !connection.autocommit) return run;
  fail('not-found', 'This dry run is over: its transaction was already committed or rolled back.');
}

function* runAll(turn: TryingTurn, sql: string, parameters: ParameterValues | undefined): Generator<Pause, number> {
  const script = turn.connection.script(sql, parameters);
  let statements = 0;
  let pauseAt = performance.now() + SLICE_MS;
  let statement: ScriptStatement | null = null;
  try {
    while ((statement = script.next())) {
      // SQLite decides, whatever the text looked like.
      if (statement.control !== null && statement.control !== 'savepoint') throw notInADryRun('A statement like this');
      while (statement.step());
      statements++;
      if (turn.stopRequested) fail('stopped', 'Stopped.');
      if (performance.now() < pauseAt) continue;
      yield 'between';
      pauseAt = performance.now() + SLICE_MS;
    }
    return statements;
  } catch (error) {
    throw statement && error instanceof AppError ? at(statement, error) : error;
  } finally {
    script.dispose();
  }
}

/** Many errors have no position of their own; then the position of the statement is used. */
function at({ from, to }: ScriptStatement, error: AppError): AppError {
  return new AppError({ ...toErrorData(error), detail: { ...error.detail, from, to } });
}

function schemaVersion(connection: Connection): number {
  return Number(connection.one('PRAGMA main.schema_version')?.[0] ?? 0);
}

function rolledBack(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const kept = 'The dry run was rolled back: nothing was changed.';
  return new AppError({ ...toErrorData(error), ...inParts(whatHappened(error), kept) });
}
