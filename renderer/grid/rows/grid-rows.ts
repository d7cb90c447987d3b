// The rows of one source: the pages read from it, kept up to date with its events, and recent changes.
import type { RowsPatch, WatchedRange } from '#shared/protocol/live.ts';
import { Glow } from '../paint/glow.ts';
import type { GridSource, GridSourceEvent } from '../grid-source.ts';
import { RowCache } from './row-cache.ts';
import type { CachedRow } from './row-cache.ts';
import { MAX_MOVED_ROWS, comingAndGoing } from './row-motion.ts';
import type { ComingAndGoing } from './row-motion.ts';
import type { RangeChange } from './row-patch.ts';
import { RowWatch } from './row-watch.ts';
import type { KnownRows } from './seen-rows.ts';

const REDUCED_MOTION = matchMedia('(prefers-reduced-motion: reduce)');

interface GridRowsEvents {
  onPage(): void;
  /** Rows or their number may differ. */
  onChange(event: GridSourceEvent): void;
  /** The watched rows have changed; `moves` is the movement to show to the user. */
  onPatch(change: RangeChange, moves: ComingAndGoing): void;
  onError(error: unknown): void;
}

const NO_MOVES: ComingAndGoing = { inserted: [], removed: [] };

export class GridRows {
  readonly source: GridSource;
  readonly glow = new Glow();
  readonly #events: GridRowsEvents;
  readonly #cache: RowCache;
  readonly #watch: RowWatch;
  readonly #unsubscribe: () => void;

  constructor(source: GridSource, events: GridRowsEvents) {
    this.source = source;
    this.#events = events;
    this.#cache = new RowCache({
      read: (start, count) => source.read(start, count),
      onPage: () => events.onPage(),
      onError: (error) => events.onError(error),
    });
    this.#watch = new RowWatch(source, (rows, range) => {
      this.#cache.put(rows, range.count);
      events.onPage();
    });
    this.#unsubscribe = source.subscribe((event) => this.#hear(event));
  }

  dispose(): void {
    this.#unsubscribe();
    this.#watch.dispose();
    this.#cache.dispose();
  }

  /** The rows that are kept up to date without being read again. */
  get watched(): WatchedRange | null {
    return this.#watch.range;
  }

  /** The row as shown, with its unsaved values. */
  row(position: number): CachedRow | null {
    const { unsaved, extent } = this.source;
    if (unsaved && position >= extent.rows) return unsaved.added[position - extent.rows] ?? null;
    const row = this.#cache.row(position);
    return row && unsaved ? unsaved.shown(row) : row;
  }

  /** Whether the row shown at the position may no longer be the row there. */
  isOutdated(position: number): boolean {
    return position < this.source.extent.rows && this.#cache.isOutdated(position);
  }

  /** Facts about stored rows that are known without reading. */
  get known(): KnownRows {
    const { source } = this;
    return { source, current: (first, last) => this.#cache.current(first, Math.min(last, source.extent.rows - 1)) };
  }

  /** Number of rows, including rows that are not saved yet. */
  get count(): number {
    return this.source.extent.rows + (this.source.unsaved?.added.length ?? 0);
  }

  /** The loaded rows of the range. */
  loaded(first: number, last: number): CachedRow[] {
    const rows: CachedRow[] = [];
    for (let row = first; row <= last; row++) {
      const cached = this.row(row);
      if (cached) rows.push(cached);
    }
    return rows;
  }

  /** Sets the visible rows, and the direction of scrolling. */
  want(first: number, last: number, direction: -1 | 0 | 1): void {
    this.#cache.want(first, Math.max(first, last), direction, this.source.extent.rows);
  }

  /** The grid has come to rest with these rows on screen; `last` is before `first` when the grid is not visible. */
  rest(first: number, last: number): void {
    if (last < first) this.#cache.rest();
    this.#watch.rest(first, last);
  }

  #hear(event: GridSourceEvent): void {
    if (event.kind === 'patched') return this.#patch(event.patch);
    if (event.kind === 'unsaved') return this.#events.onChange(event);
    if (event.kind === 'changed') this.#cache.invalidate(this.#watch.range);
    else {
      this.#watch.positionsLearned();
      this.#cache.invalidateEstimates();
    }
    this.#events.onChange(event);
  }

  #patch(patch: RowsPatch): void {
    const patched = this.#watch.patch(patch);
    if (!patched) return;
    const { change, range } = patched;
    const { start, exactPosition, extent } = patch;
    this.#cache.put({ start, rows: change.after, exactPosition, extent }, range.count);
    this.#cache.invalidate(range);
    const moves = REDUCED_MOTION.matches ? NO_MOVES : comingAndGoing(change, range.count);
    if (!REDUCED_MOTION.matches) this.#light(change, moves);
    this.#events.onPatch(change, moves);
  }

  #light({ start, before, after, origins, kept }: RangeChange, { inserted }: ComingAndGoing): void {
    const nowMs = performance.now();
    after.forEach((row, index) => {
      if (kept[index]! < 0 && origins[index]! >= 0) this.glow.note(row, before[origins[index]!]!, nowMs);
    });
    if (inserted.length > MAX_MOVED_ROWS) return;
    for (const position of inserted) {
      const row = after[position - start]!;
      if (origins[position - start]! < 0) this.glow.note(row, null, nowMs);
    }
  }
}
