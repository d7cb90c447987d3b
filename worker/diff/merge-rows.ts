// Walks two tables side by side in one order, and finds the rows that only one of them has, or that differ, in constant memory.
import { CellType } from '#shared/packed-rows/format.ts';
import { sameBytes } from '../sql/same-value.ts';
import { isSameCell, orderOfCells, orderOfTypes } from './cell-order.ts';
import type { OrderedRows, RowBlock } from './ordered-rows.ts';

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
