// Puts rows in the order of a numeric column: a radix sort in passes of some ten milliseconds each, because SQLite's own sorter would block
// the thread until everything is sorted. Stable: equal values keep their order.
import { CellType } from '#shared/packed-rows/format.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';

const CHUNK = 65_536;
const DIGITS = 65_536;
const SIGN = 0x8000_0000;

export class NumericOrder {
  readonly #descending: boolean;
  /** The keys as pairs of 32-bit words. */
  #low = new Uint32Array(CHUNK);
  #high = new Uint32Array(CHUNK);
  #rowids = new Float64Array(CHUNK);
  #length = 0;

  constructor(descending: boolean) {
    this.#descending = descending;
  }

  /** Appends rows of (row id, value). Returns false when a value is neither NULL nor a number that a double represents exactly. */
  append({ types, slots, rowCount }: PackedRows): boolean {
    const floats = new Float64Array(slots);
    const words = new Uint32Array(slots);
    const flip = this.#descending ? 0xffff_ffff : 0;
    while (this.#length + rowCount > this.#rowids.length) this.#grow();
    for (let cell = 0; cell < rowCount * 2; cell += 2) {
      const type = types[cell + 1]!;
      if (type > CellType.real || type === CellType.bigInteger || types[cell] !== CellType.integer) return false;
      const row = this.#length++;
      this.#rowids[row] = floats[cell]!;
      let low = 0;
      let high = 0; // NULL sorts below every number
      if (type !== CellType.null) {
        low = words[cell * 2 + 2]!;
        high = words[cell * 2 + 3]!;
        // Maps the bits of a double so that they sort like its value; −0 and 0 are equal.
        if (high === SIGN && low === 0) high = SIGN;
        else if (high >= SIGN) [low, high] = [~low, ~high];
        else high |= SIGN;
      }
      this.#low[row] = low ^ flip;
      this.#high[row] = high ^ flip;
    }
    return true;
  }

  /** Yields null after each pass, then the row ids in order, a chunk at a time. */
  *sorted(): Generator<Float64Array | null> {
    let from = new Uint32Array(this.#length);
    for (let i = 0; i < from.length; i++) from[i] = i;
    let to = new Uint32Array(this.#length);
    for (const [words, shift] of [
      [this.#low, 0],
      [this.#low, 16],
      [this.#high, 0],
      [this.#high, 16],
    ] as const) {
      if (sortByDigit(words, shift, from, to)) [from, to] = [to, from];
      yield null;
    }
    for (let start = 0; start < this.#length; start += CHUNK) {
      const chunk = new Float64Array(Math.min(CHUNK, this.#length - start));
      for (let i = 0; i < chunk.length; i++) chunk[i] = this.#rowids[from[start + i]!]!;
      yield chunk;
    }
  }

  #grow(): void {
    const length = this.#rowids.length * 2;
    const [low, high, rowids] = [new Uint32Array(length), new Uint32Array(length), new Float64Array(length)];
    low.set(this.#low);
    high.set(this.#high);
    rowids.set(this.#rowids);
    [this.#low, this.#high, this.#rowids] = [low, high, rowids];
  }
}

/** Makes a pass over 16 bits of the keys. Returns false when all keys have the same bits there, so nothing was moved. */
function sortByDigit(words: Uint32Array, shift: number, from: Uint32Array, to: Uint32Array): boolean {
  const starts = new Uint32Array(DIGITS + 1);
  for (let row = 0; row < from.length; row++) starts[((words[row]! >>> shift) & 0xffff) + 1]!++;
  if (starts.includes(from.length)) return false;
  for (let digit = 1; digit <= DIGITS; digit++) starts[digit]! += starts[digit - 1]!;
  for (let i = 0; i < from.length; i++) {
    const row = from[i]!;
    to[starts[(words[row]! >>> shift) & 0xffff]!++] = row;
  }
  return true;
}
