// Tests which cells of packed rows meet a condition of a filter, as SQLite has it for values without affinity or collation: for rows that
// are loaded already. The same conditions in SQL: worker/readers/filter-condition.ts.
import type { FILTER_OPERATORS } from './filter-operators.ts';
import { CellBuffers, compareCells } from './packed-rows/compare-cells.ts';
import { CellType } from './packed-rows/format.ts';
import type { PackedRows } from './packed-rows/format.ts';
import { PackedRowsReader } from './packed-rows/reader.ts';
import { PackedRowsWriter } from './packed-rows/writer.ts';
import { AppError } from './protocol/errors.ts';
import type { FilterTerm } from './protocol/rows.ts';
import { isRawText, isReal } from './protocol/values.ts';
import type { Value } from './protocol/values.ts';
import { RegularExpressions, assertRegularExpression } from './regular-expressions/regular-expressions.ts';
import { globMatcher, likeMatcher, lowered } from './text-patterns.ts';

/** A page under both views of it. */
export class TestedPage {
  readonly cells: PackedRowsReader;
  readonly buffers: CellBuffers;

  constructor(rows: PackedRows, cells = new PackedRowsReader(rows)) {
    this.cells = cells;
    this.buffers = new CellBuffers(rows);
  }
}

/** `column` counts packed columns. For a preview, only the loaded part is tested. */
export type CellTest = (page: TestedPage, row: number, column: number) => boolean;

export type CellCondition = Omit<FilterTerm, 'column'>;

/**
 * Blobs have no text: of the operators that look at text, only `not-contains` is true for them.
 *
 * @throws AppError `invalid` for an unknown operator, a value that cannot be searched for, or a bad regular expression
 */
export function cellTest({ operator, value, to = null, values = [] }: CellCondition): CellTest {
  switch (operator) {
    case 'is-null':
      return isNull;
    case 'is-not-null':
      return negated(isNull);
    case '=':
      return value === null ? isNull : comparing(value, (order) => order === 0);
    case '<>':
      return value === null ? negated(isNull) : comparing(value, (order) => order !== 0);
    case '<':
      return comparing(value, (order) => order < 0);
    case '<=':
      return comparing(value, (order) => order <= 0);
    case '>':
      return comparing(value, (order) => order > 0);
    case '>=':
      return comparing(value, (order) => order >= 0);
    case 'between':
      return both(
        comparing(value, (order) => order >= 0),
        comparing(to, (order) => order <= 0),
      );
    case 'in':
      return oneOf(values);
    case 'not-in':
      return negated(oneOf(values));
    case 'length=':
    case 'length<':
    case 'length>':
      return lengthTest(operator, value);
    default:
      return textTest(operator, value);
  }
}

type TextOperator = Extract<(typeof FILTER_OPERATORS)[number], { readonly operand: 'text' }>['id'];

function textTest(operator: TextOperator, value: Value): CellTest {
  const wanted = searchText(value);
  const small = lowered(wanted);
  const searching =
    (holds: (text: string) => boolean): CellTest =>
    (page, row, column) => {
      const text = textOf(page, row, column);
      return text !== null && holds(text);
    };
  switch (operator) {
    case 'contains':
      return searching((text) => lowered(text).includes(small));
    case 'not-contains':
      return negated(searching((text) => lowered(text).includes(small)));
    case 'starts-with':
      return searching((text) => lowered(text).startsWith(small));
    case 'ends-with':
      return searching((text) => lowered(text).endsWith(small));
    case 'like':
      return searching(likeMatcher(wanted));
    case 'glob':
      return searching(globMatcher(wanted));
    case 'regex': {
      assertRegularExpression(wanted);
      const expressions = new RegularExpressions();
      return searching((text) => expressions.test(wanted, text));
    }
    default:
      throw unknownOperator(operator);
  }
}

/** A window can send anything. */
function unknownOperator(operator: never): AppError {
  return AppError.invalid(`Results cannot be filtered by “${String(operator)}”. Remove it from the filter.`);
}

const isNull: CellTest = ({ buffers }, row, column) =>
  buffers.types[row * buffers.columnCount + column] === CellType.null;

const negated =
  (test: CellTest): CellTest =>
  (page, row, column) =>
    !test(page, row, column);

const both =
  (one: CellTest, other: CellTest): CellTest =>
  (page, row, column) =>
    one(page, row, column) && other(page, row, column);

/** A comparison with NULL is never true, on either side. */
function comparing(value: Value, holds: (order: number) => boolean): CellTest {
  if (value === null) return () => false;
  const operand = new CellBuffers(packed([value]));
  return (page, row, column) =>
    !isNull(page, row, column) &&
    holds(compareCells(page.buffers, row * page.buffers.columnCount + column, operand, 0));
}

/** NULL is a value like any other here. */
function oneOf(values: readonly Value[]): CellTest {
  const operands = new CellBuffers(packed(values));
  return ({ buffers }, row, column) => {
    const cell = row * buffers.columnCount + column;
    return values.some((_, at) => compareCells(buffers, cell, operands, at) === 0);
  };
}

function lengthTest(operator: 'length=' | 'length<' | 'length>', value: Value): CellTest {
  const wanted = typeof value === 'number' ? value : NaN;
  if (Number.isNaN(wanted)) throw AppError.invalid('A length is a whole number.');
  return (page, row, column) => {
    const length = lengthOf(page, row, column);
    if (length === null) return false;
    return operator === 'length=' ? length === wanted : operator === 'length<' ? length < wanted : length > wanted;
  };
}

/** Bytes of a blob; characters before the first NUL of anything else (sqlite.org/lang_corefunc.html#length). */
function lengthOf(page: TestedPage, row: number, column: number): number | null {
  const { cells } = page;
  if (cells.storageClass(row, column) === 'blob') return cells.sizeBytes(row, column);
  const text = textOf(page, row, column);
  if (text === null) return null;
  let length = 0;
  for (const character of text) {
    if (character === '\0') break;
    length++;
  }
  return length;
}

/** One column with these values. */
function packed(values: readonly Value[]): PackedRows {
  const writer = new PackedRowsWriter(1, { previewBytes: Infinity });
  for (const value of values) {
    if (typeof value === 'string') writer.text(value);
    else if (typeof value === 'bigint') writer.bigInteger(value);
    else if (value instanceof Uint8Array) writer.blob(value);
    else if (value === null) writer.null();
    else if (isRawText(value)) writer.textBytes(value.textBytes);
    else if (isReal(value)) writer.real(value.real);
    else if (Number.isSafeInteger(value)) writer.integer(value);
    else writer.real(value);
  }
  return writer.finish();
}

/** Null for values without a text: NULL and blobs. */
function textOf({ cells }: TestedPage, row: number, column: number): string | null {
  const storageClass = cells.storageClass(row, column);
  return storageClass === 'null' || storageClass === 'blob' ? null : cells.text(row, column);
}

function searchText(value: Value): string {
  if (isReal(value)) return String(value.real);
  if (value instanceof Uint8Array || isRawText(value))
    throw AppError.invalid('Only text and numbers can be searched for in a filter.');
  return String(value ?? '');
}
