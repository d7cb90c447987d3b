// Contents of a result's columns, from a sample of its rows: a chart is suggested from it.
import { dateOf, soundsLikeDate, type DateForm, dateAs, isoToMs } from '#shared/dates.ts';
import type { ColumnContents, ColumnExtremes } from '#shared/protocol/chart.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { KeptRows } from '../arrange/arranged-rows.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Pause, Turn } from '../../sessions/session.ts';
import { CellType } from '#shared/packed-rows/format.ts';
import { sliceEnd } from '../slice.ts';

/** Stretches of rows, evenly distributed. */
const STRETCHES = 8;
const STRETCH_ROWS = 128;
/** Characters compared to tell values apart: two long texts that begin alike count as one. */
const KEY_CHARS = 200;

export function columnContents(rows: KeptRows, columns: readonly ResultColumn[]): ColumnContents[] {
  const tallies = columns.map(({ name, declaredType }) => new Tally(soundsLikeDate(name, declaredType)));
  for (const [start, count] of stretchesOf(rows.rowCount)) {
    const cells = new PackedRowsReader(rows.read(start, count, Infinity));
    for (let row = 0; row < cells.rows.rowCount; row++)
      tallies.forEach((tally, column) => tally.add(cells, row, column));
  }
  return tallies.map((tally) => tally.finish());
}

/** @returns where each stretch begins, and its length */
function stretchesOf(total: number): readonly (readonly [number, number])[] {
  if (total <= STRETCHES * STRETCH_ROWS) return [[0, total]];
  return Array.from({ length: STRETCHES }, (_, index) => [
    Math.floor(((total - STRETCH_ROWS) * index) / (STRETCHES - 1)),
    STRETCH_ROWS,
  ]);
}

class Tally {
  readonly #numbersMayBeDates: boolean;
  readonly #distinct = new Set<string>();
  readonly #forms = new Map<DateForm, number>();
  #count = 0;
  #numbers = 0;
  #last = -Infinity;
  #isAscending = true;

  constructor(numbersMayBeDates: boolean) {
    this.#numbersMayBeDates = numbersMayBeDates;
  }

  add(cells: PackedRowsReader, row: number, column: number): void {
    const storageClass = cells.storageClass(row, column);
    if (storageClass === 'null') return;
    this.#count++;
    const text = cells.text(row, column);
    this.#distinct.add(`${storageClass} ${text.slice(0, KEY_CHARS)}`);
    const number = numberOf(cells, row, column);
    const form = storageClass === 'text' ? textForm(text) : this.#numberForm(cells, row, column);
    if (!Number.isNaN(number)) this.#numbers++;
    if (form) this.#forms.set(form, (this.#forms.get(form) ?? 0) + 1);
    const place = form === 'iso' ? dateNumberOf('iso')(cells, row, column) : number;
    if (Number.isNaN(place)) return;
    if (place < this.#last) this.#isAscending = false;
    this.#last = place;
  }

  finish(): ColumnContents {
    const [[dateForm, dates] = [null, 0]] = [...this.#forms].sort((a, b) => b[1] - a[1]);
    return {
      values: this.#count,
      numbers: this.#numbers,
      dates,
      dateForm,
      distinct: this.#distinct.size,
      isAscending: this.#isAscending,
    };
  }

  #numberForm(cells: PackedRowsReader, row: number, column: number): DateForm | null {
    return this.#numbersMayBeDates ? (dateOf(cells.value(row, column))?.form ?? null) : null;
  }
}

const textForm = (text: string): DateForm | null => (Number.isNaN(isoNumber(text)) ? null : 'iso');

/** Integers beyond 2^53 that round to one double count as equal. @throws AppError `invalid`, `stopped`, `not-found` */
export function* columnExtremes(turn: Turn, rows: KeptRows, column: number): Generator<Pause, ColumnExtremes> {
  if (!Number.isInteger(column) || column < 0 || column >= rows.columnCount)
    throw AppError.invalid('The result has no such column.');
  let [low, high] = [Infinity, -Infinity];
  let [least, greatest]: Value[] = [null, null];
  yield* walkRows(turn, rows, 'Reading', (cells) => {
    for (let row = 0; row < cells.rows.rowCount; row++) {
      const storageClass = cells.storageClass(row, column);
      if (storageClass !== 'integer' && storageClass !== 'real') continue;
      const number = cells.number(row, column);
      if (least === null || number < low) [low, least] = [number, cells.value(row, column)];
      if (greatest === null || number > high) [high, greatest] = [number, cells.value(row, column)];
    }
  });
  return { least: least ?? null, greatest: greatest ?? null };
}

// The number that a cell represents on an axis of a chart.

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

function isoNumber(text: string): number {
  const trimmed = text.trim();
  return isoToMs(MONTH.test(trimmed) ? `${trimmed}-01` : trimmed, 'utc') ?? NaN;
}

const finite = (number: number): number => (Number.isFinite(number) ? number : NaN);

const shortText = (cells: PackedRowsReader, row: number, column: number): string =>
  cells.sizeBytes(row, column) > MAX_CHARS ? '' : cells.text(row, column);

// Walks all kept rows of a result, in slices, with progress and Stop.

/**
 * @param take gets some rows, of which the first is row `start` of all
 * @throws AppError `stopped`; `not-found` when the rows were freed in the meantime
 */
export function* walkRows(
  turn: Turn,
  rows: KeptRows,
  phase: string,
  take: (cells: PackedRowsReader, start: number) => void,
): Generator<Pause, void> {
  const total = rows.rowCount;
  let row = 0;
  turn.measureBy(() => ({ phase, done: row, total, unit: 'rows' }));
  try {
    for (let end = sliceEnd(turn); row < total;) {
      const chunk = rows.chunkWith(row);
      take(new PackedRowsReader(chunk.rows), chunk.start);
      row = chunk.start + chunk.rows.rowCount;
      if (performance.now() < end) continue;
      if (turn.stopRequested) throw AppError.stopped('Stopped. Nothing was changed.');
      yield 'between';
      if (rows.disposed) throw AppError.notFound('These rows are no longer kept.');
      end = sliceEnd(turn);
    }
  } finally {
    turn.measureBy(null);
  }
}
