// The display format that is chosen for a column, as its grid shows and edits cells in it.
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { problem, type Parsed } from '#shared/display-formats/format.ts';
import { formatOf, isEditedIn, type FormatChoice } from '#shared/display-formats/formats.ts';
import { zoneLabel } from '#shared/display-formats/moment-text.ts';
import type { StorageClass, Value } from '#shared/protocol/values.ts';
import type { Detail } from '../../state/slices/detail.ts';
import type { ColumnFormat, ShownText } from '../../grid/grid-source.ts';
import { realFrom } from './typed-text.ts';
import type { Affinity } from './typed-value.ts';

export interface ChosenFormat extends ColumnFormat {
  readonly choice: FormatChoice;
  /** Whether a typed text replaces this value by way of the format; otherwise the stored value is edited. */
  isEdited(value: Value): boolean;
  /** The same for a value of which only the beginning has been read. */
  isLongEdited(storageClass: StorageClass): boolean;
  /** The exact value of a typed text, or a sentence why there is none. The text that is shown for a value stands for that very value. */
  parse(text: string, stored: Value): Parsed;
}

/** A multiple of every format’s `wholeBytes`, and more than any cell shows. */
const MOST_BYTES = 300;

/**
 * Null if values are shown as stored: nothing is chosen, or what is chosen is not known here.
 * @param affinity of the column, by which SQLite would convert some values when it stores them
 */
export function chosenFormat(choice: FormatChoice | undefined, affinity: Affinity = 'blob'): ChosenFormat | null {
  const format = choice && formatOf(choice);
  if (!choice || !format) return null;
  const { zone } = choice;
  const textOf = (value: Value): string | null => format.show(value, zone);
  const show = (rows: PackedRowsReader, row: number, column: number): ShownText | null => {
    const isPreview = rows.isPreview(row, column);
    if (!format.classes.includes(rows.storageClass(row, column))) return null;
    if (format.wholeBytes === undefined || (!isPreview && rows.sizeBytes(row, column) <= MOST_BYTES)) {
      const text = isPreview ? null : textOf(rows.value(row, column));
      return text === null ? null : { text, isCut: false };
    }
    const text = textOf(rows.bytes(row, column).slice(0, MOST_BYTES));
    return text === null ? null : { text, isCut: true };
  };
  return {
    choice,
    label: format.hasZone ? `${format.name}, ${zoneLabel(zone)}` : format.name,
    show: eachCellOnce(show),
    textOf,
    // A column of texts would store the digits of a number.
    isEdited: (value) =>
      isEditedIn(format, zone, value) && (value !== null || affinity !== 'text' || format.group === 'bytes'),
    // Long values fit only formats that show any bytes.
    isLongEdited: (storageClass) =>
      format.parse !== undefined && format.wholeBytes !== undefined && format.classes.includes(storageClass),
    parse(text, stored) {
      if (text.trim() === textOf(stored)) return { value: stored };
      const parsed = format.parse!(text, zone, stored);
      return 'value' in parsed && isMadeNumber(parsed.value, affinity) ? MADE_NUMBER : parsed;
    },
  };
}

const MADE_NUMBER = problem('The type of this column turns these digits into a number, which loses some of them.');

/** UUIDs without dashes can be digits alone, or digits and one “e”. */
const isMadeNumber = (value: Value, affinity: Affinity): boolean =>
  typeof value === 'string' && affinity !== 'text' && affinity !== 'blob' && realFrom(value, false) !== null;

/** For the details panel. @param text null: the value is shown as stored */
export const shownAs = (format: ChosenFormat | null, text: string | null): NonNullable<Detail['shownAs']> | null =>
  format && { format: format.label, text };

type Show = ColumnFormat['show'];

/** Cells are painted many times, and named zones take their time. */
function eachCellOnce(show: Show): Show {
  const pages = new WeakMap<PackedRowsReader, Map<number, ShownText | null>>();
  return (rows, row, column) => {
    let known = pages.get(rows);
    if (!known) pages.set(rows, (known = new Map()));
    const cell = row * rows.rows.columnCount + column;
    let shown = known.get(cell);
    if (shown === undefined) known.set(cell, (shown = show(rows, row, column)));
    return shown;
  };
}
