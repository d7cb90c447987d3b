// The error of a run, with its position in the whole text and what was done before it.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { explainMissing } from '../schema/missing-name.ts';
import type { TextRange } from '#shared/split-statements.ts';

/** State of a run when it ended. */
interface RunState {
  /** The whole text. */
  readonly sql: string;
  /** Start of the part that ran. */
  readonly start: number;
  /** The statement that failed: its range in that part. Null if none had begun. */
  readonly failed: (TextRange & { readonly readonly?: boolean }) | null;
  /** How many statements and results came before. */
  readonly statement: number;
  readonly results: number;
  /** A transaction was open before the statement. */
  readonly wasOpen: boolean;
}

export function locatedError(connection: Connection, thrown: unknown, state: RunState): unknown {
  if (!(thrown instanceof AppError)) return thrown;
  const { sql, start, failed, statement, results, wasOpen } = state;
  const error = explainMissing(connection, thrown, sql.slice(start), failed);
  const offset = error.sqlite && error.sqlite.offset >= 0 ? error.sqlite.offset + start : -1;
  const inWrite = failed?.readonly === false;
  return new AppError({
    code: error.code,
    message:
      error.code === 'stopped'
        ? stoppedSentence({ wasOpen, isOpen: !connection.autocommit, before: statement, inWrite })
        : error.message,
    ...(error.sqlite && { sqlite: { ...error.sqlite, offset } }),
    detail: {
      ...error.detail,
      statement,
      results,
      ...(failed && { from: start + failed.from, to: start + failed.to }),
    },
  });
}

interface Stop {
  /** Whether a transaction was open before the statement; `isOpen`: after it. */
  readonly wasOpen: boolean;
  readonly isOpen: boolean;
  /** Statements of the same run that had ended. */
  readonly before: number;
  /** False between two statements, too. */
  readonly inWrite: boolean;
}

/** Describes what Stop did to the statement, to those before it and to an open transaction (sqlite.org/c3ref/interrupt.html). */
function stoppedSentence({ wasOpen, isOpen, before, inWrite }: Stop): string {
  if (wasOpen && !isOpen)
    return 'Stopped in the middle of a write, so SQLite rolled back the whole open transaction. None of it was kept.';
  if (isOpen)
    return 'Stopped. The transaction is still open, with everything done in it so far: COMMIT or ROLLBACK ends it.';
  const own = inWrite ? ' Nothing of this statement was kept.' : '';
  if (before === 0) return `Stopped.${own}`;
  return `Stopped.${own} ${before === 1 ? 'The statement before it is kept' : `The ${before} statements before it are kept`}.`;
}
