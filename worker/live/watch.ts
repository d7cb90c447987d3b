// Keeps the rows on a window's screen up to date: reads them again after a commit that affects them, at most once per frame, and sends the
// differences from the last page sent.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { CellType, type PackedRows } from '#shared/packed-rows/format.ts';
import type { RowsPatch, WatchedRange, LiveCounters } from '#shared/protocol/live.ts';
import type { Extent, RowsPage, RowKey } from '#shared/protocol/rows.ts';
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import type { ChangedKeys } from '../engines/transaction-changes.ts';
import type { Effect, Reader } from '../readers/reader.ts';
import { yieldToOthers } from '../readers/slice.ts';

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

const KEPT_LATENCIES = 100;

/**
 * Counts what it costs to keep one reader up to date. Counting takes a few additions; sums are computed only on request.
 */
export class Tally {
  runs = 0;
  skips = 0;
  unchanged = 0;
  #patches = 0;
  #bytes = 0;
  readonly #latencies: number[] = [];

  notePatch(bytes: number, latencyMs: number): void {
    this.#latencies[this.#patches % KEPT_LATENCIES] = latencyMs;
    this.#patches++;
    this.#bytes += bytes;
  }

  get counters(): Omit<LiveCounters, 'reader' | 'windowId' | 'title' | 'state'> {
    const sorted = [...this.#latencies].sort((a, b) => a - b);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return {
      runs: this.runs,
      skips: this.skips,
      unchanged: this.unchanged,
      patches: this.#patches,
      bytes: this.#bytes,
      latencyP50Ms: at(0.5),
      latencyP95Ms: at(0.95),
    };
  }
}

/** The keys of the rows a window watches, to tell whether a commit that names its touched rows can affect them. */
class RangeKeys {
  readonly #keys: ReadonlySet<string | bigint>;
  /** The row id of the last row; null when there is none. */
  readonly #last: bigint | null;

  private constructor(keys: ReadonlySet<string | bigint>, last: bigint | null) {
    this.#keys = keys;
    this.#last = last;
  }

  /** Null when the rows do not show their keys. */
  static of(rows: PackedRows, key: RowKey): RangeKeys | null {
    if (key.kind === 'none') return null;
    const cells = new PackedRowsReader(rows);
    const keys = new Set<string | bigint>();
    let last: bigint | null = null;
    for (let row = 0; row < rows.rowCount; row++) {
      if (key.kind === 'rowid') {
        const rowid = cells.value(row, key.columns[0]);
        if (typeof rowid !== 'number' && typeof rowid !== 'bigint') return null;
        keys.add((last = BigInt(rowid)));
      } else {
        // A long value is cut, and two keys might differ only in the part that is missing.
        if (key.columns.some((column) => cells.isPreview(row, column))) return null;
        keys.add(keyText(key.columns.map((column) => cells.value(row, column))));
      }
    }
    return new RangeKeys(keys, last);
  }

  holdAny(changed: ChangedKeys): boolean {
    if (changed.kind === 'rowid') return changed.rowids.some((rowid) => this.#keys.has(rowid));
    return changed.keys.some((key) => this.#keys.has(keyText(key)));
  }

  /** Whether all rows of the range come before every changed row. */
  allComeBefore(changed: ChangedKeys): boolean {
    const last = this.#last;
    return last !== null && changed.kind === 'rowid' && changed.rowids.every((rowid) => rowid > last);
  }
}

/** Different for different values, including values of different classes. */
function keyText(key: readonly Value[]): string {
  return JSON.stringify(key.map(partText));
}

function partText(value: Value): unknown {
  if (typeof value === 'bigint') return { big: String(value) };
  if (value instanceof Uint8Array) return { blob: Array.from(value) };
  if (value !== null && isReal(value)) return { real: String(value.real) };
  if (value !== null && isRawText(value)) return { text: Array.from(value.textBytes) };
  // JSON has no infinities.
  return typeof value === 'number' ? { number: String(value) } : value;
}

// Compares rows byte for byte, independent of how they are packed, to find which are new and where the others were.

/** Type, length and full length of a preview, or type and number. */
const MAX_CELL_HEAD_BYTES = 13;

class RowImages {
  readonly count: number;
  readonly #bytes: Uint8Array;
  /** Offset of each row, and of the end. */
  readonly #starts: Uint32Array;

  constructor(rows: PackedRows) {
    this.count = rows.rowCount;
    const cells = rows.rowCount * rows.columnCount;
    this.#bytes = new Uint8Array(cells * MAX_CELL_HEAD_BYTES + rows.heap.length);
    this.#starts = new Uint32Array(rows.rowCount + 1);
    this.#fill(new PackedRowsReader(rows));
  }

  same(row: number, other: RowImages, otherRow: number): boolean {
    const start = this.#starts[row]!;
    const length = this.#starts[row + 1]! - start;
    const otherStart = other.#starts[otherRow]!;
    if (other.#starts[otherRow + 1]! - otherStart !== length) return false;
    const [bytes, otherBytes] = [this.#bytes, other.#bytes];
    for (let i = 0; i < length; i++) if (bytes[start + i] !== otherBytes[otherStart + i]) return false;
    return true;
  }

  /** FNV-1a. Rows with the same hash may still differ. */
  hash(row: number): number {
    let hash = 0x811c9dc5;
    const end = this.#starts[row + 1]!;
    for (let i = this.#starts[row]!; i < end; i++) hash = Math.imul(hash ^ this.#bytes[i]!, 0x01000193);
    return hash;
  }

  #fill(cells: PackedRowsReader): void {
    const { rowCount, columnCount, types, slots } = cells.rows;
    const numbers = new Uint8Array(slots);
    const view = new DataView(this.#bytes.buffer);
    let end = 0;
    for (let row = 0; row < rowCount; row++) {
      this.#starts[row] = end;
      for (let column = 0; column < columnCount; column++) {
        const cell = row * columnCount + column;
        const type = types[cell]!;
        this.#bytes[end++] = type;
        if (type === CellType.null) continue;
        if (type < CellType.text) {
          this.#bytes.set(numbers.subarray(cell * 8, cell * 8 + 8), end);
          end += 8;
          continue;
        }
        const payload = cells.bytes(row, column);
        view.setUint32(end, payload.length, true);
        end += 4;
        if (type >= CellType.textPreview) {
          view.setFloat64(end, cells.sizeBytes(row, column), true);
          end += 8;
        }
        this.#bytes.set(payload, end);
        end += payload.length;
      }
    }
    this.#starts[rowCount] = end;
  }
}

/**
 * Maps each row of `after` to the row of `before` with the same contents, or −1. A row that stayed in place maps to itself, and no row is
 * used twice. Null: nothing differs.
 */
function originsOf(after: RowImages, before: RowImages): Int32Array | null {
  const origins = new Int32Array(after.count).fill(-1);
  const taken = new Uint8Array(before.count);
  const differing: number[] = [];
  for (let row = 0; row < after.count; row++) {
    if (row >= before.count || !after.same(row, before, row)) differing.push(row);
    else {
      origins[row] = row;
      taken[row] = 1;
    }
  }
  if (differing.length === 0) return after.count === before.count ? null : origins;
  const byHash = new Map<number, number>();
  /** The next row with the same hash, or −1. */
  const next = new Int32Array(before.count);
  for (let row = before.count - 1; row >= 0; row--) {
    if (taken[row] === 1) continue;
    const hash = before.hash(row);
    next[row] = byHash.get(hash) ?? -1;
    byHash.set(hash, row);
  }
  for (const row of differing) {
    let former = byHash.get(after.hash(row)) ?? -1;
    while (former >= 0 && (taken[former] === 1 || !after.same(row, before, former))) former = next[former]!;
    if (former < 0) continue;
    origins[row] = former;
    taken[former] = 1;
  }
  return origins;
}
