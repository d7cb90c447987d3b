// By which columns a row is told from others, and an order of rows that depends on their values alone.
import { sameName } from '#shared/ddl/names.ts';
import { primaryKeyOf } from '#shared/primary-key.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';
import { type TableShape, isFullText } from './table-shape.ts';

/** The counters of AUTOINCREMENT: what the next row gets is part of the content. */
export const COUNTERS = 'sqlite_sequence';

/** What names a row for a person; a row id that no column shows does not. */
export interface RowKey {
  readonly names: readonly string[];
  readonly isRowid: boolean;
  /** It is no column of the table. */
  readonly isHidden: boolean;
}

/** Null if nothing does. */
export function rowKeyOf(connection: Connection, { name, kind, key, columns, rowidColumn }: TableShape): RowKey | null {
  if (name === COUNTERS) return { names: ['name'], isRowid: false, isHidden: false };
  if (rowidColumn !== null) return { names: [rowidColumn], isRowid: true, isHidden: false };
  // A full-text table is joined by its row id; that of an R-Tree is its first column.
  if (kind === 'virtual' && isFullText(connection, name))
    return key.kind === 'rowid' ? { names: [key.name], isRowid: true, isHidden: true } : null;
  if (kind === 'virtual') return { names: [columns[0]!.name], isRowid: true, isHidden: false };
  const primary = primaryKeyOf(columns);
  const isComputed = primary.some(({ generated }) => generated !== 'no');
  if (primary.length === 0 || isComputed) return null;
  return { names: primary.map((column) => column.name), isRowid: false, isHidden: false };
}

/** Only SQLite's older tables can have NULL in a primary key (sqlite.org/lang_createtable.html#the_primary_key). */
export function hasNullableKey(
  { name, columns, withoutRowid, rowidColumn, kind }: TableShape,
  keys: readonly string[],
): boolean {
  if (withoutRowid || rowidColumn !== null || kind === 'virtual') return false;
  if (name === COUNTERS) return true;
  return keys.some((key) => columns.find((column) => sameName(column.name, key))?.notNull !== true);
}

export interface RowOrder {
  /** So many of the columns come first, as the key. */
  readonly keys: number;
  readonly isRowid: boolean;
  readonly isNullable: boolean;
}

/** An order of values alone, without the collations of the columns: they may differ, or be unknown here. */
export function orderBy({ keys, isRowid, isNullable }: RowOrder, columns: readonly string[]): string {
  if (isRowid) return columns[0]!;
  const ordered = keys > 0 && !isNullable ? columns.slice(0, keys) : columns;
  const types = ordered === columns ? columns.map((name) => `typeof(${name})`) : [];
  return [...ordered.map((name) => `${name} COLLATE BINARY`), ...types].join(', ');
}

/** The stored columns of a table, with a row id that counts as content, and the order of its rows by values alone. */
export function rowsInOrder(
  connection: Connection,
  shape: TableShape,
): { readonly names: readonly string[]; readonly orderBy: string } {
  const key = rowKeyOf(connection, shape);
  const stored = shape.columns.flatMap(({ name, generated }) => (generated === 'no' ? [name] : []));
  const keys = key?.names ?? [];
  const columns = [...keys, ...stored.filter((column) => !keys.includes(column))].map(quoteName);
  const isNullable = hasNullableKey(shape, keys);
  return {
    names: key?.isHidden === true ? [...keys, ...stored] : stored,
    orderBy: orderBy({ keys: keys.length, isRowid: key?.isRowid === true, isNullable }, columns),
  };
}

export const isUtf8 = (connection: Connection): boolean =>
  !String(connection.one('PRAGMA main.encoding')?.[0] ?? '').startsWith('UTF-16');
