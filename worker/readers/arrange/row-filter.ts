// Which rows of a page match the filter of a result: the comparisons of a table's filter (`filter-sql.ts`), on values that are here already.
import type { ResultFilterTerm } from '#shared/protocol/arrange.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { isRawText, isReal } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { CellType } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { CellBuffers, compareCells } from './compare-cells.ts';

/** A page under both views of it. */
interface Page {
  readonly cells: PackedRowsReader;
  readonly buffers: CellBuffers;
}

type CellTest = (page: Page, row: number, column: number) => boolean;

export class RowFilter {
  readonly #terms: readonly { readonly columns: readonly number[]; readonly test: CellTest }[];

  /** @throws AppError `invalid` for a column that the result does not have, or a value that cannot be searched for */
  constructor(filter: readonly ResultFilterTerm[], columnCount: number) {
    this.#terms = filter.map((term) => ({ columns: columnsOf(term, columnCount), test: testOf(term) }));
  }

  get isEmpty(): boolean {
    return this.#terms.length === 0;
  }

  /** Appends the matching rows of a page, counted from `start`. */
  collect(rows: PackedRows, start: number, into: number[]): void {
    const page = { cells: new PackedRowsReader(rows), buffers: new CellBuffers(rows) };
    for (let row = 0; row < rows.rowCount; row++) {
      if (this.#terms.every(({ columns, test }) => columns.some((column) => test(page, row, column))))
        into.push(start + row);
    }
  }
}

function columnsOf({ column }: ResultFilterTerm, columnCount: number): readonly number[] {
  return column === null ? Array.from({ length: columnCount }, (_, index) => index) : [column];
}

function testOf({ operator, value }: ResultFilterTerm): CellTest {
  switch (operator) {
    case 'is-null':
      return isNull;
    case 'is-not-null':
      return (page, row, column) => !isNull(page, row, column);
    case 'contains': {
      const wanted = lowered(searchText(value));
      return (page, row, column) => textOf(page, row, column)?.includes(wanted) ?? false;
    }
    case 'starts-with': {
      const wanted = lowered(searchText(value));
      return (page, row, column) => textOf(page, row, column)?.startsWith(wanted) ?? false;
    }
    case '=':
      return value === null ? isNull : comparing(value, (order) => order === 0);
    case '<>':
      return value === null
        ? (page, row, column) => !isNull(page, row, column)
        : comparing(value, (order) => order !== 0);
    case '<':
      return comparing(value, (order) => order < 0);
    case '<=':
      return comparing(value, (order) => order <= 0);
    case '>':
      return comparing(value, (order) => order > 0);
    case '>=':
      return comparing(value, (order) => order >= 0);
    default:
      throw unknownOperator(operator);
  }
}

/** A window can send anything. */
function unknownOperator(operator: never): AppError {
  return new AppError({
    code: 'invalid',
    message: `Results cannot be filtered by “${String(operator)}”. Remove it from the filter.`,
  });
}

const isNull: CellTest = ({ buffers }, row, column) =>
  buffers.types[row * buffers.columnCount + column] === CellType.null;

/** A comparison with NULL is never true, on either side. */
function comparing(value: Value, holds: (order: number) => boolean): CellTest {
  if (value === null) return () => false;
  const operand = new CellBuffers(packed(value));
  return (page, row, column) =>
    !isNull(page, row, column) &&
    holds(compareCells(page.buffers, row * page.buffers.columnCount + column, operand, 0));
}

function packed(value: Value): PackedRows {
  const writer = new PackedRowsWriter(1, { previewBytes: Infinity });
  if (typeof value === 'string') writer.text(value);
  else if (typeof value === 'bigint') writer.bigInteger(value);
  else if (value instanceof Uint8Array) writer.blob(value);
  else if (value === null) writer.null();
  else if (isRawText(value)) writer.textBytes(value.textBytes);
  else if (isReal(value)) writer.real(value.real);
  else if (Number.isSafeInteger(value)) writer.integer(value);
  else writer.real(value);
  return writer.finish();
}

/** Null for values without a text: NULL and blobs. */
function textOf({ cells }: Page, row: number, column: number): string | null {
  const storageClass = cells.storageClass(row, column);
  return storageClass === 'null' || storageClass === 'blob' ? null : lowered(cells.text(row, column));
}

/** LIKE takes only the letters of ASCII for equal in both cases (sqlite.org/lang_expr.html#like). */
const lowered = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

function searchText(value: Value): string {
  if (isReal(value)) return String(value.real);
  if (value instanceof Uint8Array || isRawText(value))
    throw new AppError({ code: 'invalid', message: 'Only text and numbers can be searched for in a filter.' });
  return String(value ?? '');
}
