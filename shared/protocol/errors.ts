// Errors as plain data: the only form in which a failure crosses a port, and the class it is rebuilt as.

/** The closed set of failures. A new kind of failure gets a new code here, never a string to be sniffed. */
export type ErrorCode =
  | 'sql' // SQLite refused the statement; `sqlite` says why and where
  | 'constraint' // a constraint would have been broken; nothing was changed
  | 'conflict' // the row changed since it was read; nothing was changed
  | 'not-found' // the database, table, row, reader or file is not there (any more)
  | 'exists' // the name is taken
  | 'not-a-database' // the file is not an SQLite database (or is encrypted)
  | 'corrupt' // SQLite found a malformed page
  | 'too-new' // a file format newer than this SQLite reads
  | 'transaction-elsewhere' // another window holds an open transaction; `detail` names it
  | 'library-elsewhere' // another tab or process owns the library
  | 'measuring-elsewhere' // another window measures; `detail` names it
  | 'locked' // another program holds a lock on the file; nothing was changed
  | 'full' // disk, quota, pool handles or memory exhausted
  | 'too-big' // a value or result beyond SQLite's or this machine's limits
  | 'not-undoable' // it could not be taken back later, and the person has not agreed to that; nothing was changed
  | 'stopped' // stopped on request
  | 'disconnected' // the other side of the port went away; the unfinished work was rolled back
  | 'io' // the file system said no
  | 'invalid' // the request itself made no sense
  | 'refused' // the window does not ask for it, and says why; nothing was changed
  | 'unavailable' // this runtime or engine cannot do it
  | 'internal'; // a defect of ours

/** SQLite's own account of a failure. */
export interface SqliteFailure {
  /** Primary result code (sqlite.org/rescode.html), for example 19 for SQLITE_CONSTRAINT. */
  readonly result: number;
  /** Extended result code, for example 2067 for SQLITE_CONSTRAINT_UNIQUE. */
  readonly extended: number;
  /** UTF-16 offset into the SQL text that was sent, or -1 when SQLite does not know. */
  readonly offset: number;
}

export interface ErrorData {
  readonly code: ErrorCode;
  /** A whole sentence for a person: what happened, what was kept, what to do. */
  readonly message: string;
  /** `message` without its last sentence, for places that say themselves what was kept or what to do; missing: it is one piece. */
  readonly what?: string;
  readonly sqlite?: SqliteFailure;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
}

/** {@link ErrorData} as an exception. */
export class AppError extends Error implements ErrorData {
  readonly code: ErrorCode;
  readonly what?: string;
  readonly sqlite?: SqliteFailure;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;

  constructor(data: ErrorData) {
    super(data.message);
    this.name = 'AppError';
    this.code = data.code;
    if (data.what !== undefined) this.what = data.what;
    if (data.sqlite) this.sqlite = data.sqlite;
    if (data.detail) this.detail = data.detail;
  }
}

/** The parts of an error's message: what happened, and a last sentence that some places replace by their own. */
export const inParts = (what: string, last: string): Pick<ErrorData, 'message' | 'what'> => ({
  message: `${what} ${last}`,
  what,
});

/** What happened, in words, without what was kept or what to do where that can be told apart. */
export const whatHappened = ({ message, what }: ErrorData): string => what ?? message;

/** Anything thrown, as an {@link AppError}: one stays as it is, and what nobody knows becomes `internal`. */
export function toAppError(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : new AppError(toErrorData(thrown));
}

/** Anything thrown, as data that survives structured clone. Unknown throwables become `internal`. */
export function toErrorData(thrown: unknown): ErrorData {
  if (thrown instanceof AppError) {
    return {
      code: thrown.code,
      message: thrown.message,
      ...(thrown.what !== undefined && { what: thrown.what }),
      ...(thrown.sqlite && { sqlite: thrown.sqlite }),
      ...(thrown.detail && { detail: thrown.detail }),
    };
  }
  if (isSystemError(thrown)) return { code: 'io', message: refusalOfSystem(thrown) };
  return {
    code: 'internal',
    message: `Something went wrong inside Sidelite (${textOf(thrown)}). Your data was not changed.`,
  };
}

/** Objects without a prototype, for example, have no text: asking for it throws. */
function textOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  } catch {
    return typeof thrown;
  }
}

/** Of Node: a system call failed, which is no fault of ours. */
function isSystemError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && 'syscall' in thrown && 'errno' in thrown;
}

export function refusalOfSystem({ message }: Error): string {
  return `The file system reported an error (${message}). Committed data is kept.`;
}
