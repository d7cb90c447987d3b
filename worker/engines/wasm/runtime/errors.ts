// SQLite's result codes as errors a person can read: which constraint, where in the text, what was kept.
import { AppError, inParts, type ErrorCode, type SqliteFailure } from '#shared/protocol/errors.ts';
import { describeConstraint } from '../../constraint-error.ts';
import type { Sqlite } from './load.ts';
import { isNewerFormat, isFailedWrite, isPoolFull } from './message-facts.ts';
import { Result, type Pointer } from './raw.ts';
import { describeSql, shortMessage } from '../../sql-message.ts';

export interface Circumstances {
  /** UTF-16 offset of the error in the text that was sent, or -1. */
  readonly offset?: number;
  /** Why our authorizer refused, when it did. */
  readonly refusal?: string | null;
  /** SQLite ended the open transaction because of this failure. */
  readonly rolledBack?: boolean;
}

const SENTENCES: Readonly<Partial<Record<number, readonly [ErrorCode, string]>>> = {
  [Result.busy]: ['unavailable', 'The database is already open elsewhere.'],
  [Result.locked]: ['unavailable', 'Something is still reading this database. Try again in a moment.'],
  [Result.noMemory]: ['full', 'There is not enough memory for this.'],
  [Result.readOnly]: ['unavailable', 'This database is read-only.'],
  [Result.interrupt]: ['stopped', 'Stopped.'],
  [Result.corrupt]: ['corrupt', 'The database file is damaged: SQLite found a malformed page.'],
  [Result.full]: ['full', 'The disk, or the space this app may use on it, is full. Free some space and try again.'],
  [Result.tooBig]: ['too-big', 'A value is larger than SQLite can store (about 1 GB), or the statement is too long.'],
  [Result.notADatabase]: ['not-a-database', 'The file is not an SQLite database, or it is encrypted.'],
  [Result.range]: ['invalid', 'There are more values than the statement has parameters.'],
  [Result.auth]: ['unavailable', 'This is not allowed here.'],
};

/** The error for result code `code` that a call on `db` has just answered. Ask before any other call on `db`. */
export function sqliteError(sqlite: Sqlite, db: Pointer, code: number, circumstances: Circumstances = {}): AppError {
  const message = shortMessage(sqlite.heap.text(sqlite.raw.sqlite3_errmsg(db)));
  const failure: SqliteFailure = { result: code & 0xff, extended: code, offset: circumstances.offset ?? -1 };
  const rolledBack = circumstances.rolledBack === true ? 'The open transaction was rolled back.' : undefined;
  const told = (what: string) => (rolledBack === undefined ? { message: what } : inParts(what, rolledBack));
  if (failure.result === Result.ioError || failure.result === Result.cannotOpen)
    return storageError(sqlite, code, rolledBack);
  if (failure.result === Result.constraint) {
    const { text, detail } = describeConstraint(code, message);
    return AppError.constraint(inParts(text, rolledBack ?? 'Nothing was changed.'), { sqlite: failure, detail });
  }
  if (failure.result === Result.auth && circumstances.refusal) {
    return AppError.unavailable(circumstances.refusal, { sqlite: failure });
  }
  if (isNewerFormat(message)) {
    return AppError.tooNew('The file was written by a newer version of SQLite and cannot be read.', {
      sqlite: failure,
    });
  }
  const known = SENTENCES[failure.result];
  if (known !== undefined) return new AppError({ code: known[0], ...told(known[1]), sqlite: failure });
  const facts = describeSql(message);
  return new AppError({ code: 'sql', ...facts, ...told(facts.message), sqlite: failure });
}

/** Makes the error for a failure with result code `extended` of the file layer, told apart by the exception behind it. */
export function storageError(sqlite: Sqlite, extended: number, kept = 'Nothing was changed.'): AppError {
  const failure = sqlite.storageFailure.take();
  const details = { result: extended & 0xff, extended, offset: -1 };
  if (failure && (failure.name === 'QuotaExceededError' || isFailedWrite(failure))) {
    return AppError.full(
      `The disk, or the space this app may use on it, is full. ${kept} Free some space and try again.`,
      { sqlite: details },
    );
  }
  if (failure && isPoolFull(failure)) {
    return AppError.full('All file handles of the library are in use. Close a database and try again.', {
      sqlite: details,
    });
  }
  const reason = failure === null ? `code ${extended}` : failure.message;
  return AppError.io(`The file system reported an error (${reason}). Committed data is kept.`, { sqlite: details });
}
