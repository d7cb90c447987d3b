// Estimates how many rows a table has, as far as two seeks or the statistics tell: a large table is never counted as a whole.
import { foldName } from '#shared/ddl/names.ts';
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
  // Each row counted on a server is paid for.
  const counts = connection.isMetered !== true;
  const few = counts ? countUpTo(connection, table, COUNTED_ROWS) : 0;
  if (counts && few <= COUNTED_ROWS) return { count: few, estimated: false };
  const bound = boundOf(connection, table, rowidName, analyzedRows(connection, table));
  const estimate = bound === null ? null : Math.max(few, bound);
  if (counts && mayCount > COUNTED_ROWS && (estimate === null || estimate <= mayCount)) {
    const count = countUpTo(connection, table, mayCount);
    if (count <= mayCount) return { count, estimated: false };
  }
  return estimate === null ? null : { count: estimate, estimated: true };
}

/**
 * Estimates without counting: two seeks.
 *
 * @param rowidName null for tables without a rowid
 * @param analyzed see {@link analyzedRowsOf}
 */
export function soughtRows(
  connection: Connection,
  table: string,
  rowidName: string | null,
  analyzed: number | null,
): RowEstimate | null {
  const count = boundOf(connection, table, rowidName, analyzed);
  return count === null ? null : { count, estimated: true };
}

/** The fewest rows that the statistics and the range of rowids allow. */
function boundOf(
  connection: Connection,
  table: string,
  rowidName: string | null,
  analyzed: number | null,
): number | null {
  const range = rowidName === null ? null : rowidRange(connection, table, rowidName);
  const bounds = [analyzed, range && range.max - range.min + 1].filter((bound) => bound !== null);
  return bounds.length === 0 ? null : Math.min(...bounds);
}

/**
 * Returns at most one more than `limit`. Counts row by row: `count(*)` of a whole table is one step, which neither a limit nor Stop ends,
 * and a damaged tree can name one page many times.
 */
function countUpTo(connection: Connection, table: string, limit: number): number {
  const rows = `SELECT 1 FROM main.${quoteName(table)} LIMIT ${limit + 1}`;
  return Number(connection.one(`SELECT count(*) FROM (${rows})`)![0]);
}

export interface RowidRange {
  readonly min: number;
  readonly max: number;
}

interface KeyedTable {
  readonly table: string;
  readonly rowidName: string;
}

/** Smallest and largest rowid, rounded to doubles; null for an empty table. */
export function rowidRange(connection: Connection, table: string, rowidName: string): RowidRange | null {
  return rowidRanges(connection, [{ table, rowidName }])[0]!;
}

/** Two columns for each table, of the 2,000 that a SELECT may have. */
const TABLES_A_SELECT = 500;

/** Ranges of several tables, which on a server take one round trip. */
export function rowidRanges(connection: Connection, tables: readonly KeyedTable[]): readonly (RowidRange | null)[] {
  const ranges: (RowidRange | null)[] = [];
  for (let at = 0; at < tables.length; at += TABLES_A_SELECT) {
    // Two subqueries: min() and max() in one SELECT would scan the table.
    const ends = tables.slice(at, at + TABLES_A_SELECT).flatMap(({ table, rowidName }) => {
      const from = `main.${quoteName(table)}`;
      return ['min', 'max'].map((end) => `(SELECT ${end}(${quoteName(rowidName)}) FROM ${from})`);
    });
    const row = connection.one(`SELECT ${ends.join(', ')}`)!;
    for (let end = 0; end < ends.length; end += 2)
      ranges.push(row[end] === null ? null : { min: Number(row[end]), max: Number(row[end + 1]) });
  }
  return ranges;
}

/** The row count ANALYZE left behind (sqlite.org/fileformat2.html#stat1tab), or null. */
const analyzedRows = (connection: Connection, table: string): number | null => analyzedRowsOf(connection, [table])[0]!;

/** Analyzed row counts of several tables. */
export function analyzedRowsOf(connection: Connection, tables: readonly string[]): readonly (number | null)[] {
  if (tables.length === 0 || !connection.one("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_stat1'"))
    return tables.map(() => null);
  const names = JSON.stringify(tables.map(foldName));
  const rows = connection.all(
    `SELECT lower(tbl), max(CAST(stat AS INTEGER)) FROM main.sqlite_stat1
     WHERE lower(tbl) IN (SELECT value FROM temp.json_each(?)) GROUP BY 1`,
    [names],
  );
  const counts = new Map(rows.map(([table, count]) => [table, count === null ? null : Number(count)]));
  return tables.map((table) => counts.get(foldName(table)) ?? null);
}
