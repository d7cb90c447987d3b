// The rows of a statement that returns one at most, read in one call: an iterator of better-sqlite3 is an object with three calls of its
// own, and takes longer than the statement.
import type { RowIterator } from '../runtime/load.ts';
import type { NativeRow } from './row.ts';

export class FewRows implements RowIterator {
  readonly #rows: readonly NativeRow[];
  #at = 0;

  constructor(rows: readonly unknown[]) {
    this.#rows = rows as readonly NativeRow[];
  }

  next(): { readonly value: NativeRow; readonly done: boolean } {
    const value = this.#rows[this.#at++];
    return value === undefined ? END : { value, done: false };
  }

  return(): void {
    this.#at = this.#rows.length;
  }
}

const END = { value: [], done: true } as const;
