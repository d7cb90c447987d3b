// Keeps the rows one window has on screen in step: reads them again after a commit that concerns them, at most once a frame,
// and sends what differs from what was sent last.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import type { RowsPatch, WatchedRange } from '#shared/protocol/live.ts';
import type { RowsPage } from '#shared/protocol/rows.ts';
import type { Effect, Reader } from '../readers/reader.ts';
import { yieldToOthers } from '../readers/slice.ts';
import { RangeKeys } from './range-keys.ts';
import { originsOf, RowImages } from './row-images.ts';
import type { Tally } from './tally.ts';

const FRAME_MS = 16;
/** A result that has to be run again first keeps nobody waiting longer than this: the rows from before come, the new ones follow. */
const PATIENCE_MS = 40;

/** What the window has, to compare with. Its own buffers are gone: they were moved to the window. */
interface Sent {
  readonly images: RowImages;
  readonly exactPosition: boolean;
  readonly isFull: boolean;
  readonly keys: RangeKeys | null;
}

let lastNumber = 0;

export class Watch {
  readonly #reader: Reader;
  readonly #tally: Tally;
  readonly #send: (patch: Omit<RowsPatch, 'reader'>) => void;
  #number = 0;
  #range: WatchedRange | null = null;
  #sent: Sent | null = null;
  /** When the first change came that the rows have not been checked for. */
  #changedAtMs: number | null = null;
  #checking = false;
  #freshening = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #nextCheckMs = 0;

  constructor(reader: Reader, tally: Tally, send: (patch: Omit<RowsPatch, 'reader'>) => void) {
    this.#reader = reader;
    this.#tally = tally;
    this.#send = send;
  }

  get isActive(): boolean {
    return this.#range !== null;
  }

  /** Nothing is left to be checked. */
  get isSettled(): boolean {
    return this.#changedAtMs === null && !this.#checking;
  }

  async start(range: WatchedRange): Promise<{ readonly watch: number; readonly page: RowsPage }> {
    const number = this.#begin(range);
    const fresh = this.#reader.freshen?.();
    if (fresh) await Promise.race([fresh, yieldToOthers(PATIENCE_MS)]);
    const page = await this.#reader.read(range.start, range.count);
    if (number === this.#number) {
      this.#remember(page, range);
      this.#schedule();
    }
    return { watch: number, page };
  }

  /** Until it is started again nothing is run. */
  end(): void {
    this.#begin(null);
    this.#changedAtMs = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** After a commit. Null: it does not concern the reader. */
  noteChange(effect: Effect | null): void {
    if (!effect || (this.#sent && this.#range && !concerns(effect, this.#sent, this.#reader))) this.#tally.skips++;
    else this.touch();
  }

  /** The rows may be others. */
  touch(): void {
    // What is being run again now is read when that is done.
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
      // Watched anew meanwhile: those rows may have been read before the change.
      else if (this.#range) this.#changedAtMs ??= changedAtMs;
    } catch {
      // Whoever reads next is told why it cannot be read, and a change of the schema is told to every window.
    } finally {
      this.#checking = false;
      this.#schedule();
    }
  }

  async #freshen(reader: Reader): Promise<void> {
    this.#freshening = true;
    try {
      // Pages that only have to be read are all asked for by then, and come first.
      await Promise.resolve();
      await reader.freshen?.();
    } finally {
      this.#freshening = false;
    }
  }

  /** Rests as long as it took: what is slow, or waits long, comes less often. */
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
      return;
    }
    const found = origins ?? Int32Array.from({ length: after.images.count }, (_, row) => row);
    const rows = newRows(page.rows, found);
    const { exactPosition, extent } = page;
    const bytes = found.byteLength + rows.types.length + rows.slots.byteLength + rows.heap.length;
    this.#send({ watch: this.#number, start: range.start, origins: found, rows, exactPosition, extent });
    this.#tally.notePatch(bytes, performance.now() - changedAtMs);
  }

  #remember(page: RowsPage, range: WatchedRange): void {
    this.#sent = {
      images: new RowImages(page.rows),
      exactPosition: page.exactPosition,
      isFull: page.rows.rowCount === range.count,
      keys: RangeKeys.of(page.rows, this.#reader.layout.key),
    };
  }
}

/** Whether the rows that were sent may be others. The rest of the reader may be in any case. */
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
