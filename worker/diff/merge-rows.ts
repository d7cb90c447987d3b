// Walks two tables side by side in one order, and finds the rows that only one of them has, or that differ, in constant memory.
import { CellType } from '#shared/packed-rows/format.ts';
import { sameBytes } from '../sql/same-value.ts';
import type { OrderedRows, RowBlock } from './ordered-rows.ts';
import type { Cells } from '../export/cells.ts';

/** A row of a block. */
export interface BlockRow {
  readonly block: RowBlock;
  readonly row: number;
}

/** Which of the columns that both sides begin with are compared. */
export interface MergedColumns {
  /** The first are the key; 0: rows are matched as a whole. */
  readonly keys: number;
  /** So many are compared, the key included. */
  readonly width: number;
}

/** Receives each row that differs. A null stands for the side that lacks it. */
export type DifferenceSink = (before: BlockRow | null, after: BlockRow | null) => void;

const BLOCK_ROWS = 2048;

/** @yields the rows compared since the last time */
export function* mergeRows(
  mine: OrderedRows | null,
  theirs: OrderedRows | null,
  columns: MergedColumns,
  sink: DifferenceSink,
): Generator<number, void> {
  const [here, there] = [new Cursor(mine), new Cursor(theirs)];
  for (;;) {
    const isFresh = !here.hasRow && !there.hasRow;
    // As many as are left on the other side, so that both come to the end of their blocks together again.
    if (!here.hasRow) here.fill(there.hasRow ? there.left : BLOCK_ROWS);
    if (!there.hasRow) there.fill(here.hasRow ? here.left : BLOCK_ROWS);
    if (!here.hasRow && !there.hasRow) return;
    const before = here.left + there.left;
    if (isFresh && isSameBlock(here.block, there.block)) {
      here.skip();
      there.skip();
    } else mergeBlocks(here, there, columns, sink);
    yield Math.ceil((before - here.left - there.left) / 2);
  }
}

/** Until the end of a block. */
function mergeBlocks(here: Cursor, there: Cursor, columns: MergedColumns, sink: DifferenceSink): void {
  const isBoth = here.hasRow && there.hasRow;
  while (here.hasRow || there.hasRow) {
    if (isBoth && !(here.hasRow && there.hasRow)) return;
    const order = !there.hasRow ? -1 : !here.hasRow ? 1 : orderOfRows(here, there, columns);
    if (order < 0) sink(here.take(), null);
    else if (order > 0) sink(null, there.take());
    else if (isSameRow(here, there, columns)) {
      here.row++;
      there.row++;
    } else sink(here.take(), there.take());
  }
}

class Cursor {
  block: RowBlock | null = null;
  row = 0;
  readonly #rows: OrderedRows | null;

  constructor(rows: OrderedRows | null) {
    this.#rows = rows;
  }

  get left(): number {
    return this.block === null ? 0 : this.block.cells.rowCount - this.row;
  }

  get hasRow(): boolean {
    return this.left > 0;
  }

  /** Index of the first cell of the row. */
  get cell(): number {
    return this.row * this.block!.cells.columnCount;
  }

  fill(maxRows: number): void {
    this.block = this.#rows?.read(maxRows) ?? null;
    this.row = 0;
  }

  skip(): void {
    this.row += this.left;
  }

  take(): BlockRow {
    return { block: this.block!, row: this.row++ };
  }
}

function isSameBlock(one: RowBlock | null, other: RowBlock | null): boolean {
  if (one === null || other === null) return false;
  const [left, right] = [one.rows, other.rows];
  return (
    left.rowCount === right.rowCount &&
    sameBytes(left.types, right.types) &&
    sameWords(left.slots, right.slots) &&
    sameBytes(left.heap, right.heap)
  );
}

function sameWords(one: ArrayBuffer, other: ArrayBuffer): boolean {
  const [left, right] = [new Uint32Array(one), new Uint32Array(other)];
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false;
  return true;
}

function orderOfRows(here: Cursor, there: Cursor, { keys, width }: MergedColumns): number {
  const [one, other, at, to] = [here.block!.cells, there.block!.cells, here.cell, there.cell];
  let isKey = keys > 0;
  for (let index = 0; index < keys; index++) {
    const order = orderOfCells(one, at + index, other, to + index);
    if (order !== 0) return order;
    // Several rows can have a key with a NULL in it.
    isKey &&= one.types[at + index] !== CellType.null;
  }
  if (isKey) return 0;
  for (let index = keys; index < width; index++) {
    const order = orderOfCells(one, at + index, other, to + index);
    if (order !== 0) return order;
  }
  for (let index = 0; index < width; index++) {
    const order = orderOfTypes(one, at + index, other, to + index);
    if (order !== 0) return order;
  }
  return 0;
}

function isSameRow(here: Cursor, there: Cursor, { width }: MergedColumns): boolean {
  const [one, other, at, to] = [here.block!.cells, there.block!.cells, here.cell, there.cell];
  for (let index = 0; index < width; index++) if (!isSameCell(one, at + index, other, to + index)) return false;
  return true;
}

// Cells of packed rows in the order in which SQLite sorts values byte by byte, and whether two are the same value of the same type.

/** NULL, numbers, texts, BLOBs (sqlite.org/datatype3.html#sort_order), by cell type. */
const RANK = [0, 1, 1, 1, 2, 3];

/** Negative: the first comes first. An INTEGER and a REAL of the same value are in the same place. */
function orderOfCells(one: Cells, at: number, other: Cells, to: number): number {
  const [left, right] = [one.types[at]!, other.types[to]!];
  const order = RANK[left]! - RANK[right]!;
  if (order !== 0 || left === CellType.null) return order;
  if (left >= CellType.text) return orderOfBytes(one, at, other, to);
  const [here, there] = [numberOf(one, at), numberOf(other, to)];
  // JavaScript compares a BigInt and a number exactly.
  return here < there ? -1 : here > there ? 1 : 0;
}

/** Storage classes differ although the places are the same: INTEGER comes before REAL. */
const orderOfTypes = (one: Cells, at: number, other: Cells, to: number): number =>
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
