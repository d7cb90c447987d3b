// The pages of rows the grid holds: requests only what is still on screen, and keeps old rows until new ones have arrived.
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import type { ErrorCode } from '#shared/protocol/errors.ts';
import type { WatchedRange } from '#shared/protocol/live.ts';
import type { Extent, RowsPage } from '#shared/protocol/rows.ts';

export const PAGE_ROWS = 128;
const MAX_PAGES = 200;
/** Limit for wide tables: with 2,000 columns the pages would take more. */
const MAX_BYTES = 64 * 1024 * 1024;
/** One page is decoded here while the next is read there; more would only queue up behind pages that are no longer shown. */
const MAX_IN_FLIGHT = 2;
/** Failures that may end without any action here: a server is away, or another program has the file locked. */
const PASSING: readonly ErrorCode[] = ['unavailable', 'locked'];
/** Delay until pages that failed are requested again; it doubles each time. */
export const RETRY_MS = { least: 2_000, most: 60_000 };

interface CachedPage {
  readonly rows: readonly CachedRow[];
  /** The generation in which the page was requested; an older page than the cache's generation is painted, but requested again. */
  readonly generation: number;
  readonly exactPosition: boolean;
  readonly sizeBytes: number;
  /** The row count when it was read. */
  readonly rowsThen: number;
}

/** One row as it was read. As long as its values stay the same, so does the object, wherever the row moves. */
export interface CachedRow {
  readonly rows: PackedRowsReader;
  /** Index of the row in `rows`. */
  readonly index: number;
}

interface RowCacheOptions {
  readonly read: (start: number, count: number) => Promise<RowsPage>;
  /** A page arrived: paint again. */
  readonly onPage: (page: RowsPage) => void;
  readonly onError: (error: unknown) => void;
}

/** The current rows from a page boundary on. */
export interface FreshRows {
  readonly start: number;
  readonly rows: readonly CachedRow[];
  readonly exactPosition: boolean;
  readonly extent: Extent;
}

export const rowsOfPage = (rows: PackedRows): CachedRow[] => {
  const reader = new PackedRowsReader(rows);
  return Array.from({ length: rows.rowCount }, (_, index) => ({ rows: reader, index }));
};

export class RowCache {
  readonly #options: RowCacheOptions;
  /** Pages in order of use: the first one is dropped first. */
  readonly #pages = new Map<number, CachedPage>();
  readonly #inFlight = new Map<number, number>();
  readonly #failed = new Set<number>();
  /** Pages for which a failure was reported. */
  readonly #reported = new Set<number>();
  #retry: ReturnType<typeof setTimeout> | null = null;
  #retryMs = RETRY_MS.least;
  #wanted: readonly number[] = [];
  #generation = 0;
  #sizeBytes = 0;
  #rowCount = 0;
  #disposed = false;

  constructor(options: RowCacheOptions) {
    this.#options = options;
  }

  row(position: number): CachedRow | null {
    return this.#pages.get(Math.floor(position / PAGE_ROWS))?.rows[position % PAGE_ROWS] ?? null;
  }

  /** Whether the row is read when it is next on screen: until then another row may be shown at its position. */
  isOutdated(position: number): boolean {
    return this.#isMissing(Math.floor(position / PAGE_ROWS));
  }

  /** Loaded rows of the range that are not outdated, by position. */
  *current(first: number, last: number): Generator<readonly [number, CachedRow]> {
    for (const [page, { rows, generation }] of this.#pages) {
      const start = page * PAGE_ROWS;
      if (generation < this.#generation || start > last || start + rows.length <= first) continue;
      const from = Math.max(0, first - start);
      for (let index = from; index < rows.length && start + index <= last; index++) yield [start + index, rows[index]!];
    }
  }

  /**
   * Sets the visible rows. Replaces the previous request: pages scrolled past and not requested yet are never requested. One page ahead in
   * the direction of scrolling is requested after the visible ones.
   */
  want(first: number, last: number, direction: -1 | 0 | 1, rowCount: number): void {
    const wanted: number[] = [];
    const firstPage = Math.floor(first / PAGE_ROWS);
    const lastPage = Math.floor(Math.max(first, last) / PAGE_ROWS);
    for (let page = firstPage; page <= lastPage; page++) wanted.push(page);
    const ahead = direction < 0 ? firstPage - 1 : lastPage + 1;
    if (direction !== 0 && ahead >= 0 && ahead * PAGE_ROWS < rowCount) wanted.push(ahead);
    this.#wanted = wanted;
    this.#rowCount = rowCount;
    for (const page of wanted) this.#touch(page);
    // A person who comes back to rows that could not be read wants to see these rows.
    for (const page of this.#failed) if (!wanted.includes(page)) this.#forgive(page);
    this.#pump();
  }

  /** The rows may have changed: rows outside `kept` are read again when they are next on screen. */
  invalidate(kept: WatchedRange | null = null): void {
    this.#generation++;
    this.#failed.clear();
    this.#reported.clear();
    if (kept) {
      for (let page = kept.start / PAGE_ROWS; page * PAGE_ROWS < kept.start + kept.count; page++) {
        const cached = this.#pages.get(page);
        if (cached) this.#pages.set(page, { ...cached, generation: this.#generation });
      }
    }
    this.#pump();
  }

  /** Adds rows that were not requested here; `start` and `count` are whole pages, of which the last may be short. */
  put({ start, rows, exactPosition, extent }: FreshRows, count: number): void {
    for (let at = 0; at < count; at += PAGE_ROWS) {
      const page = rows.slice(at, at + PAGE_ROWS);
      this.#store((start + at) / PAGE_ROWS, {
        rows: page,
        generation: this.#generation,
        exactPosition,
        sizeBytes: sizeOf(page),
        rowsThen: extent.rows,
      });
    }
  }

  /** No rows are on screen: nothing is requested until some are. */
  rest(): void {
    this.#wanted = [];
  }

  /** Positions are known more precisely: rows read at an estimated position may belong elsewhere. */
  invalidateEstimates(): void {
    for (const [page, cached] of this.#pages)
      if (!cached.exactPosition) this.#pages.set(page, { ...cached, generation: -1 });
    this.#failed.clear();
    this.#pump();
  }

  dispose(): void {
    this.#disposed = true;
    this.#stopRetry();
    this.#pages.clear();
  }

  #isMissing(page: number): boolean {
    if (this.#failed.has(page)) return false;
    const cached = this.#pages.get(page);
    if (!cached || cached.generation < this.#generation) return true;
    // The last page is short, and fills up when the source grows.
    const due = Math.min(PAGE_ROWS, this.#rowCount - page * PAGE_ROWS);
    return cached.rows.length < due && this.#rowCount > cached.rowsThen;
  }

  #pump(): void {
    for (const page of this.#wanted) {
      if (this.#inFlight.size >= MAX_IN_FLIGHT || this.#disposed) return;
      if (this.#isMissing(page) && this.#inFlight.get(page) !== this.#generation) void this.#request(page);
    }
  }

  async #request(page: number): Promise<void> {
    const generation = this.#generation;
    this.#inFlight.set(page, generation);
    try {
      const answer = await this.#options.read(page * PAGE_ROWS, PAGE_ROWS);
      if (this.#disposed) return;
      this.#forgive(page);
      this.#stopRetry();
      this.#retryMs = RETRY_MS.least;
      const rows = rowsOfPage(answer.rows);
      this.#store(page, {
        rows,
        generation,
        exactPosition: answer.exactPosition,
        sizeBytes: sizeOf(rows),
        rowsThen: answer.extent.rows,
      });
      this.#options.onPage(answer);
    } catch (error) {
      if (this.#disposed) return;
      this.#failed.add(page); // requesting it again at once would fail again, endlessly
      if (PASSING.includes(toAppError(error).code)) this.#retryLater();
      if (this.#reported.has(page)) return;
      this.#reported.add(page);
      this.#options.onError(error);
    } finally {
      if (this.#inFlight.get(page) === generation) this.#inFlight.delete(page);
      this.#pump();
    }
  }

  #retryLater(): void {
    if (this.#retry !== null) return;
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.#failed.clear();
      this.#pump();
    }, this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.most);
  }

  #stopRetry(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
  }

  #forgive(page: number): void {
    this.#failed.delete(page);
    this.#reported.delete(page);
  }

  #store(page: number, cached: CachedPage): void {
    const present = this.#pages.get(page);
    if (present && present.generation > cached.generation) return;
    this.#drop(page);
    this.#pages.set(page, cached);
    this.#sizeBytes += cached.sizeBytes;
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= MAX_PAGES && this.#sizeBytes <= MAX_BYTES) break;
      if (!this.#wanted.includes(oldest)) this.#drop(oldest);
    }
  }

  #drop(page: number): void {
    this.#sizeBytes -= this.#pages.get(page)?.sizeBytes ?? 0;
    this.#pages.delete(page);
  }

  #touch(page: number): void {
    const cached = this.#pages.get(page);
    if (!cached) return;
    this.#pages.delete(page);
    this.#pages.set(page, cached);
  }
}

/** After patches, the rows of one page may be in several buffers. */
function sizeOf(rows: readonly CachedRow[]): number {
  let bytes = 0;
  for (const { rows: buffers } of new Set(rows.map((row) => row.rows)))
    bytes += buffers.types.length + buffers.slots.byteLength + buffers.heap.length;
  return bytes;
}
