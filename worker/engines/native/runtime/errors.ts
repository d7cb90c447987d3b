// Turns what better-sqlite3 throws into errors a person can read: which constraint, where in the text, what was kept.
import { AppError, inParts, refusalOfSystem } from '#shared/protocol/errors.ts';
import type { ErrorCode, ErrorData, SqliteFailure } from '#shared/protocol/errors.ts';
import { closedError } from '../../engine-errors.ts';
import { describeConstraint } from '../../constraint-error.ts';
import { describeSql, shortMessage } from '../../sql-message.ts';
import { resultCodes } from './result-codes.ts';

export interface Circumstances {
  /** UTF-16 offset of the error in the text that was sent, or -1. */
  readonly offset?: number;
  /** SQLite ended the open transaction because of this failure. */
  readonly rolledBack?: boolean;
  /** Who holds the file, in words, when something was locked. */
  readonly holders?: () => string | null;
}

/** Primary result codes (sqlite.org/rescode.html) that mean something to us. */
const Result = { busy: 5, locked: 6, readOnly: 8, ioError: 10, cannotOpen: 14, constraint: 19 } as const;
/** Extended result codes. */
const Extended = { busySnapshot: 517, readOnlyMoved: 1032, readOnlyDirectory: 1544, ioDeleteNoEntry: 5898 } as const;

const SENTENCES: Readonly<Partial<Record<number, readonly [ErrorCode, string]>>> = {
  [Result.locked]: ['unavailable', 'Something is still reading this database. Try again in a moment.'],
  7: ['full', 'There is not enough memory for this.'],
  9: ['stopped', 'Stopped.'],
  11: ['corrupt', 'The database file is damaged: SQLite found a malformed page.'],
  13: ['full', 'The disk is full. Free some space and try again.'],
  18: ['too-big', 'A value is larger than this engine supports (512 MB), or the statement is too long.'],
  23: ['unavailable', 'This is not allowed here.'],
  25: ['invalid', 'There are more values than the statement has parameters.'],
  26: ['not-a-database', 'The file is not an SQLite database, or it is encrypted.'],
};

/** @param thrown whatever better-sqlite3 threw; an AppError stays as it is */
export function nativeError(thrown: unknown, circumstances: Circumstances = {}): AppError {
  if (thrown instanceof AppError) return thrown;
  if (!(thrown instanceof Error)) throw thrown;
  if (!('code' in thrown) || typeof thrown.code !== 'string') return ownError(thrown);
  // Errors of the file system: ENOENT, EACCES.
  if (!/^(?:SQLITE|UNKNOWN_SQLITE)_/.test(thrown.code)) return AppError.io(refusalOfSystem(thrown));
  const message = shortMessage(thrown.message);
  const extended = resultCodes.get(thrown.code) ?? Number(/\d{1,9}$/.exec(thrown.code)?.[0] ?? 1);
  const failure: SqliteFailure = { result: extended & 0xff, extended, offset: circumstances.offset ?? -1 };
  const rolledBack = circumstances.rolledBack === true ? 'The open transaction was rolled back.' : undefined;
  if (failure.result === Result.constraint) {
    const { text, detail } = describeConstraint(extended, message);
    return AppError.constraint(inParts(text, rolledBack ?? 'Nothing was changed.'), { sqlite: failure, detail });
  }
  const [code, told] = describe(failure, message, circumstances);
  const parts = rolledBack === undefined ? {} : inParts(told.message, rolledBack);
  return new AppError({ code, ...told, ...parts, sqlite: failure });
}

type Told = Pick<ErrorData, 'message' | 'what' | 'detail'>;

function describe(failure: SqliteFailure, message: string, { holders }: Circumstances): readonly [ErrorCode, Told] {
  if (isNewerFormat(message)) {
    return ['too-new', { message: 'The file was written by a newer version of SQLite and cannot be read.' }];
  }
  switch (failure.result) {
    case Result.busy:
      return ['locked', { message: describeLock(failure.extended, holders?.() ?? null) }];
    case Result.readOnly:
      return ['unavailable', describeReadOnly(failure.extended)];
    case Result.ioError:
    case Result.cannotOpen:
      return ['io', { message: describeIo(failure.extended, message) }];
    default: {
      const known = SENTENCES[failure.result];
      return known ? [known[0], { message: known[1] }] : ['sql', describeSql(message)];
    }
  }
}

function describeLock(extended: number, holders: string | null): string {
  if (extended === Extended.busySnapshot) {
    return 'Another program wrote to this file after this transaction had begun to read it. Roll back and try again.';
  }
  return `Another program is using this file${holders === null ? '' : ` (${holders})`}. Nothing was changed. Try again when it is done.`;
}

function describeReadOnly(extended: number): Told {
  if (extended === Extended.readOnlyMoved) {
    return { message: 'The file was moved or replaced while it was open. Nothing was changed. Open it again.' };
  }
  if (extended === Extended.readOnlyDirectory) {
    return inParts(
      'The folder of this file cannot be written to, and SQLite needs to keep a journal there.',
      'Nothing was changed.',
    );
  }
  return inParts('This file is read-only.', 'Nothing was changed.');
}

function describeIo(extended: number, message: string): string {
  if (extended === Extended.ioDeleteNoEntry)
    return 'The journal next to the file disappeared. Committed data is kept. Open the file again.';
  if ((extended & 0xff) === Result.cannotOpen) {
    return 'The file, or a file that SQLite keeps next to it, cannot be opened. Committed data is kept.';
  }
  return `The file system reported an error (${message}, code ${extended}). Committed data is kept.`;
}

/** Refusals of better-sqlite3 itself. */
function ownError({ name, message }: Error): AppError {
  if (isClosed(message)) return closedError();
  if (isTooBig(message)) return AppError.tooBig('A value is larger than this engine supports (512 MB).');
  return AppError.internal(
    inParts(`The native engine reported an error (${name}: ${message}).`, 'Nothing was changed.'),
  );
}

// Facts that only the messages of SQLite and better-sqlite3 give: besides `error-offset.ts` the one place of this engine where they are
// read.

/* oxlint-disable sidelite/text-decisions -- others' messages, without any code beside them */

/** SQLite (src/btree.c) answers SQLITE_NOTADB or SQLITE_ERROR, as for other reasons. */
const isNewerFormat = (message: string): boolean => message.startsWith('unsupported file format');

/** better-sqlite3 throws a TypeError, as for other mistakes. */
const isClosed = (message: string): boolean => message.includes('connection is not open');

/** better-sqlite3 throws a RangeError, as for other mistakes. */
const isTooBig = (message: string): boolean => message.includes('too big');
