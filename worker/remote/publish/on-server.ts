// Statements of a publication on the server besides rows: groups of statements, each in one transaction, and reads of what is there.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { Connection } from '../../engines/engine.ts';
import { unless, type BoundSql, type StatementOutcome } from '../../engines/guarded-write.ts';
import { quoteName } from '../../sql/quote.ts';

/** Why a statement failed; null if it has run, undefined if it was not reached. */
export type Ran = AppError | null | undefined;

function errorOf(outcome: StatementOutcome): Ran {
  if (outcome.kind === 'failed') return outcome.error;
  return outcome.kind === 'ran' ? null : undefined;
}

/** Statements of one request: servers limit its size. */
const MAX_STATEMENTS = 200;
const MAX_CHARACTERS = 1 << 19;

/** Excludes objects that SQLite and libSQL make for themselves. */
const IS_OURS = "name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'libsql\\_%' ESCAPE '\\'";

export const plain = (sql: string): BoundSql => ({ sql, params: [] });

/** Fails unless the database is empty. */
export const ASSERT_EMPTY = unless(`NOT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE ${IS_OURS})`);

export interface ServerObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/** Takes one or two round trips. */
export function objectsOnServer(connection: Connection): readonly ServerObject[] {
  // The schema is known to differ from the local copy only after a reply.
  void connection.dataVersion;
  const rows = connection.all(`SELECT type, name, sql FROM main.sqlite_schema WHERE ${IS_OURS} ORDER BY rowid`);
  return rows.map(([type, name, sql]) => ({
    type: String(type),
    name: String(name),
    sql: typeof sql === 'string' ? sql : null,
  }));
}

export const IS_OURS_SQL = IS_OURS;

/** All of them or none, in one transaction. Returns the outcome of each; null where all were saved. @throws AppError */
export function runAll(connection: Connection, statements: readonly BoundSql[]): readonly Ran[] | null {
  connection.beginWithoutForeignKeys();
  try {
    const ran = runSome(connection, statements, false);
    if (ran.some((error) => error !== null)) return ran;
    connection.run('COMMIT');
    return null;
  } finally {
    rollBack(connection);
  }
}

/** Runs them and rolls all of them back. Returns the outcome of each. @throws AppError */
export function tryAll(connection: Connection, statements: readonly BoundSql[]): readonly Ran[] {
  connection.beginWithoutForeignKeys();
  try {
    return runSome(connection, statements, true);
  } finally {
    rollBack(connection);
  }
}

function runSome(connection: Connection, statements: readonly BoundSql[], goOn: boolean): readonly Ran[] {
  if (!connection.runInTransaction) throw notAServer();
  const ran: Ran[] = [];
  for (let from = 0; from < statements.length;) {
    let characters = 0;
    let to = from;
    while (to < statements.length && to - from < MAX_STATEMENTS && characters < MAX_CHARACTERS)
      characters += statements[to++]!.sql.length;
    ran.push(...connection.runInTransaction(statements.slice(from, to), goOn).map(errorOf));
    if (!goOn && ran.some((error) => error !== null)) break;
    from = to;
  }
  return ran;
}

/** The statement that ended the transaction throws the error itself. */
export function rollBack(connection: Connection): void {
  if (connection.autocommit) return;
  try {
    connection.run('ROLLBACK');
  } catch (error) {
    if (!connection.autocommit) throw error;
  }
}

export function countOnServer(connection: Connection, table: string): number {
  return Number(connection.one(`SELECT count(*) FROM main.${quoteName(table)}`)![0]);
}

const notAServer = (): AppError =>
  AppError.unavailable(
    inParts('This database is not on a server that runs several statements in one request.', 'Nothing was changed.'),
  );
