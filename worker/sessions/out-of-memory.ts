// Explains what to do when memory is used up: which databases hold memory that only the user can free, and how.
import { AppError } from '#shared/protocol/errors.ts';

/** SQLITE_NOMEM */
const NO_MEMORY = 7;
const NAMED = 3;
/** Freeing less than this is not worth closing anything. */
const WORTH_NAMING_BYTES = 4 * 2 ** 20;

/** A database that is open and must stay so. */
export interface MemoryHolder {
  readonly name: string;
  readonly use: DatabaseUse;
  /** Null where the engine cannot tell. */
  readonly bytes: number | null;
}

/** `own`: TEMP tables, or settings that the user's SQL has made. `shown`: a window shows it. `used`: something else needs it. */
export type DatabaseUse = 'running' | 'transaction' | 'own' | 'shown' | 'used';

const ADVICE: Readonly<Record<DatabaseUse, (name: string) => string>> = {
  running: (name) => `stop what is running in ${name}`,
  transaction: (name) => `commit or roll back the open transaction in ${name}`,
  own: (name) => `drop the TEMP tables in ${name} or close it in the library`,
  shown: (name) => `close ${name} in the library`,
  used: (name) => `close ${name} in the library`,
};

const advised = new WeakSet<AppError>();

/** Memory was used up, and the error does not have advice yet. */
export const isOutOfMemory = (thrown: unknown): thrown is AppError =>
  thrown instanceof AppError && thrown.sqlite?.result === NO_MEMORY && !advised.has(thrown);

/** The result of asking all databases to release memory. */
export interface MadeRoom {
  readonly freedBytes: number;
  /** The databases that still hold memory. */
  readonly holders: readonly MemoryHolder[];
}

/** Returns the same error with advice. */
export function withAdvice(error: AppError, { freedBytes, holders }: MadeRoom): AppError {
  const named = holders
    .filter(({ use, bytes }) => use === 'running' || use === 'transaction' || (bytes ?? Infinity) >= WORTH_NAMING_BYTES)
    .sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0))
    .slice(0, NAMED)
    .map(({ name, use, bytes }) => ADVICE[use](`“${name}”${sizeLabel(bytes)}`));
  const better = new AppError({
    code: error.code,
    message: `${error.message} ${adviceOf(named, freedBytes)}`,
    ...(error.sqlite && { sqlite: error.sqlite }),
    ...(error.detail && { detail: error.detail }),
  });
  advised.add(better);
  return better;
}

function adviceOf(named: readonly string[], freedBytes: number): string {
  if (named.length > 0) return `All open databases share it. To make room, ${named.join('; ')}. Then try again.`;
  if (freedBytes >= WORTH_NAMING_BYTES)
    return `The other open databases have released ${Math.round(freedBytes / 1e6)} MB: try again.`;
  return 'No other database holds much of it, so this alone needs more than is available: request fewer rows or smaller values at a time, or sort by a column that has an index.';
}

function sizeLabel(bytes: number | null): string {
  return bytes === null || bytes < WORTH_NAMING_BYTES ? '' : ` (${Math.round(bytes / 1e6)} MB)`;
}
