// Watches the rows on screen while the grid rests, so that commits arrive as patches instead of requiring another read.
import type { RowsPatch, WatchedRange } from '#shared/protocol/live.ts';
import type { GridSource } from '../grid-source.ts';
import { PAGE_ROWS, rowsOfPage } from './row-cache.ts';
import type { CachedRow, FreshRows } from './row-cache.ts';
import { patchRows } from './row-patch.ts';
import type { RangeChange } from './row-patch.ts';

/** Rows above and below the screen that are also watched, so that the few rows a patch moves into view are already loaded. */
const MARGIN_ROWS = 8;

type WatchedSource = Pick<GridSource, 'watch' | 'keyColumns'>;

interface Watch {
  readonly number: number;
  readonly range: WatchedRange;
  rows: readonly CachedRow[];
  readonly exactPosition: boolean;
}

export class RowWatch {
  readonly #source: WatchedSource;
  readonly #onRows: (rows: FreshRows, range: WatchedRange) => void;
  #watch: Watch | null = null;
  /** The range to watch, requested as soon as the previous request is answered. */
  #wanted: WatchedRange | null = null;
  #state: 'idle' | 'asking' | 'disposed' = 'idle';

  constructor(source: WatchedSource, onRows: (rows: FreshRows, range: WatchedRange) => void) {
    this.#source = source;
    this.#onRows = onRows;
  }

  dispose(): void {
    if (this.#watch || this.#state === 'asking') this.#source.watch(null).catch(() => undefined);
    this.#watch = null;
    this.#state = 'disposed';
  }

  /** The rows that are kept up to date now. */
  get range(): WatchedRange | null {
    return this.#watch?.range ?? null;
  }

  /** The grid has come to rest with these rows on screen; `last` is before `first` if there are none. */
  rest(first: number, last: number): void {
    this.#wanted = last < first ? null : pagesAround(first, last);
    void this.#ask();
  }

  /** Positions have become exact: a range watched at an estimated position is a different one. */
  positionsLearned(): void {
    if (this.#watch?.exactPosition === false) this.#watch = null;
  }

  /** Null if the patch is for a range that is no longer shown. */
  patch(patch: RowsPatch): { readonly change: RangeChange; readonly range: WatchedRange } | null {
    const watch = this.#watch;
    if (!watch || watch.number !== patch.watch || watch.range.start !== patch.start) return null;
    const change = patchRows(watch.rows, patch, this.#source.keyColumns);
    watch.rows = change.after;
    return { change, range: watch.range };
  }

  async #ask(): Promise<void> {
    const range = this.#wanted;
    if (this.#state !== 'idle' || sameRange(range, this.range)) return;
    this.#state = 'asking';
    try {
      const answer = await this.#source.watch(range);
      if (this.#isDisposed()) return;
      this.#watch = null;
      if (range && answer) this.#begin(range, answer);
      this.#state = 'idle';
    } catch {
      // Continues without a watch until the grid comes to rest again: `rows.changed` reports changes, and the pages are read again.
      this.#watch = null;
      if (!this.#isDisposed()) this.#state = 'idle';
      return;
    }
    if (!sameRange(range, this.#wanted)) void this.#ask();
  }

  #begin(range: WatchedRange, { page, watch }: NonNullable<Awaited<ReturnType<WatchedSource['watch']>>>): void {
    const rows = rowsOfPage(page.rows);
    this.#watch = { number: watch, range, rows, exactPosition: page.exactPosition };
    this.#onRows({ start: range.start, rows, exactPosition: page.exactPosition, extent: page.extent }, range);
  }

  #isDisposed(): boolean {
    return this.#state === 'disposed';
  }
}

function pagesAround(first: number, last: number): WatchedRange {
  const start = Math.floor(Math.max(0, first - MARGIN_ROWS) / PAGE_ROWS) * PAGE_ROWS;
  const end = Math.ceil((last + 1 + MARGIN_ROWS) / PAGE_ROWS) * PAGE_ROWS;
  return { start, count: end - start };
}

const sameRange = (a: WatchedRange | null, b: WatchedRange | null): boolean =>
  a === b || (a !== null && b !== null && a.start === b.start && a.count === b.count);
