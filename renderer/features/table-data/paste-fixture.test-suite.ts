// A table with a key, a name, numbers, and a generated column, and a grid over it: for tests of what is pasted.
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { CellPosition, Selection } from '../../grid/input/selection.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';

const COLUMNS = [
  { name: 'id', declaredType: 'INTEGER', generated: 'no' },
  { name: 'name', declaredType: 'TEXT', generated: 'no' },
  { name: 'price', declaredType: 'REAL', generated: 'no' },
  { name: 'stock', declaredType: 'INTEGER', generated: 'no' },
  { name: 'total', declaredType: '', generated: 'virtual' },
] as const;

/** Place of a column on screen. */
export const at = (row: number, name: (typeof COLUMNS)[number]['name']): CellPosition => ({
  row,
  displayIndex: COLUMNS.findIndex((column) => column.name === name),
});

export const pasteDatabase = 'paste-test';

/** Rows 1 to 3: ant, bee, cat. */
export const itemSource = {
  database: pasteDatabase,
  detail: { name: 'item', kind: 'table', strict: false, columns: COLUMNS },
  columns: COLUMNS,
  info: { key: { kind: 'rowid' } },
  hiddenColumns: 0,
  keyColumns: [0],
  extent: { rows: 3, exact: true },
  declaration: (column: number) => COLUMNS[column],
  async read(start: number, count: number) {
    const writer = new PackedRowsWriter(COLUMNS.length);
    const end = Math.min(3, start + count);
    for (let row = start; row < end; row++) {
      writer.integer(row + 1);
      writer.text(['ant', 'bee', 'cat'][row]!);
      writer.real(row + 1.5);
      if (row === 1) writer.null();
      else writer.integer(row);
      writer.real(0);
    }
    return { rows: writer.finish(), start, exactPosition: true, extent: { rows: 3 } };
  },
  keyOf: (rows: PackedRowsReader, index: number) => [rows.value(index, 0)],
} as unknown as TableSource;

export const gridWith = (from: CellPosition, to: CellPosition = from): GridHandle => {
  const selection: Selection = { ranges: [{ span: 'cells', from, to }] };
  return {
    selection,
    bounds: { rows: 3, displayColumns: COLUMNS.length },
    storedRows: 3,
    cursor: { row: from.row, column: from.displayIndex },
    columns: COLUMNS.map((_column, index) => index),
    seenIn: () => new Map(),
  } as unknown as GridHandle;
};
