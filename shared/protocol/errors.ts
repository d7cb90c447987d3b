// Errors as plain data, the only form in which a failure crosses a port, and the class that is rebuilt from it.
import type { Value } from './values.ts';

/** The closed set of failures. A new kind of failure gets a new code here; never parse messages to tell failures apart. */
export type ErrorCode =
  | 'sql' // SQLite refused the statement; `sqlite` says why and where
  | 'constraint' // a constraint would have been broken; nothing was changed
  | 'conflict' // the row changed since it was read; nothing was changed
  | 'not-found' // the database, table, row, reader or file does not exist (any more)
  | 'exists' // the name is taken
  | 'not-a-database' // the file is not an SQLite database (or is encrypted)
  | 'corrupt' // SQLite found a malformed page
  | 'too-new' // the file format is newer than this SQLite can read
  | 'transaction-elsewhere' // another window holds an open transaction; `detail` names it
  | 'library-elsewhere' // another tab or process owns the library
  | 'measuring-elsewhere' // another window is measuring; `detail` names it
  | 'locked' // another program holds a lock on the file; nothing was changed
  | 'full' // disk, quota, pool handles or memory exhausted
  | 'too-big' // a value or result beyond SQLite's or this machine's limits
  | 'not-undoable' // the change could not be undone later, and the user has not agreed to that; nothing was changed
  | 'stopped' // stopped on request
  | 'disconnected' // the other side of the port went away; the unfinished work was rolled back
  | 'io' // the file system reported an error
  | 'invalid' // the request itself made no sense
  | 'refused' // the window does not allow it, and says why; nothing was changed
  | 'unavailable' // this runtime or engine cannot do it
  | 'internal'; // a bug in Sidelite

/** SQLite's own description of a failure. */
export interface SqliteFailure {
  /** Primary result code (sqlite.org/rescode.html), for example 19 for SQLITE_CONSTRAINT. */
  readonly result: number;
  /** Extended result code, for example 2067 for SQLITE_CONSTRAINT_UNIQUE. */
  readonly extended: number;
  /** UTF-16 offset into the SQL text that was sent, or -1 when SQLite does not know. */
  readonly offset: number;
}

/** Rows of one table that refer to a row, by one foreign key. */
export interface ReferringRows {
  readonly table: string;
  readonly columns: readonly string[];
  /** Values that these columns have in those rows. */
  readonly values: readonly Value[];
  readonly rows: number;
}

export interface ErrorData {
  readonly code: ErrorCode;
  /** A full sentence for the user: what happened, what was kept, what to do. */
  readonly message: string;
  /** `message` without its last sentence, for places that say themselves what was kept or what to do; missing if the message cannot be split. */
  readonly what?: string;
  readonly sqlite?: SqliteFailure;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
  /** The rows because of which a foreign key does not allow a change of the row that these rows refer to. */
  readonly referring?: readonly ReferringRows[];
}

/** {@link ErrorData} as an exception. */
export class AppError extends Error implements ErrorData {
  // What {@link ErrorCode} lists.
  static readonly conflict = withMessage('conflict');
  static readonly constraint = withMessage('constraint');
  static readonly corrupt = withMessage('corrupt');
  static readonly disconnected = withMessage('disconnected');
  static readonly exists = withMessage('exists');
  static readonly full = withMessage('full');
  static readonly internal = withMessage('internal');
  static readonly invalid = withMessage('invalid');
  static readonly io = withMessage('io');
  static readonly locked = withMessage('locked');
  static readonly notADatabase = withMessage('not-a-database');
  static readonly notFound = withMessage('not-found');
  static readonly notUndoable = withMessage('not-undoable');
  static readonly refused = withMessage('refused');
  static readonly sql = withMessage('sql');
  static readonly stopped = withMessage('stopped');
  static readonly tooBig = withMessage('too-big');
  static readonly tooNew = withMessage('too-new');
  static readonly unavailable = withMessage('unavailable');

  readonly code: ErrorCode;
  readonly what?: string;
  readonly sqlite?: SqliteFailure;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
  readonly referring?: readonly ReferringRows[];

  constructor(data: ErrorData) {
    super(data.message);
    this.name = 'AppError';
    this.code = data.code;
    if (data.what !== undefined) this.what = data.what;
    if (data.sqlite) this.sqlite = data.sqlite;
    if (data.detail) this.detail = data.detail;
    if (data.referring) this.referring = data.referring;
  }
}

/** The parts of an error's message: what happened, and a last sentence that some places replace with their own. */
export const inParts = (what: string, last: string): Pick<ErrorData, 'message' | 'what'> => ({
  message: `${what} ${last}`,
  what,
});

type Message = string | ReturnType<typeof inParts>;

type MoreFacts = Omit<ErrorData, 'code' | keyof ReturnType<typeof inParts>>;

/** Makes errors of one kind. */
function withMessage(code: ErrorCode): (message: Message, more?: MoreFacts) => AppError {
  return (message, more) => new AppError({ code, ...(typeof message === 'string' ? { message } : message), ...more });
}

/** @throws AppError always */
export function fail(code: ErrorCode, message: Message): never {
  throw withMessage(code)(message);
}

/** What happened, without what was kept or what to do, if the message can be split. */
export const whatHappened = ({ message, what }: ErrorData): string => what ?? message;

/** Converts anything thrown to an {@link AppError}: an AppError is returned unchanged, an unknown error becomes `internal`. */
export function toAppError(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : new AppError(toErrorData(thrown));
}

/** Converts anything thrown to data that survives structured clone. Unknown errors become `internal`. */
export function toErrorData(thrown: unknown): ErrorData {
  if (thrown instanceof AppError) {
    return {
      code: thrown.code,
      message: thrown.message,
      ...(thrown.what !== undefined && { what: thrown.what }),
      ...(thrown.sqlite && { sqlite: thrown.sqlite }),
      ...(thrown.detail && { detail: thrown.detail }),
      ...(thrown.referring && { referring: thrown.referring }),
    };
  }
  if (isSystemError(thrown)) return { code: 'io', message: refusalOfSystem(thrown) };
  return {
    code: 'internal',
    message: `Something went wrong inside Sidelite (${textOf(thrown)}). Your data was not changed.`,
  };
}

/** Converting some objects to text throws, for example those without a prototype. */
function textOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  } catch {
    return typeof thrown;
  }
}

/** A Node system error: a system call failed, which is not a bug in Sidelite. */
function isSystemError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && 'syscall' in thrown && 'errno' in thrown;
}

export function refusalOfSystem({ message }: Error): string {
  return `The file system reported an error (${message}). Committed data is kept.`;
}
