// Copying: the selection as tab-separated text that spreadsheets read back cell by cell.
import { formatCount } from '../../ui/format.ts';
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { GridColumn, GridSource } from '../grid-source.ts';
import { chosenNumber } from '../paint/cell-display.ts';
import { readShown } from '../rows/read-shown.ts';
import type { SeenRows } from '../rows/seen-rows.ts';
import { countOf, isSelected, selectedColumns, selectedRows } from './selection.ts';
import type { Bounds, Interval, Selection } from './selection.ts';
import { valueText } from './value-text.ts';

const MAX_CELLS = 1_000_000;
const MAX_CHARACTERS = 100_000_000;
const ROWS_A_READ = 1000;
/** Limit per value: longer ones would otherwise be cut silently. */
const MAX_VALUE_BYTES = 16 * 1024 * 1024;

export interface CopyRequest {
  readonly source: GridSource;
  readonly selection: Selection;
  readonly bounds: Bounds;
  /** Source column at each display index. */
  readonly columns: readonly number[];
  readonly seen: SeenRows;
  readonly withHeaders: boolean;
  /** The columns of the source, to copy what cells show; stored values are copied without it. */
  readonly shownAs?: readonly GridColumn[];
}

export type CopyOutcome =
  | { readonly kind: 'copied'; readonly text: string; readonly rows: number; readonly columns: number }
  /** A full sentence why copying was refused. */
  | { readonly kind: 'refused'; readonly message: string };

/** Reads whole values where only previews are loaded. Several ranges become one block; the cells between them stay empty. */
export async function copyCells(request: CopyRequest): Promise<CopyOutcome> {
  const { source, selection, bounds } = request;
  const intervals = selectedRows(selection, bounds);
  const displayColumns = listOf(selectedColumns(selection, bounds));
  const rows = countOf(intervals);
  const cells = rows * displayColumns.length;
  if (cells === 0) return { kind: 'refused', message: 'There is nothing to copy.' };
  if (cells > MAX_CELLS) {
    const message = `${formatCount(cells)} cells are too many for the clipboard. Select at most ${formatCount(MAX_CELLS)}, or export the database.`;
    return { kind: 'refused', message };
  }
  const lines: string[] = [];
  if (request.withHeaders)
    lines.push(
      displayColumns.map((displayIndex) => quoted(source.columns[request.columns[displayIndex]!]!.name)).join('\t'),
    );
  let characters = 0;
  for (const interval of intervals) {
    for (let start = interval.first; start <= interval.last; start += ROWS_A_READ) {
      const count = Math.min(ROWS_A_READ, interval.last - start + 1);
      const read = await readLines(request, start, count, displayColumns, cells === 1 && !request.withHeaders);
      if (read === null) return { kind: 'refused', message: TOO_LONG };
      for (const line of read) {
        characters += line.length;
        lines.push(line);
      }
      if (characters > MAX_CHARACTERS) {
        return { kind: 'refused', message: 'These values are too long for the clipboard. Select fewer cells.' };
      }
    }
  }
  return { kind: 'copied', text: lines.join('\n'), rows, columns: displayColumns.length };
}

const TOO_LONG =
  'A value of more than 16 MB is too long for the clipboard. Nothing was copied; export the database instead.';

/** Null if one of the values is too long. */
async function readLines(
  request: CopyRequest,
  start: number,
  count: number,
  displayColumns: readonly number[],
  raw: boolean,
): Promise<string[] | null> {
  const { source, selection, bounds } = request;
  const shown = await readShown(source, start, count, request.seen);
  const lines: string[] = [];
  for (const [at, { rows, index }] of shown.entries()) {
    const fields: string[] = [];
    for (const displayIndex of displayColumns) {
      const column = request.columns[displayIndex]!;
      if (!isSelected(selection, start + at, displayIndex, bounds)) fields.push('');
      else {
        const packed = column + source.hiddenColumns;
        if (rows.sizeBytes(index, packed) > MAX_VALUE_BYTES) return null;
        const value = rows.isPreview(index, packed)
          ? await source.readWhole({ position: start + at, column, rows, index })
          : rows.value(index, packed);
        const of = request.shownAs?.[column];
        const text = of ? shownText(rows, index, packed, value, of) : valueText(value);
        fields.push(raw ? text : quoted(text));
      }
    }
    lines.push(fields.join('\t'));
  }
  return lines;
}

/** The whole text of which the cell shows at least the beginning; blobs, of which cells show the size, are copied as stored. */
function shownText(rows: PackedRowsReader, row: number, packed: number, value: Value, of: GridColumn): string {
  const text = of.format?.textOf(value);
  if (text != null) return text;
  const storageClass = rows.storageClass(row, packed);
  const isNumber = storageClass === 'integer' || storageClass === 'real';
  return isNumber ? chosenNumber(rows, row, packed, of) : valueText(value);
}

/** Quotes only text that a spreadsheet would otherwise split or alter. */
export const quoted = (text: string): string => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function listOf(intervals: readonly Interval[]): readonly number[] {
  const list: number[] = [];
  for (const { first, last } of intervals) for (let at = first; at <= last; at++) list.push(at);
  return list;
}
