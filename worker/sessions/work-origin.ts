// What the history is told of a piece of work: what it is called, who wrote it, and which run it belongs to.

/** What the history notes of a piece of work. Asked when it commits, so that a script can answer for the statement it is at. */
export interface WorkOrigin {
  /** Short, for people. */
  readonly title: string;
  /** The person's own text; null for what the grid does. */
  readonly sql: string | null;
  /** Transactions of one run belong together. */
  readonly run: number;
  /** The person has agreed that it cannot be taken back. */
  readonly withoutUndo: boolean;
}

// Unlike any of a worker before this one: runs are told apart in a history that outlives it.
let lastRun = Date.now() * 1000;

export function newRun(): number {
  return ++lastRun;
}
