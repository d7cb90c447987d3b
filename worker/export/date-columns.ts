// Finds the columns of an export whose values are all dates, before a spreadsheet is written: one cell that is none makes its column text.
import { CellType } from '#shared/packed-rows/format.ts';
import type { Cells } from './cells.ts';
import type { RowsHead } from './rows-head.ts';

// Texts that are dates of ISO 8601, as the numbers that a spreadsheet has for them: days since the end of 1899, with a fraction for the time.

/** How the text is written: a day, or a day and a time to the minute or the second, after a blank or a T. A spreadsheet shows it the same way. */
export const DATE_FORMATS = ['yyyy-mm-dd', 'yyyy-mm-dd hh:mm', 'yyyy-mm-dd hh:mm:ss', 'yyyy-mm-dd"T"hh:mm', 'yyyy-mm-dd"T"hh:mm:ss'] as const; // prettier-ignore

interface SpreadsheetDate {
  readonly serial: number;
  /** Its place in {@link DATE_FORMATS}. */
  readonly format: number;
}

/** Why a text is no such date. */
type NoDate = 'other' | 'impossible' | 'early' | 'fraction' | 'zone';

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;
/** Day 0. Spreadsheets count a February 29, 1900, which never existed, so earlier dates are not the same in all of them. */
const DAY_0 = Date.UTC(1899, 11, 30);
const FIRST = 19_000_301;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const [DASH, COLON, POINT, PLUS, BLANK, T, Z] = Array.from('-:.+ TZ', (character) => character.charCodeAt(0)) as [number, number, number, number, number, number, number]; // prettier-ignore

/** @param bytes UTF-8 with the text from `start` on */
export function readDate(bytes: Uint8Array, start: number, length: number): SpreadsheetDate | NoDate {
  if (length < 10 || length > 40) return 'other';
  const at = (place: number): number => (place < length ? bytes[start + place]! : -1);
  const number = (place: number, digits: number): number => {
    let value = 0;
    for (let index = place; index < place + digits; index++) {
      const digit = at(index) - 0x30;
      if (digit < 0 || digit > 9) return NaN;
      value = value * 10 + digit;
    }
    return value;
  };
  const [year, month, day] = [number(0, 4), number(5, 2), number(8, 2)];
  if (Number.isNaN(year + month + day) || at(4) !== DASH || at(7) !== DASH) return 'other';
  let seconds = 0;
  let format = 0;
  if (length > 10) {
    const hasSeconds = at(16) === COLON;
    const [hour, minute, second] = [number(11, 2), number(14, 2), hasSeconds ? number(17, 2) : 0];
    if (Number.isNaN(hour + minute + second) || at(13) !== COLON || (at(10) !== BLANK && at(10) !== T)) return 'other';
    const rest = afterTime(at, hasSeconds ? 19 : 16, length);
    if (rest !== null) return rest;
    if (hour > 23 || minute > 59 || second > 59) return 'impossible';
    seconds = hour * 3600 + minute * 60 + second;
    format = (at(10) === T ? 3 : 1) + (hasSeconds ? 1 : 0);
  }
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return 'impossible';
  if (year * 10_000 + month * 100 + day < FIRST) return 'early';
  return { serial: (Date.UTC(year, month - 1, day) - DAY_0) / DAY_MS + seconds / DAY_SECONDS, format };
}

/** Null: nothing. */
function afterTime(at: (place: number) => number, from: number, length: number): NoDate | null {
  if (from === length) return null;
  const first = at(from);
  if (first === POINT) return 'fraction';
  return first === Z || first === PLUS || first === DASH ? 'zone' : 'other';
}

const daysOf = (year: number, month: number): number =>
  month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : DAYS[month - 1]!;

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
