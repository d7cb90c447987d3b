// Describes what Stop did to the statement, to those before it and to an open transaction (sqlite.org/c3ref/interrupt.html).

export interface Stop {
  /** Whether a transaction was open before the statement; `isOpen`: after it. */
  readonly wasOpen: boolean;
  readonly isOpen: boolean;
  /** Statements of the same run that had ended. */
  readonly before: number;
  /** False between two statements, too. */
  readonly inWrite: boolean;
}

export function stoppedSentence({ wasOpen, isOpen, before, inWrite }: Stop): string {
  if (wasOpen && !isOpen)
    return 'Stopped in the middle of a write, so SQLite rolled back the whole open transaction. None of it was kept.';
  if (isOpen)
    return 'Stopped. The transaction is still open, with everything done in it so far: COMMIT or ROLLBACK ends it.';
  const own = inWrite ? ' Nothing of this statement was kept.' : '';
  if (before === 0) return `Stopped.${own}`;
  return `Stopped.${own} ${before === 1 ? 'The statement before it is kept' : `The ${before} statements before it are kept`}.`;
}
