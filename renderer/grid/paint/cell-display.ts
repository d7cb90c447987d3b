// The text and style of a cell: pure functions, from packed rows to a short text and how to paint it.
import { CellType } from '#shared/packed-rows/format.ts';
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { cut as cutText, firstChars, hasHidden, visibleLine } from '#shared/visible-text.ts';
import { formatBytes } from '../../ui/format.ts';
import type { GridColumn } from '../grid-source.ts';
import { cellFormat } from './cell-format.ts';
import { momentText, groupedDigits, hexBegin, momentOf } from './special-display.ts';

type CellStyle = 'text' | 'number' | 'null' | 'blob';

export interface CellDisplay {
  readonly text: string;
  readonly style: CellStyle;
  /** The text contains symbols or codes that stand for hidden characters: those are painted dimmed. */
  readonly hasSymbols: boolean;
  /** Combining marks are stacked so high that they would reach into neighboring rows: clipped to the cell. */
  readonly isTall: boolean;
  /** Only the beginning of the value is loaded: painted with … at the end. */
  readonly cut: boolean;
}

/** No column is wide enough for more, so the rest is neither scanned nor measured. */
const MAX_CHARACTERS = 400;

/** Matches most texts, which need no further checks. */
const ASCII = /^[\x20-\x7e]*$/;
const STACK = /\p{M}{3}/u;
const PLAIN = { hasSymbols: false, isTall: false, cut: false };
const NULL_CELL: CellDisplay = { ...PLAIN, text: 'NULL', style: 'null' };
let chosenNull = NULL_CELL;

export const displayNumber = (text: string): CellDisplay => ({ ...PLAIN, text, style: 'number' });
export const displayNull = (text = 'NULL'): CellDisplay => (text === 'NULL' ? NULL_CELL : { ...NULL_CELL, text });
export const displayBlob = (sizeBytes: number): CellDisplay => ({
  ...PLAIN,
  text: `blob · ${formatBytes(sizeBytes)}`,
  style: 'blob',
});

/** Display of a cell without a value, in the form that the user has chosen. */
function displayNoValue(): CellDisplay {
  if (chosenNull.text !== cellFormat.nullText) chosenNull = { ...NULL_CELL, text: cellFormat.nullText };
  return chosenNull;
}

/**
 * `column` counts packed columns.
 * @param of the column, for the forms that the user has chosen in place of stored values; without it, numbers are exact
 */
export function displayCell(rows: PackedRowsReader, row: number, column: number, of?: GridColumn): CellDisplay {
  const shown = of?.format?.show(rows, row, column);
  if (!shown) return displayStored(rows, row, column, of);
  const storageClass = rows.storageClass(row, column);
  const style = storageClass === 'integer' || storageClass === 'real' ? 'number' : 'text';
  return { ...displayText(shown.text, shown.isCut), style };
}

function displayStored(rows: PackedRowsReader, row: number, column: number, of: GridColumn | undefined): CellDisplay {
  switch (rows.type(row, column)) {
    case CellType.null:
      return displayNoValue();
    case CellType.blob:
    case CellType.blobPreview:
      return displayBytes(rows, row, column);
    case CellType.text:
    case CellType.textPreview:
      return displayText(rows.text(row, column), rows.isPreview(row, column));
    default:
      return displayNumber(of === undefined ? rows.text(row, column) : chosenNumber(rows, row, column, of));
  }
}

function displayBytes(rows: PackedRowsReader, row: number, column: number): CellDisplay {
  const sizeBytes = rows.sizeBytes(row, column);
  const display = displayBlob(sizeBytes);
  if (cellFormat.blobs === 'size' || sizeBytes === 0) return display;
  return { ...display, text: `${hexBegin(rows.bytes(row, column), sizeBytes)} · ${formatBytes(sizeBytes)}` };
}

/** A number in the form that the settings give it. */
export function chosenNumber(rows: PackedRowsReader, row: number, column: number, of: GridColumn): string {
  const text = rows.text(row, column);
  const { dates, groupsDigits } = cellFormat;
  if (dates !== 'stored' && of.holdsDates) {
    const moment = momentOf(rows.number(row, column));
    if (moment !== null) return momentText(moment, dates);
  }
  return groupsDigits && !of.key && !of.link && !of.holdsDates ? groupedDigits(text) : text;
}

/** Displays a text as one line of at most 400 characters, with hidden characters made visible. */
export function displayText(text: string, cut: boolean): CellDisplay {
  const kept = firstChars(text, MAX_CHARACTERS);
  const display = { ...PLAIN, text: kept, style: 'text', cut: cut || kept.length < text.length } as const;
  if (ASCII.test(kept)) return display;
  const isTall = STACK.test(kept);
  return hasHidden(kept)
    ? { ...display, text: firstSpelled(visibleLine(kept)), hasSymbols: true, isTall }
    : { ...display, isTall };
}

/** A column name for a header: SQLite allows names of any length, and empty ones. */
export const headerText = (name: string): string => visibleLine(cutText(name, MAX_CHARACTERS));

/** A joiner or variation selector is part of the spelling only between its neighbors: at the end of what is shown it would be hidden. */
const firstSpelled = (line: string): string =>
  line.length <= MAX_CHARACTERS ? line : firstChars(line, MAX_CHARACTERS).replace(/\p{DI}$/u, '');

/** The parts of a displayed text, in order: symbols and codes that stand for hidden characters, and the text between them. */
export const symbolParts = (text: string): readonly string[] => text.split(/([\u2400-\u2421⏎⇥]|\[U\+[0-9A-F]{4,6}\])/);

/** Display of the value that an empty cell of a row that is not stored yet will get. */
export const unsetDisplay = ({ defaultText }: { readonly defaultText?: string }): CellDisplay =>
  displayNull(headerText(defaultText ?? 'NULL'));
