// Compares cells of packed rows as SQLite orders values: NULL, numbers, text, blobs (sqlite.org/datatype3.html, section 4.1).
import { CellType } from './format.ts';
import type { PackedRows } from './format.ts';

/** Sort rank of each cell type. */
const RANKS = [0, 1, 1, 1, 2, 3, 2, 3] as const;

/** One page with its buffers, as a comparison needs them: nothing is decoded and nothing is allocated for a cell. */
export class CellBuffers {
  readonly columnCount: number;
  readonly types: Uint8Array;
  readonly floats: Float64Array;
  readonly bigs: BigInt64Array;
  readonly words: Uint32Array;
  readonly heap: Uint8Array;

  constructor({ columnCount, types, slots, heap }: PackedRows) {
    this.columnCount = columnCount;
    this.types = types;
    this.floats = new Float64Array(slots);
    this.bigs = new BigInt64Array(slots);
    this.words = new Uint32Array(slots);
    this.heap = heap;
  }
}

/**
 * Negative if cell `x` of `a` comes before cell `y` of `b`, 0 if they are equal. Cells are counted row by row. Text is compared byte by byte,
 * as the collation BINARY does.
 */
export function compareCells(a: CellBuffers, x: number, b: CellBuffers, y: number): number {
  const typeA = a.types[x]!;
  const typeB = b.types[y]!;
  const rank = RANKS[typeA]!;
  if (rank !== RANKS[typeB]) return rank - RANKS[typeB]!;
  if (rank === 0) return 0;
  if (rank > 1) return compareBytes(a, x, b, y);
  if (typeA !== CellType.bigInteger && typeB !== CellType.bigInteger) return signOf(a.floats[x]!, b.floats[y]!);
  return compareBig(a, x, b, y);
}

const signOf = (one: number | bigint, other: number | bigint): number => (one < other ? -1 : one > other ? 1 : 0);

/** JavaScript compares a `bigint` with a `number` exactly, as SQLite compares an INTEGER with a REAL. */
function compareBig(a: CellBuffers, x: number, b: CellBuffers, y: number): number {
  const one = a.types[x] === CellType.bigInteger ? a.bigs[x]! : a.floats[x]!;
  const other = b.types[y] === CellType.bigInteger ? b.bigs[y]! : b.floats[y]!;
  return signOf(one, other);
}

function compareBytes(a: CellBuffers, x: number, b: CellBuffers, y: number): number {
  const startA = a.words[x * 2]!;
  const startB = b.words[y * 2]!;
  const lengthA = a.words[x * 2 + 1]!;
  const lengthB = b.words[y * 2 + 1]!;
  const length = Math.min(lengthA, lengthB);
  for (let index = 0; index < length; index++) {
    const difference = a.heap[startA + index]! - b.heap[startB + index]!;
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
}
