// Runs one statement on the server, in the form in which its values can come back.
import { AppError } from '#shared/protocol/errors.ts';
import { tokenProblemOf } from '#shared/protocol/remote.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { RemoteSql, StatementResult } from '../hrana/messages.ts';
import { RESPONSE_TOO_LARGE } from '../runtime/server-error.ts';
import type { Effect, ServerSession } from '../session/server-session.ts';
import { carefulRows, columnsChanged, Infinite, rowsOfCursor, rowsOfReply, type RemoteRows } from './remote-rows.ts';
import type { Ran, RemoteStatement } from './remote-statement.ts';
import { carefulText } from './remote-text.ts';

const EFFECTS: Readonly<Record<string, Effect>> = {
  begin: 'begin', savepoint: 'begin', commit: 'commit', rollback: 'rollback', release: 'release', insert: 'write',
  update: 'write', delete: 'write', create: 'write', drop: 'write', alter: 'write', analyze: 'write', reindex: 'write',
}; // prettier-ignore

interface Result {
  readonly ran: Ran;
  readonly lastInsertRowid: number | bigint | null;
}

/** @throws AppError */
export function runStatement(session: ServerSession, statement: RemoteStatement, params: readonly Value[]): Result {
  const { shape, columnCount } = statement;
  const sql = session.bind(statement, params);
  const effect = statement.readonly && statement.control === null ? 'read' : (EFFECTS[shape.verb] ?? 'other');
  const isQuery = effect === 'read' && shape.verb === 'read';
  try {
    let result = session.run(sql, effect);
    // A server may prepare a query before it notices that the schema has changed: what the next one says counts.
    if (isQuery && isOtherShape(result, columnCount)) result = session.run(sql, effect);
    const { last_insert_rowid: rowid } = result;
    return {
      ran: { rows: rowsOf(result, statement), changes: result.affected_row_count, rowsRead: result.rows_read },
      lastInsertRowid: rowid === null || rowid === undefined ? null : asNumber(BigInt(rowid)),
    };
  } catch (error) {
    const rows = isQuery ? readOtherwise(session, sql, columnCount, error) : readSetting(session, statement, error);
    if (rows !== null) return { ran: { rows, changes: 0, rowsRead: undefined }, lastInsertRowid: null };
    if (error instanceof Infinite) throw infinityReturned();
    throw error;
  }
}

export const asNumber = (value: bigint): number | bigint =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value;

const isOtherShape = ({ cols, rows }: StatementResult, columnCount: number): boolean =>
  rows.length > 0 && cols.length !== columnCount;

function rowsOf(result: StatementResult, { columnCount, shape }: RemoteStatement): RemoteRows {
  const { rows } = result;
  if (isOtherShape(result, columnCount)) {
    // Settings answer with a row where SQLite's own documentation has none.
    if (shape.verb === 'pragma') return rowsOfReply([], columnCount);
    throw columnsChanged();
  }
  return rowsOfReply(rows, columnCount);
}

/** Reads the rows of a failed reply again, in a form that JSON can carry, or without a limit of size. Null when that does not help. */
function readOtherwise(session: ServerSession, sql: RemoteSql, columnCount: number, error: unknown): RemoteRows | null {
  if (error instanceof Infinite || isNotUnicode(error)) {
    const again = carefulText(sql, columnCount);
    try {
      return carefulRows(rowsOfReply(session.run(again, 'read').rows, 2 * columnCount));
    } catch (failure) {
      return isTooLarge(failure) && session.canUseCursor
        ? carefulCursor(session, sql, columnCount, 0)
        : rethrow(failure);
    }
  }
  if (!isTooLarge(error) || !session.canUseCursor) return null;
  return rowsOfCursor(session.cursor(sql), columnCount, (from) => carefulCursor(session, sql, columnCount, from));
}

/** Settings that do nothing when they are called without a value. */
const HARMLESS: ReadonlySet<string> = new Set([
  'application_id', 'auto_vacuum', 'cache_size', 'collation_list', 'data_version', 'foreign_key_check', 'foreign_keys', 'freelist_count',
  'integrity_check', 'journal_mode', 'page_count', 'page_size', 'query_only', 'quick_check', 'recursive_triggers', 'secure_delete',
  'synchronous', 'temp_store', 'user_version',
]); // prettier-ignore

/** `sqld` rejects most pragmas with a token for reading, but allows them to be called as functions. Null when that does not help. */
function readSetting(session: ServerSession, { sql, columnCount }: RemoteStatement, error: unknown): RemoteRows | null {
  if (!(error instanceof AppError) || tokenProblemOf(error) !== 'forbids' || error.detail?.['kind'] !== 'status')
    return null;
  const name = /^PRAGMA\s+(\w+)$/i.exec(sql)?.[1]?.toLowerCase() ?? '';
  if (!HARMLESS.has(name)) return null;
  const { rows } = session.run({ sql: `SELECT * FROM pragma_${name}`, args: [], wantRows: true }, 'read');
  return rowsOfReply(rows, columnCount);
}

function carefulCursor(session: ServerSession, sql: RemoteSql, columnCount: number, from: number): RemoteRows {
  const again = carefulText(sql, columnCount);
  const rest = from === 0 ? again : { ...again, sql: `${again.sql} LIMIT -1 OFFSET ${from}` };
  const never = (): never => rethrow(infinityReturned());
  return carefulRows(rowsOfCursor(session.cursor(rest), 2 * columnCount, never));
}

function rethrow(error: unknown): never {
  throw error;
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof AppError && error.detail?.['server'] === RESPONSE_TOO_LARGE;

/** SQLite keeps text that is not valid UTF-8; the server fails on the whole result. */
const isNotUnicode = (error: unknown): boolean => error instanceof AppError && error.detail?.['isNotUnicode'] === true;

const infinityReturned = (): AppError =>
  AppError.unavailable(
    'The statement was run, but a value that it returned is infinite and cannot be shown. Read the rows to see it.',
  );
