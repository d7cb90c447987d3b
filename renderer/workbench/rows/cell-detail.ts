// A cell of a table, for the details panel.
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { primaryKeyOf } from '#shared/primary-key.ts';
import type { Value } from '#shared/protocol/index.ts';
import type { Detail, DetailEditing } from '../../state/slices/detail.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import type { CachedRow } from '../../grid/rows/row-cache.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { formatCount } from '../../ui/format.ts';
import { shownAs, type ChosenFormat } from '../cells/column-format.ts';
import type { TableSource } from './table-source.ts';
import { whyColumnIsFixed } from './edit-session.ts';

export const NOT_SAVED = 'This row is not saved yet. Change it in the table.';

/** Null for a column that the table no longer has. */
export function cellDetail(
  tabId: string,
  source: TableSource,
  cell: CellReference,
  format: ChosenFormat | null = null,
): Detail | null {
  const { position: row, column } = cell;
  const packed = column + source.hiddenColumns;
  const info = source.info.columns[packed];
  if (!info) return null;
  const { rows, index } = cell;
  const key = source.keyOf(rows, index);
  const { name } = source.detail;
  return {
    tabId,
    database: source.database,
    title: rowTitle(source, { rows, index }, row),
    column: info.name,
    declaredType: info.declaredType,
    origin: { table: name, column: info.name, references: source.declaration(column)?.references ?? null },
    row: {
      table: name,
      valueOf(other) {
        const columnIndex = source.info.columns.findIndex(
          (each, at) => at >= source.hiddenColumns && each.name === other,
        );
        return columnIndex < 0 || rows.isPreview(index, columnIndex) ? undefined : rows.value(index, columnIndex);
      },
    },
    value: rows.value(index, packed),
    shownAs: shownAs(format, format?.show(rows, index, packed)?.text ?? null),
    storageClass: rows.storageClass(index, packed),
    sizeBytes: rows.sizeBytes(index, packed),
    complete: !rows.isPreview(index, packed),
    editing: editingOf(source, rows, column, key),
    source: key
      ? { kind: 'cell', cell: { table: name, key, column: info.name } }
      : { kind: 'position', reader: source.info.reader, position: row, column: packed },
  };
}

function editingOf(
  source: TableSource,
  rows: PackedRowsReader,
  column: number,
  key: readonly Value[] | null,
): DetailEditing | string {
  const why = whyColumnIsFixed(source, column);
  if (why !== null) return why;
  if (source.unsaved.idOf(rows) !== null) return NOT_SAVED;
  if (source.unsaved.isDeleted(rows)) return 'This row is marked for deletion. Undo the deletion to change it.';
  if (!key) return 'The key of this row is too long to change the row here. Use an SQL statement.';
  const { declaredType, notNull } = source.declaration(column)!;
  return {
    declaredType,
    notNull,
    isStrict: source.detail.strict,
    stored: (before, after) => source.ownEdits.note(key, column, before, after),
  };
}

/** “Track 12”, or “Track, row 3” where the key is not known. */
function rowTitle(source: TableSource, { rows, index }: CachedRow, row: number): string {
  const table = source.detail.name;
  const key = knownKeyOf(source, rows, index) ?? source.keyOf(rows, index);
  return key ? `${table} ${key.map(valueText).join(', ').slice(0, 60)}` : `${table}, row ${formatCount(row + 1)}`;
}

/**
 * Key by which people know the row. Null if a part is NULL, which SQLite allows outside STRICT and WITHOUT ROWID tables, or is not fully
 * loaded.
 */
function knownKeyOf(source: TableSource, rows: PackedRowsReader, index: number): readonly Value[] | null {
  const positions = primaryKeyOf(source.detail.columns).map(({ name }) =>
    source.info.columns.findIndex((column, at) => at >= source.hiddenColumns && column.name === name),
  );
  const isHere = (position: number): boolean => position >= 0 && !rows.isPreview(index, position);
  if (positions.length === 0 || !positions.every(isHere)) return null;
  const key = positions.map((columnIndex) => rows.value(index, columnIndex));
  return key.includes(null) ? null : key;
}
