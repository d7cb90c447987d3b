// Findings from the schema and the statistics, without reading rows: unneeded or missing indexes, tables without a key, row ids that end.
import type { Connection } from '../engines/engine.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { Findings, plainTables } from './findings.ts';
import { readIndexes, type TableIndexes, redundantIndexes } from './index-shapes.ts';
import type { Scan } from '../readers/scan.ts';
import type { HealthOverview } from '#shared/protocol/health.ts';

/** The planner reads the whole table rather than an index whose first value is that of more rows than this. */
const UNSELECTIVE_SHARE = 0.1;
const UNSELECTIVE_ROWS = 1000;
const LARGEST_ROW_ID = 2n ** 63n - 1n;
/** Share of all row ids. */
const ENDING_SHARE = 0.9;
const NAMED_TABLES = 5;

export function* checkStructure(scan: Scan): Generator<Pause, Findings> {
  const findings = new Findings();
  const { connection } = scan;
  const tables = plainTables(connection);
  const indexes = yield* readIndexes(scan);
  const keys = yield* readForeignKeys(scan);
  const names = new Set(connection.all('SELECT lower(name) FROM main.sqlite_schema').map(([name]) => name as string));
  for (const table of tables) {
    const own = indexes.get(table) ?? null;
    if (own) findRedundant(findings, table, own);
    for (const key of keys.get(table) ?? []) findKeyWithoutIndex(findings, { table, key, own, names });
    if (own && !own.hasPrimaryKey) findings.add({ kind: 'no-primary-key', table });
    yield* scan.pause();
  }
  yield* findUnselective(findings, scan);
  findMissingStatistics(findings, connection, indexes);
  yield* findEndingRowIds(findings, scan, indexes);
  return findings;
}

function findRedundant(findings: Findings, table: string, { shapes, rowidKey }: TableIndexes): void {
  const drop = (index: string) => [{ does: 'drop-index' as const, sql: `DROP INDEX main.${quoteName(index)}` }];
  for (const { index, covering, isSame } of redundantIndexes(shapes))
    findings.add(
      { kind: 'redundant-index', table, index: index.name, covering: covering.name, isSame },
      null,
      drop(index.name),
    );
  for (const { name, isAutomatic, columns, where } of shapes)
    // The table itself is sorted by its row ids.
    if (!isAutomatic && where === null && columns.length === 1 && columns[0]!.key === rowidKey)
      findings.add({ kind: 'redundant-index', table, index: name, covering: null, isSame: true }, null, drop(name));
}

interface KeyOfTable {
  readonly table: string;
  readonly key: DeclaredKey;
  readonly own: TableIndexes | null;
  /** Names of everything in the schema, in lower case. A new one is added. */
  readonly names: Set<string>;
}

function findKeyWithoutIndex(findings: Findings, { table, key, own, names }: KeyOfTable): void {
  const columns = key.columns.map(({ from }) => from);
  if (own && isServed(columns, own)) return;
  const base = `${table}_${columns.join('_')}`;
  let name = base;
  for (let number = 2; names.has(name.toLowerCase()); number++) name = `${base}_${number}`;
  names.add(name.toLowerCase());
  findings.add({ kind: 'key-without-index', table, columns, parent: key.parent }, null, [
    {
      does: 'create-index',
      sql: `CREATE INDEX main.${quoteName(name)} ON ${quoteName(table)} (${quoteNames(columns)})`,
    },
  ]);
}

/** Rows of the child are found by equality of all columns, so their order in the index does not matter. */
function isServed(columns: readonly string[], { shapes, columnsOf, rowidColumn }: TableIndexes): boolean {
  const wanted = new Set(columns.map((column) => column.toLowerCase()));
  if (wanted.size === 1 && rowidColumn !== null && wanted.has(rowidColumn.toLowerCase())) return true;
  return shapes.some(({ name, where }) => {
    const first = (columnsOf.get(name) ?? []).slice(0, wanted.size);
    return (
      where === null &&
      first.every((column) => column !== null && wanted.has(column.toLowerCase())) &&
      new Set(first).size === wanted.size
    );
  });
}

/** Index statistics are text: rows, then rows per value of the first column, of the first two, … (sqlite.org/fileformat2.html#stat1tab). */
function* findUnselective(findings: Findings, scan: Scan): Generator<Pause, void> {
  if (!hasStatistics(scan.connection)) return;
  const sql = `SELECT s.tbl, s.idx, s.stat FROM main.sqlite_stat1 s JOIN main.sqlite_schema m ON m.type = 'index' AND m.name = s.idx
    WHERE m.sql IS NOT NULL AND typeof(s.stat) = 'text'`;
  yield* scan.rows(sql, [], (row) => {
    const [table, index, stat] = [0, 1, 2].map((at) => String(row.value(at))) as [string, string, string];
    const [rows = 0, rowsPerKey = 0] = stat.split(' ').map(Number);
    if (!(rows >= UNSELECTIVE_ROWS) || !(rowsPerKey >= rows * UNSELECTIVE_SHARE)) return;
    findings.add({ kind: 'unselective-index', table, index, rows, rowsPerKey }, null, [
      { does: 'drop-index', sql: `DROP INDEX main.${quoteName(index)}` },
    ]);
  });
}

function findMissingStatistics(
  findings: Findings,
  connection: Connection,
  indexes: ReadonlyMap<string, TableIndexes>,
): void {
  const analyzed = new Set(
    hasStatistics(connection)
      ? connection.all('SELECT DISTINCT lower(tbl) FROM main.sqlite_stat1').map(([name]) => name as string)
      : [],
  );
  const missing = [...indexes]
    .filter(([name, { shapes }]) => shapes.length > 0 && !analyzed.has(name.toLowerCase()))
    .map(([name]) => name)
    .filter((name) => hasRows(connection, name));
  if (missing.length === 0) return;
  findings.add({ kind: 'no-statistics', tables: missing.slice(0, NAMED_TABLES), count: missing.length }, null, [
    { does: 'analyze', sql: missing.length === 1 ? `ANALYZE main.${quoteName(missing[0]!)}` : 'ANALYZE main' },
  ]);
}

/** ANALYZE stores nothing for an empty table. */
function hasRows(connection: Connection, table: string): boolean {
  try {
    return connection.one(`SELECT 1 FROM main.${quoteName(table)} LIMIT 1`) !== null;
  } catch {
    return false;
  }
}

function* findEndingRowIds(
  findings: Findings,
  scan: Scan,
  indexes: ReadonlyMap<string, TableIndexes>,
): Generator<Pause, void> {
  const { connection } = scan;
  const counters = new Map<string, bigint>();
  if (connection.one("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence' AND type = 'table'"))
    for (const [name, last] of connection.all(
      "SELECT name, seq FROM main.sqlite_sequence WHERE typeof(seq) = 'integer'",
    ))
      counters.set(String(name), BigInt(last as number | bigint));
  for (const [table, { rowidColumn }] of indexes) {
    if (rowidColumn === null) continue;
    const counter = counters.get(table);
    const last = counter ?? largestRowId(connection, table, rowidColumn);
    const share = Number(last) / Number(LARGEST_ROW_ID);
    if (share >= ENDING_SHARE)
      findings.add(
        { kind: 'row-ids-ending', table, isAutoincrement: counter !== undefined, share },
        `${quoteName(rowidColumn)} >= ${String((LARGEST_ROW_ID / 10n) * 9n)}`,
      );
    yield* scan.pause();
  }
}

function largestRowId(connection: Connection, table: string, column: string): bigint {
  try {
    const largest = connection.one(`SELECT max(${quoteName(column)}) FROM main.${quoteName(table)}`)?.[0] ?? 0;
    return BigInt(largest as number | bigint);
  } catch {
    // A damaged table: SQLite's own check says so.
    return 0n;
  }
}

export function statisticsOf(connection: Connection): HealthOverview['statistics'] {
  const indexed = "SELECT DISTINCT tbl_name FROM main.sqlite_schema WHERE type = 'index'";
  const tables = Number(connection.one(`SELECT count(*) FROM (${indexed})`)![0]);
  if (!hasStatistics(connection)) return { tables, analyzed: 0 };
  const analyzed = connection.one(`SELECT count(*) FROM (${indexed} INTERSECT SELECT tbl FROM main.sqlite_stat1)`);
  return { tables, analyzed: Number(analyzed![0]) };
}

const hasStatistics = (connection: Connection): boolean =>
  connection.one("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_stat1' AND type = 'table'") !== null;

export interface DeclaredKey {
  /** Number that `foreign_key_check` reports. */
  readonly id: number;
  readonly parent: string;
  /** `to` is null where the key names no columns: it leads to the primary key. */
  readonly columns: readonly { readonly from: string; readonly to: string | null }[];
}

const KEYS = `SELECT m.name, f.id, f."table", f."from", f."to" FROM main.sqlite_schema m JOIN temp.pragma_foreign_key_list(m.name, 'main') f
  WHERE m.type = 'table' ORDER BY m.rowid, f.id, f.seq`;

export function* readForeignKeys(scan: Scan): Generator<Pause, ReadonlyMap<string, readonly DeclaredKey[]>> {
  const found = new Map<string, (DeclaredKey & { readonly columns: { from: string; to: string | null }[] })[]>();
  yield* scan.rows(KEYS, [], (row) => {
    const [table, id, parent, from, to] = [0, 1, 2, 3, 4].map((at) => row.value(at));
    const keys = found.get(table as string) ?? [];
    found.set(table as string, keys);
    let key = keys.find((known) => known.id === Number(id));
    if (!key) keys.push((key = { id: Number(id), parent: parent as string, columns: [] }));
    key.columns.push({ from: from as string, to: to as string | null });
  });
  return found;
}
