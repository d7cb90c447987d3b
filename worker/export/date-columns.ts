// Finds the columns of an export whose values are all dates, before a spreadsheet is written: one cell that is none makes its column text.
import { CellType } from '#shared/packed-rows/format.ts';
import type { Cells } from './cells.ts';
import { readDate, type NoDate } from './date-text.ts';
import type { RowsHead } from './rows-head.ts';

/** `time`: at least one of the dates has a time. */
export type DateColumn = 'date' | 'time' | null;

const REASONS: Readonly<Record<NoDate, string>> = {
  other: 'a value that is not a date',
  impossible: 'a date or time that does not exist',
  early: 'a date before March 1, 1900, which spreadsheets do not agree about',
  fraction: 'a time with fractions of a second',
  zone: 'a time with a zone',
};
const MAX_SHOWN_BYTES = 40;

interface Found {
  readonly name: string;
  readonly place: number;
  /** `unknown`: only NULL so far. */
  kind: DateColumn | 'unknown';
  /** Set if the column began with dates. */
  problem: string | null;
}

/** Reads the rows of each table in turn, as a format would write them. */
export class DateColumns {
  readonly #tables: Found[][] = [];

  begin({ columns }: RowsHead): void {
    this.#tables.push(columns.map(({ name, place }) => ({ name, place, kind: 'unknown', problem: null })));
  }

  rows(cells: Cells, from: number, to: number): void {
    for (const column of this.#tables.at(-1)!) {
      if (column.kind === null) continue;
      for (let row = from; row < to && column.kind !== null; row++) note(column, cells, row);
    }
  }

  end(): void {}

  /** The columns of the table with this number, in their order. */
  of(table: number): readonly DateColumn[] {
    return (this.#tables[table] ?? []).map(({ kind }) => (kind === 'unknown' ? null : kind));
  }

  get names(): readonly string[] {
    const all = this.#tables.flat().filter(({ kind }) => kind === 'date' || kind === 'time');
    return [...new Set(all.map(({ name }) => name))];
  }

  /** Full sentences about the columns that were, and that were not, written as dates. */
  get sentences(): readonly string[] {
    const { names } = this;
    const problems = this.#tables.flat().flatMap(({ problem }) => problem ?? []);
    return [...(names.length === 0 ? [] : [`Written as dates of a spreadsheet: ${names.join(', ')}.`]), ...problems];
  }
}

function note(column: Found, cells: Cells, row: number): void {
  const cell = row * cells.columnCount + column.place;
  const type = cells.types[cell];
  if (type === CellType.null) return;
  const isText = type === CellType.text;
  const read = isText ? readDate(cells.heap, cells.start(cell), cells.length(cell)) : 'other';
  if (typeof read !== 'string') {
    column.kind = read.format > 0 || column.kind === 'time' ? 'time' : 'date';
    return;
  }
  // A column that begins with something else is none of dates.
  if (column.kind !== 'unknown' || read !== 'other')
    column.problem = problemOf(column.name, read, isText ? cells.bytes(cell) : null);
  column.kind = null;
}

function problemOf(name: string, why: NoDate, bytes: Uint8Array | null): string {
  const isShown = bytes !== null && bytes.length <= MAX_SHOWN_BYTES;
  const value = isShown ? `: “${new TextDecoder().decode(bytes)}”` : '';
  return `“${name}” was written as text, because it has ${REASONS[why]}${value}.`;
}
