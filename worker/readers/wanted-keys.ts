// How much of the order of a sorted or filtered table is needed, and on a server how far its beginning has been requested.
//
//   top ── more is asked for, or the table is small ──▶ all
import type { KeyList } from './key-list.ts';

/** A sorted table shows this many rows at once: keeping only the first few costs a fraction of sorting all. */
const TOP_ROWS = 2000;
/** Up to about this many rows, the complete order is computed without a request, because that takes only a moment. */
const SMALL_TABLE_ROWS = 200_000;

export interface Cost {
  /** Keys beyond the first rows are read only when requested. */
  readonly isMetered: boolean;
  /** The order may cost the whole table. */
  readonly isCostly: boolean;
}

export class WantedKeys {
  readonly #cost: Cost;
  #kind: 'top' | 'all';
  #topRows = TOP_ROWS;

  constructor(cost: Cost, kind: 'top' | 'all') {
    this.#cost = cost;
    this.#kind = kind;
  }

  get areAll(): boolean {
    return this.#kind === 'all';
  }

  /** How many keys are read at once from the top. */
  get topRows(): number {
    return this.#topRows;
  }

  /** Pages beyond the first top have been requested. */
  get hasGrown(): boolean {
    return this.#topRows > TOP_ROWS;
  }

  /** The top must be read further than `list` reaches. */
  isBeyond(list: KeyList | null): boolean {
    return this.#topRows > Math.max(list?.length ?? 0, TOP_ROWS);
  }

  all(): void {
    this.#kind = 'all';
  }

  /** There is no estimate with a filter: only the complete list shows how many rows there are. */
  allIfSmall(estimate: number): void {
    if (estimate <= SMALL_TABLE_ROWS && !this.#cost.isMetered) this.#kind = 'all';
  }

  /**
   * Requests a page that ends at `length`. On a server, an order that an index serves is read only as far as needed: twice as far each
   * time, and not all keys of the table. Returns whether more of it must be read.
   */
  reach(length: number, list: KeyList | null): boolean {
    const { isMetered, isCostly } = this.#cost;
    const grows = isMetered && !isCostly && !this.areAll && length >= Math.max(list?.length ?? 0, TOP_ROWS);
    if (grows) this.#topRows = Math.max(this.isBeyond(list) ? this.#topRows : 2 * this.#topRows, length);
    // The top shrinks when rows leave it.
    else if (length > (list?.length ?? TOP_ROWS)) this.#kind = 'all';
    return grows;
  }
}
