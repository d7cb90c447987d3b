// The current cell, for the details panel.
import type { Detail } from '../../client/slices/detail.ts';
import type { GridHandle } from '../../grid/grid.tsx';
import { valueText } from '../../grid/value-text.ts';
import { formatCount } from '../../ui/format.ts';
import type { TableSource } from '../../client/table-source.ts';

/** Null while the row is not here, and in a row that is not stored yet. */
export function cellDetail(tabId: string, source: TableSource, grid: GridHandle): Detail | null {
  const { row, column } = grid.cursor;
  const cell = grid.cell(row, column);
  const packed = column + source.hiddenColumns;
  const info = source.info.columns[packed];
  if (!cell || !info) return null;
  const { rows, index } = cell;
  const key = source.keyOf(rows, index);
  const { name } = source.detail;
  return {
    tabId,
    database: source.database,
    title: key ? `${name} ${key.map(valueText).join(', ').slice(0, 60)}` : `${name}, row ${formatCount(row + 1)}`,
    column: info.name,
    declaredType: info.declaredType,
    origin: { table: name, column: info.name },
    row: {
      table: name,
      valueOf(other) {
        const place = source.info.columns.findIndex((each, at) => at >= source.hiddenColumns && each.name === other);
        return place < 0 || rows.isPreview(index, place) ? undefined : rows.value(index, place);
      },
    },
    value: rows.value(index, packed),
    storageClass: rows.storageClass(index, packed),
    sizeBytes: rows.sizeBytes(index, packed),
    complete: !rows.isPreview(index, packed),
    source: key
      ? { kind: 'cell', cell: { table: name, key, column: info.name } }
      : { kind: 'position', reader: source.info.reader, position: row, column: packed },
  };
}
