// Columns that an update changes, as ascending indexes in the log. One list is reused for all rows.
import type { RowLayout } from '../../table-layouts.ts';

export class ChangedColumns {
  #places = new Uint16Array(64);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  at(index: number): number {
    return this.#places[index]!;
  }

  none(): void {
    this.#count = 0;
  }

  /** Null: every stored column. */
  all(layout: RowLayout | 'unknown' | null, columns: readonly number[] | null): void {
    this.#count = 0;
    if (layout !== null && layout !== 'unknown') {
      for (const column of columns ?? layout.valueColumns) this.add(layout, column);
    }
  }

  add(layout: RowLayout, column: number): void {
    const logIndex = layout.logIndexes[column]!;
    // Skips generated columns and the row id, which are not logged.
    if (logIndex < 0) return;
    if (this.#count === this.#places.length) {
      const logIndexes = new Uint16Array(this.#count * 2);
      logIndexes.set(this.#places);
      this.#places = logIndexes;
    }
    this.#places[this.#count++] = logIndex;
  }

  has(logIndex: number): boolean {
    for (let index = 0; index < this.#count; index++) if (this.#places[index] === logIndex) return true;
    return false;
  }

  hasAny(layout: RowLayout, columns: readonly number[]): boolean {
    for (let index = 0; index < this.#count; index++) {
      if (columns.includes(layout.columns[this.#places[index]!]!)) return true;
    }
    return false;
  }
}
