// The rows of one source: the pages that were read of it, kept in step with its news, and which cells have just changed.
import { Glow } from './glow.ts';
import type { GridSource, GridSourceEvent } from './grid-source.ts';
import { RowCache } from './row-cache.ts';
import type { CachedRow } from './row-cache.ts';

const REDUCED_MOTION = matchMedia('(prefers-reduced-motion: reduce)');

export interface GridRowsEvents {
  onPage(): void;
  /** Rows or their number may differ. */
  onChange(): void;
  onError(error: unknown): void;
}

export class GridRows {
  readonly source: GridSource;
  readonly glow: Glow;
  readonly #cache: RowCache;
  readonly #unsubscribe: () => void;

  constructor(source: GridSource, events: GridRowsEvents) {
    this.source = source;
    this.glow = new Glow(source.hiddenColumns);
    this.#cache = new RowCache({
      read: (start, count) => source.read(start, count),
      onPage: () => events.onPage(),
      onError: (error) => events.onError(error),
      onReplaced: (page, before) => {
        if (!REDUCED_MOTION.matches) this.glow.note(page, before, performance.now());
      },
    });
    this.#unsubscribe = source.subscribe((event) => {
      this.#forget(event);
      events.onChange();
    });
  }

  dispose(): void {
    this.#unsubscribe();
    this.#cache.dispose();
  }

  row(position: number): CachedRow | null {
    return this.#cache.row(position);
  }

  /** Those of the range that are here. */
  loaded(first: number, last: number): CachedRow[] {
    const rows: CachedRow[] = [];
    for (let row = first; row <= last; row++) {
      const cached = this.#cache.row(row);
      if (cached) rows.push(cached);
    }
    return rows;
  }

  /** What is on screen now, and where it is moving. */
  want(first: number, last: number, direction: -1 | 0 | 1): void {
    this.#cache.want(first, Math.max(first, last), direction, this.source.extent.rows);
  }

  #forget(event: GridSourceEvent): void {
    if (event === 'changed') this.#cache.invalidate();
    else this.#cache.invalidateEstimates();
  }
}
