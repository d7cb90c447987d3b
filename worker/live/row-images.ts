// Compares rows byte for byte, independent of how they are packed, to find which are new and where the others were.
import { CellType } from '#shared/packed-rows/format.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';

/** Type, length and full length of a preview, or type and number. */
const MAX_CELL_HEAD_BYTES = 13;

export class RowImages {
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
export function originsOf(after: RowImages, before: RowImages): Int32Array | null {
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
