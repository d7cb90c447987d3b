// Cells of packed rows in the order in which SQLite sorts values byte by byte, and whether two are the same value of the same type.
import { CellType } from '#shared/packed-rows/format.ts';
import type { Cells } from '../export/cells.ts';

/** NULL, numbers, texts, BLOBs (sqlite.org/datatype3.html#sort_order), by cell type. */
const RANK = [0, 1, 1, 1, 2, 3];

/** Negative: the first comes first. An INTEGER and a REAL of the same value are in the same place. */
export function orderOfCells(one: Cells, at: number, other: Cells, to: number): number {
  const [left, right] = [one.types[at]!, other.types[to]!];
  const order = RANK[left]! - RANK[right]!;
  if (order !== 0 || left === CellType.null) return order;
  if (left >= CellType.text) return orderOfBytes(one, at, other, to);
  const [here, there] = [numberOf(one, at), numberOf(other, to)];
  // JavaScript compares a BigInt and a number exactly.
  return here < there ? -1 : here > there ? 1 : 0;
}

/** Storage classes differ although the places are the same: INTEGER comes before REAL. */
export const orderOfTypes = (one: Cells, at: number, other: Cells, to: number): number =>
  Number(one.types[at] === CellType.real) - Number(other.types[to] === CellType.real);

/** 0.0 and -0.0 are the same, as in SQLite. */
export function isSameCell(one: Cells, at: number, other: Cells, to: number): boolean {
  const type = one.types[at]!;
  if (type !== other.types[to]) return false;
  if (type === CellType.null) return true;
  if (type === CellType.bigInteger) return one.bigint(at) === other.bigint(to);
  if (type < CellType.text) return one.float(at) === other.float(to);
  return one.length(at) === other.length(to) && orderOfBytes(one, at, other, to) === 0;
}

const numberOf = (cells: Cells, at: number): number | bigint =>
  cells.types[at] === CellType.bigInteger ? cells.bigint(at) : cells.float(at);

function orderOfBytes(one: Cells, at: number, other: Cells, to: number): number {
  const [length, otherLength] = [one.length(at), other.length(to)];
  const [bytes, otherBytes] = [one.heap, other.heap];
  const most = Math.min(length, otherLength);
  for (let index = 0, here = one.start(at), there = other.start(to); index < most; index++, here++, there++)
    if (bytes[here] !== otherBytes[there]) return bytes[here]! - otherBytes[there]!;
  return length - otherLength;
}
