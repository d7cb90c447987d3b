// The number that a cell represents on an axis of a chart.
import { dateAs, isoToMs } from '#shared/dates.ts';
import type { DateForm } from '#shared/dates.ts';
import { CellType } from '#shared/packed-rows/format.ts';
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';

/** NaN where there is nothing to draw. */
export type CellNumber = (cells: PackedRowsReader, row: number, column: number) => number;

const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;
/** Longer texts are neither numbers nor dates. */
const MAX_CHARS = 40;
const MONTH = /^[+-]?\d{4}-\d\d$/;

/** Numbers, also those that are stored as text, as columns imported without a type have them. */
export const numberOf: CellNumber = (cells, row, column) => {
  switch (cells.type(row, column)) {
    case CellType.integer:
    case CellType.bigInteger:
    case CellType.real:
      return finite(cells.number(row, column));
    case CellType.text: {
      const text = shortText(cells, row, column);
      return NUMBER.test(text) ? finite(Number(text)) : NaN;
    }
    default:
      return NaN;
  }
};

/** Milliseconds since 1970 in UTC. A month without a day is its first day. */
export function dateNumberOf(form: DateForm): CellNumber {
  if (form !== 'iso') return (cells, row, column) => dateAs(form, numberOf(cells, row, column))?.atMs ?? NaN;
  return (cells, row, column) =>
    cells.type(row, column) === CellType.text ? isoNumber(shortText(cells, row, column)) : NaN;
}

export function isoNumber(text: string): number {
  const trimmed = text.trim();
  return isoToMs(MONTH.test(trimmed) ? `${trimmed}-01` : trimmed, 'utc') ?? NaN;
}

const finite = (number: number): number => (Number.isFinite(number) ? number : NaN);

const shortText = (cells: PackedRowsReader, row: number, column: number): string =>
  cells.sizeBytes(row, column) > MAX_CHARS ? '' : cells.text(row, column);
