// The history's record of a piece of work: its title, its SQL, and the run it belongs to.

/** Read when the work commits, so that a script can describe its current statement. */
export interface WorkOrigin {
  /** Short, shown to the user. */
  readonly title: string;
  /** The SQL the user wrote; null for work of the grid. */
  readonly sql: string | null;
  /** Transactions of one run belong together. */
  readonly run: number;
  /** The user has agreed that it cannot be undone. */
  readonly withoutUndo: boolean;
}

// Different from all runs of earlier workers, because the history outlives the worker and has to tell runs apart.
let lastRun = Date.now() * 1000;

export function newRun(): number {
  return ++lastRun;
}
