// Keeps the rows on a window's screen up to date: reads them again after a commit that affects them, at most once per frame, and sends the
// differences from the last page sent.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import type { RowsPatch, WatchedRange } from '#shared/protocol/live.ts';
import type { Extent, RowsPage } from '#shared/protocol/rows.ts';
import type { Effect, Reader } from '../readers/reader.ts';
import { yieldToOthers } from '../readers/slice.ts';
import { RangeKeys } from './range-keys.ts';
import { originsOf, RowImages } from './row-images.ts';
import type { Tally } from './tally.ts';

const FRAME_MS = 16;
/** The longest a window waits for a result that has to run again: then it gets the old rows, and the new ones follow. */
const TIMEOUT_MS = 40;

/** A copy of what the window has, to compare with. The original buffers were transferred to the window. */
interface Sent {
  readonly images: RowImages;
  readonly exactPosition: boolean;
  readonly extent: Extent;
  readonly isFull: boolean;
  readonly keys: RangeKeys | null;
}

let lastNumber = 0;

/** Notifies the window of changes. */
interface WatchEvents {
  patched(patch: Omit<RowsPatch, 'reader'>): void;
  /** The rows are the same, but there are more or fewer after them. */
  extentChanged(): void;
}

export class Watch {
  readonly #reader: Reader;
  readonly #tally: Tally;
  readonly #events: WatchEvents;
  #number = 0;
  #range: WatchedRange | null = null;
  #sent: Sent | null = null;
  /** Time of the first change that has not been checked yet. */
  #changedAtMs: number | null = null;
  #checking = false;
  #freshening = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #nextCheckMs = 0;

  constructor(reader: Reader, tally: Tally, events: WatchEvents) {
    this.#reader = reader;
    this.#tally = tally;
    this.#events = events;
  }

  get isActive(): boolean {
    return this.#range !== null;
  }

  /** True when no change is left to check. */
  get isSettled(): boolean {
    return this.#changedAtMs === null && !this.#checking;
  }

  async start(range: WatchedRange): Promise<{ readonly watch: number; readonly page: RowsPage }> {
    const number = this.#begin(range);
    const fresh = this.#reader.freshen?.();
    if (fresh) await Promise.race([fresh, yieldToOthers(TIMEOUT_MS)]);
    const page = await this.#reader.read(range.start, range.count);
    if (number === this.#number) {
      this.#remember(page, range);
      this.#schedule();
    }
    return { watch: number, page };
  }

  /** Stops watching until it is started again. */
  end(): void {
    this.#begin(null);
    this.#changedAtMs = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Called after each commit. Null: the commit does not affect the reader. */
  noteChange(effect: Effect | null): void {
    if (!effect || (this.#sent && this.#range && !this.#concerns(effect, this.#sent))) this.#tally.skips++;
    else this.touch();
  }

  /** Rows that stayed the same are read again, too, if the reader no longer knows how many rows there are: it counts them when it reads. */
  #concerns(effect: Effect, sent: Sent): boolean {
    return concerns(effect, sent, this.#reader) || (effect.kind === 'rows' && !this.#reader.extent.exact);
  }

  /** Notes that the rows may have changed. */
  touch(): void {
    // A query that is running again right now is read when it is done.
    if (!this.#range || this.#freshening) return;
    this.#changedAtMs ??= performance.now();
    this.#schedule();
  }

  #begin(range: WatchedRange | null): number {
    this.#range = range;
    this.#sent = null;
    return (this.#number = ++lastNumber);
  }

  #schedule(): void {
    if (this.#changedAtMs === null || !this.#sent || this.#checking || this.#timer !== null) return;
    const waitMs = this.#nextCheckMs - performance.now();
    if (waitMs <= 0) void this.#check();
    else
      this.#timer = setTimeout(() => {
        this.#timer = null;
        this.#schedule();
      }, waitMs);
  }

  async #check(): Promise<void> {
    const [number, range, changedAtMs] = [this.#number, this.#range!, this.#changedAtMs!];
    this.#checking = true;
    this.#nextCheckMs = performance.now() + FRAME_MS;
    this.#changedAtMs = null;
    try {
      if (this.#reader.freshen) await this.#freshen(this.#reader);
      const page = number === this.#number ? await this.#read(range) : null;
      if (page && number === this.#number) this.#compare(page, range, changedAtMs);
      // The window watches another range by now, whose rows may have been read before the change.
      else if (this.#range) this.#changedAtMs ??= changedAtMs;
    } catch {
      // The next read reports why the rows cannot be read, and every window is notified of a schema change.
    } finally {
      this.#checking = false;
      this.#schedule();
    }
  }

  async #freshen(reader: Reader): Promise<void> {
    this.#freshening = true;
    try {
      // All pages that only have to be read are requested meanwhile, so they come first.
      await Promise.resolve();
      await reader.freshen?.();
    } finally {
      this.#freshening = false;
    }
  }

  /** Reads, then rests as long as that took, so that a slow read, or one that waits long, runs less often. */
  async #read(range: WatchedRange): Promise<RowsPage> {
    const beganMs = performance.now();
    const page = await this.#reader.read(range.start, range.count);
    const now = performance.now();
    this.#nextCheckMs = Math.max(this.#nextCheckMs, now + now - beganMs);
    return page;
  }

  #compare(page: RowsPage, range: WatchedRange, changedAtMs: number): void {
    this.#tally.runs++;
    const before = this.#sent!;
    this.#remember(page, range);
    const after = this.#sent!;
    const origins = originsOf(after.images, before.images);
    if (!origins && after.exactPosition === before.exactPosition) {
      this.#tally.unchanged++;
      if (!isSameExtent(after.extent, before.extent)) this.#events.extentChanged();
      return;
    }
    const found = origins ?? Int32Array.from({ length: after.images.count }, (_, row) => row);
    const rows = newRows(page.rows, found);
    const { exactPosition, extent } = page;
    const bytes = found.byteLength + rows.types.length + rows.slots.byteLength + rows.heap.length;
    this.#events.patched({ watch: this.#number, start: range.start, origins: found, rows, exactPosition, extent });
    this.#tally.notePatch(bytes, performance.now() - changedAtMs);
  }

  #remember(page: RowsPage, range: WatchedRange): void {
    this.#sent = {
      images: new RowImages(page.rows),
      exactPosition: page.exactPosition,
      extent: page.extent,
      isFull: page.rows.rowCount === range.count,
      keys: RangeKeys.of(page.rows, this.#reader.layout.key),
    };
  }
}

const isSameExtent = (a: Extent, b: Extent): boolean => a.rows === b.rows && a.exact === b.exact;

/** Whether the rows that were sent may have changed. Other rows of the reader may have changed either way. */
function concerns({ kind, keys: changed }: Effect, { keys, isFull }: Sent, reader: Reader): boolean {
  if (!changed || !keys) return true;
  if (kind === 'values') return keys.holdAny(changed);
  return !(reader.isByRowid && isFull && keys.allComeBefore(changed));
}

function newRows(rows: PackedRows, origins: Int32Array): PackedRows {
  const count = origins.reduce((sum, origin) => (origin < 0 ? sum + 1 : sum), 0);
  const writer = new PackedRowsWriter(rows.columnCount, { expectedRows: Math.max(1, count) });
  const cells = new PackedRowsReader(rows);
  for (const [row, origin] of origins.entries()) {
    if (origin >= 0) continue;
    for (let column = 0; column < rows.columnCount; column++) writer.copy(cells, row, column);
  }
  return writer.finish();
}
