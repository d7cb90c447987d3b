// What is read from a database file, or moved into it, a piece at a time.

/** A part of the last committed state. */
export interface CommittedPiece {
  readonly part: 'file' | 'wal';
  readonly bytes: Uint8Array;
}

/** How much of a WAL is in the file by now. */
export interface LogMoved {
  readonly doneBytes: number;
  readonly totalBytes: number;
  /** Another thread moves the content, and there is nothing to do until it has. */
  readonly until?: Promise<unknown>;
}
