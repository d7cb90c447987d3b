// How many rows a table has, as far as two seeks or the statistics tell: never a count of the whole table.
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';

/** Up to this many rows are counted, so that small tables show the truth. */
const COUNTED_ROWS = 1000;

export interface RowEstimate {
  readonly count: number;
  readonly estimated: boolean;
}

/** @param rowidName null for tables without a rowid */
export function estimateRows(connection: Connection, table: string, rowidName: string | null): RowEstimate | null {
  const from = `main.${quoteName(table)}`;
  const counted = Number(connection.one(`SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${COUNTED_ROWS + 1})`)![0]);
  if (counted <= COUNTED_ROWS) return { count: counted, estimated: false };
  const analyzed = analyzedRows(connection, table);
  const range = rowidName === null ? null : rowidRange(connection, table, rowidName);
  const bounds = [analyzed, range && range.max - range.min + 1].filter((bound) => bound !== null);
  return bounds.length === 0 ? null : { count: Math.max(counted, Math.min(...bounds)), estimated: true };
}

/** Smallest and largest rowid, rounded to doubles; null for an empty table. */
export function rowidRange(
  connection: Connection,
  table: string,
  rowidName: string,
): { min: number; max: number } | null {
  const from = `main.${quoteName(table)}`;
  const key = quoteName(rowidName);
  // Two subqueries: min() and max() in one SELECT would scan the table.
  const row = connection.one(`SELECT (SELECT min(${key}) FROM ${from}), (SELECT max(${key}) FROM ${from})`);
  return row && row[0] !== null ? { min: Number(row[0]), max: Number(row[1]) } : null;
}

/** The row count ANALYZE left behind (sqlite.org/fileformat2.html#stat1tab), or null. */
export function analyzedRows(connection: Connection, table: string): number | null {
  if (!connection.one("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_stat1'")) return null;
  const row = connection.one('SELECT max(CAST(stat AS INTEGER)) FROM main.sqlite_stat1 WHERE tbl = ? COLLATE NOCASE', [
    table,
  ]);
  return row && row[0] !== null ? Number(row[0]) : null;
}
