// Runs SQL in a transaction that stays open until the user has reviewed what it did.
import { AppError, inParts, toErrorData, whatHappened } from '#shared/protocol/errors.ts';
import type { ParameterValues } from '#shared/protocol/query.ts';
import type { DryRunReply, RowDifferencePage } from '#shared/protocol/history.ts';
import type { Connection, ScriptStatement } from '../engines/engine.ts';
import type { WorkOrigin } from '../sessions/work-origin.ts';
import type { DatabaseSession, Pause, Turn, WindowSession } from '../sessions/session.ts';
import { firstOf } from '../sql/statement-kinds.ts';
import { DifferencePages } from './differences.ts';
import { assertNoTransaction } from './undo-redo.ts';
import { countsOf, virtualTablesIn } from './virtual-tables.ts';

interface DryRun {
  readonly window: WindowSession;
  readonly origin: WorkOrigin;
  /** Built at the first request for rows. */
  pages: DifferencePages | null;
  /** To check, before it is committed, that it is still what was shown. */
  readonly assertUnchanged: (() => void) | null;
}

/**
 * These statements would end the transaction of the dry run, or a rollback could not undo them. As far as the text shows them, they are
 * refused before anything runs.
 */
const NOT_IN_A_DRY_RUN = new Set(['BEGIN', 'COMMIT', 'END', 'ROLLBACK', 'ATTACH', 'DETACH', 'VACUUM']);

const SLICE_MS = 8;
const dryRuns = new WeakMap<DatabaseSession, DryRun>();

/** @throws AppError `invalid` */
export function assertDryRunnable(sql: string): void {
  const word = firstOf(sql, NOT_IN_A_DRY_RUN);
  if (word !== null) throw notInADryRun(word);
}

function notInADryRun(what: string): AppError {
  return new AppError({
    code: 'invalid',
    ...inParts(
      `${what} cannot be part of a dry run, which is a single transaction. Remove it, or run the SQL without a dry run.`,
      'Nothing was changed.',
    ),
  });
}

interface DryRunText {
  readonly sql: string;
  readonly origin: WorkOrigin;
  readonly parameters: ParameterValues | undefined;
}

/** Errors and Stop roll everything back. */
export function* startDryRun(
  database: DatabaseSession,
  window: WindowSession,
  turn: Turn,
  { sql, origin, parameters }: DryRunText,
): Generator<Pause, DryRunReply> {
  const { connection } = turn;
  assertNoTransaction(connection);
  const started = performance.now();
  const schemaBefore = schemaVersion(connection);
  const changesBefore = connection.totalChanges;
  connection.run('BEGIN IMMEDIATE');
  let whole = false;
  try {
    const statements = yield* runAll(turn, sql, parameters);
    const schema = schemaVersion(connection) !== schemaBefore;
    const log = connection.openLog;
    const tables = log ? countsOf(log.tables, virtualTablesIn(connection, log.tables, null)) : [];
    // Of rows beyond the log, only the number is known.
    const rows = log
      ? tables.reduce((sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted, 0)
      : connection.totalChanges - changesBefore;
    dryRuns.set(database, { window, origin, pages: null, assertUnchanged: null });
    whole = true;
    return { tables, rows, statements, timeMs: performance.now() - started, schema };
  } catch (error) {
    throw rolledBack(error);
  } finally {
    if (!whole && !connection.autocommit) connection.run('ROLLBACK');
  }
}

/**
 * Makes the open transaction a dry run of `window`. To commit exactly what was reviewed, the commit is refused once other SQL has run in
 * it. Changed rows are not listed.
 */
export function holdAsDryRun(
  database: DatabaseSession,
  window: WindowSession,
  connection: Connection,
  origin: WorkOrigin,
): void {
  const stand = (): string => `${connection.totalChanges} ${connection.rollbacks} ${schemaVersion(connection)}`;
  const checked = stand();
  const assertUnchanged = (): void => {
    if (stand() === checked) return;
    throw new AppError({
      code: 'conflict',
      ...inParts(
        'Something else was run in this transaction after it was checked, so it cannot be kept.',
        'Discard it and make the change again.',
      ),
    });
  };
  dryRuns.set(database, { window, origin, pages: null, assertUnchanged });
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
  const run = openRun(database, window, connection);
  if (keep) run.assertUnchanged?.();
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
  throw new AppError({
    code: 'not-found',
    message: 'This dry run is over: its transaction was already committed or rolled back.',
  });
}

function* runAll(turn: Turn, sql: string, parameters: ParameterValues | undefined): Generator<Pause, number> {
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
      if (turn.stopRequested) throw new AppError({ code: 'stopped', message: 'Stopped.' });
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
