// Contents of a result's columns, from a sample of its rows: a chart is suggested from it.
import { dateOf, soundsLikeDate } from '#shared/dates.ts';
import type { DateForm } from '#shared/dates.ts';
import type { ColumnContents } from '#shared/protocol/chart.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { KeptRows } from '../arrange/arranged-rows.ts';
import { dateNumberOf, isoNumber, numberOf } from './cell-numbers.ts';

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
