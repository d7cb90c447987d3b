// How many rows a table has, as far as two seeks or the statistics tell: a large table is never counted as a whole.
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';

/** Up to this many rows are always counted, so that small tables show the truth. */
const COUNTED_ROWS = 1000;
/** Counting all tables of a file of at most this size reads no more than that. */
const COUNTED_BYTES = 32 * 1024 * 1024;
/** 20 ms of a wasm engine. */
const COUNTED_IN_ALL = 200_000;

export interface RowEstimate {
  readonly count: number;
  readonly estimated: boolean;
}

/** How many rows of tables may be counted one by one to list a whole schema; of a large file only small tables are counted. */
export function countableRows(connection: Connection): number {
  const bytes =
    Number(connection.one('PRAGMA main.page_count')![0]) * Number(connection.one('PRAGMA main.page_size')![0]);
  return bytes <= COUNTED_BYTES ? COUNTED_IN_ALL : COUNTED_ROWS;
}

/**
 * @param rowidName null for tables without a rowid
 * @param mayCount a table that seems to have no more rows than these is counted
 */
export function estimateRows(
  connection: Connection,
  table: string,
  rowidName: string | null,
  mayCount = COUNTED_ROWS,
): RowEstimate | null {
  const few = countUpTo(connection, table, COUNTED_ROWS);
  if (few <= COUNTED_ROWS) return { count: few, estimated: false };
  const analyzed = analyzedRows(connection, table);
  const range = rowidName === null ? null : rowidRange(connection, table, rowidName);
  const bounds = [analyzed, range && range.max - range.min + 1].filter((bound) => bound !== null);
  const estimate = Math.max(few, Math.min(...bounds));
  if (mayCount > COUNTED_ROWS && (bounds.length === 0 || estimate <= mayCount)) {
    const count = countUpTo(connection, table, mayCount);
    if (count <= mayCount) return { count, estimated: false };
  }
  return bounds.length === 0 ? null : { count: estimate, estimated: true };
}

/**
 * At most one more than `limit`. Row by row: `count(*)` of a whole table is one step, which neither a limit nor Stop ends, and a damaged tree
 * can name one page many times.
 */
function countUpTo(connection: Connection, table: string, limit: number): number {
  const rows = `SELECT 1 FROM main.${quoteName(table)} LIMIT ${limit + 1}`;
  return Number(connection.one(`SELECT count(*) FROM (${rows})`)![0]);
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
