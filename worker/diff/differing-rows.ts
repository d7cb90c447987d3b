// Lets SQLite find the rows of two tables that may differ, where one connection reads both files: equal rows never reach JavaScript. What
// differs, and how, is decided by the merge alone, so a row too many does no harm here.
import { affinityOf } from '#shared/ddl/affinity.ts';
import { sameName } from '#shared/ddl/names.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import type { TableShape } from '../schema/table-shape.ts';
import { quoteName } from '../sql/quote.ts';
import { rowsQuery, type ComparedTable } from './compared-tables.ts';
import type { RowsFilter } from './ordered-rows.ts';

/** Keys of so many rows are in memory at a time. */
const MOST_ROWS = 16_384;
const FIRST_ROWS = 256;
/** No Stop is heard while SQLite compares a range, and rows can be large: one that takes longer is followed by a smaller one. */
const RANGE_MS = 50;
/** Where a larger part of a range may differ, all of it is merged: one key after another takes longer. */
const MOST_SINGLE = 1 / 8;
/** SQLite's expressions are at most 1,000 deep. */
const MAX_COLUMNS = 100;
const FIRST = -(2n ** 63n);
const LAST = 2n ** 63n - 1n;

export interface RowsPart {
  readonly rows: number;
  /** The filter of those that need a comparison; null: there are none. */
  readonly filter: RowsFilter | null;
}

/** Whether {@link differingRows} can be asked: both sides are ordered by an INTEGER PRIMARY KEY, which SQLite finds without an index. */
export const hasRanges = ({ isRowid, from, to, columns }: ComparedTable): boolean =>
  isRowid && from?.kind === 'table' && to?.kind === 'table' && columns.length <= MAX_COLUMNS;

/**
 * Returns all rows that may differ, in parts that follow each other in the order of the key.
 *
 * @param beside the schema of the second database in statements of the first
 */
export function* differingRows(
  connection: Connection,
  table: ComparedTable,
  beside: string,
  now = (): number => performance.now(),
): Generator<RowsPart> {
  const sql = statementsFor(table, beside);
  const count = (statement: string, ...params: readonly Value[]): number =>
    connection.one(statement, params)![0] as number;
  let size = FIRST_ROWS;
  for (let from = FIRST; ;) {
    const startedAtMs = now();
    const last = connection.one(sql.lastKey, [plain(from), size - 1]);
    const to = last === null ? LAST : BigInt(last[0] as number | bigint);
    const range = [plain(from), plain(to)];
    const rows = last === null ? count(sql.rows, ...range) : size;
    const mostSingle = Math.floor(size * MOST_SINGLE);
    // How many more there are makes no difference, and counting all the rest of a table would take long.
    const otherRows = count(sql.otherRows, ...range, rows + mostSingle + 1);
    const filter = filterOf(connection, sql, { range, rows, otherRows, mostSingle });
    const tookMs = now() - startedAtMs;
    yield { rows, filter };
    if (to === LAST) return;
    from = to + 1n;
    size = Math.min(MOST_ROWS, tookMs > RANGE_MS ? Math.ceil(size / 2) : size * 2);
  }
}

interface Range {
  readonly range: readonly Value[];
  readonly rows: number;
  readonly otherRows: number;
  readonly mostSingle: number;
}

function filterOf(
  connection: Connection,
  sql: Statements,
  { range, rows, otherRows, mostSingle }: Range,
): RowsFilter | null {
  const whole = { condition: (key: string) => `${key} BETWEEN ? AND ?`, params: range };
  if (Math.abs(otherRows - rows) > mostSingle) return whole;
  const here = connection.all(sql.differing, range);
  const missing = here.filter(([, isMissing]) => isMissing === 1).length;
  const added = otherRows - (rows - missing);
  if (here.length + added > mostSingle) return whole;
  const there = added === 0 ? [] : connection.all(sql.added, range);
  const keys = [...here, ...there].map(([key]) => String(key));
  if (keys.length === 0) return null;
  return { condition: (key) => `${key} IN (SELECT value FROM temp.json_each(?))`, params: [`[${keys.join(',')}]`] };
}

interface Statements {
  /** The last key of a range that begins with this one and skips so many rows; nothing if all the rest is one range. */
  readonly lastKey: string;
  readonly rows: string;
  readonly otherRows: string;
  readonly differing: string;
  readonly added: string;
}

function statementsFor(table: ComparedTable, beside: string): Statements {
  const [mine, theirs] = [rowsQuery(table, 'from')!, rowsQuery(table, 'to')!];
  const [key, ...columns] = mine.columns;
  const [otherKey, ...otherColumns] = theirs.columns;
  const other = `${beside}.${quoteName(table.to!.name)}`;
  const both = `b.${otherKey} = a.${key}`;
  const differs = columns.map((name, at) => {
    const isReal = [table.from!, table.to!].every((shape) => isRealIn(shape, table.columns[at + 1]!));
    return differsIn(`a.${name}`, `b.${otherColumns[at]!}`, isReal);
  });
  return {
    lastKey: `SELECT ${key} FROM ${mine.from} WHERE ${key} >= ? ORDER BY ${key} LIMIT 1 OFFSET ?`,
    rows: `SELECT count(*) FROM ${mine.from} WHERE ${key} BETWEEN ? AND ?`,
    otherRows: `SELECT count(*) FROM (SELECT 1 FROM ${other} WHERE ${otherKey} BETWEEN ? AND ? LIMIT ?)`,
    differing: `SELECT a.${key}, b.${otherKey} IS NULL FROM ${mine.from} AS a LEFT JOIN ${other} AS b ON ${both} WHERE a.${key} BETWEEN ? AND ? AND (${[`b.${otherKey} IS NULL`, ...differs].join(' OR ')})`,
    added: `SELECT b.${otherKey} FROM ${other} AS b LEFT JOIN ${mine.from} AS a ON ${both} WHERE b.${otherKey} BETWEEN ? AND ? AND a.${key} IS NULL`,
  };
}

/** SQLite reads every number in such a column as a REAL. */
function isRealIn({ columns, strict }: TableShape, name: string): boolean {
  const type = columns.find((column) => sameName(column.name, name))!.declaredType;
  return affinityOf(type, strict) === 'REAL';
}

/**
 * With the affinity and the collation of no column. Only an INTEGER and a REAL can be equal without being the same, and numbers come before
 * texts, which need no second look therefore.
 */
function differsIn(one: string, other: string, isReal: boolean): string {
  const values = `+${one} COLLATE BINARY IS NOT +${other}`;
  return isReal ? values : `${values} OR (+${one} < '' AND typeof(${one}) <> typeof(${other}))`;
}

const plain = (key: bigint): Value => (Number.isSafeInteger(Number(key)) ? Number(key) : key);
