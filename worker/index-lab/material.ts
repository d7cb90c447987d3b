// Material that the lab takes from a database: the schema of what a statement reads, its statistics, and a sample of the rows.
import { foldName } from '#shared/ddl/names.ts';
import type { Value } from '#shared/protocol/values.ts';
import { namesIn } from '../sql/source-names.ts';
import type { Connection } from '../engines/engine.ts';
import { shadowNames } from '../engines/table-list.ts';
import type { Scan } from '../readers/scan.ts';
import { estimateRows, rowidRange } from '../schema/row-estimate.ts';
import { describeTable, type TableShape } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { readIndexSql } from './index-parts.ts';

/** Up to this many rows are read whole, and so many of a larger table. */
const SAMPLE_ROWS = 2000;
/** Adjacent rows are read together: a seek costs as much as some rows. */
const ROWS_A_PLACE = 5;
/** Long values make sampling slow: fewer rows are enough then. */
const SAMPLE_MS = 250;

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

/** A table that the statement reads, with its own rows. */
export interface LabTable {
  readonly name: string;
  /** Columns that an index could help with: those that the statement, or a view that it reads, names. */
  readonly named: readonly string[];
  /** All columns that the statement reads. */
  readonly read: readonly string[];
  readonly rowidColumn: string | null;
  /** Columns by which another index finds a row, besides a row id. */
  readonly primaryKey: readonly string[];
  /** Null if that is not known. */
  readonly rows: number | null;
  /** Columns of {@link sample}; a row id comes before their values. */
  readonly sampled: readonly string[];
  readonly sample: readonly (readonly Value[])[];
}

export interface LabMaterial {
  readonly sql: string;
  readonly schema: readonly SchemaRow[];
  /** The rest of the schema, for a statement that cannot be compiled without it. */
  readonly others: readonly SchemaRow[];
  /** All names that are taken, folded. */
  readonly names: ReadonlySet<string>;
  readonly tables: readonly LabTable[];
  /** The rows of `sqlite_stat1` and, with STAT4, of `sqlite_stat4`. */
  readonly stat1: readonly (readonly Value[])[];
  readonly stat4: readonly (readonly Value[])[];
}

/** @throws AppError `sql` if the statement cannot be compiled */
export function* readMaterial(scan: Scan, sql: string, indexes: readonly string[]): Generator<Pause, LabMaterial> {
  const { connection } = scan;
  const { reads, involved } = whatItReads(connection, sql);
  for (const index of indexes) involved.add(foldName(readIndexSql(index).table));
  const all = schemaRows(connection);
  const schema = all.filter(({ type, table }) => type !== 'trigger' && involved.has(foldName(table)));
  const words = wordsIn([sql, ...schema.filter(({ type }) => type === 'view').map((row) => row.sql)]);
  const tables: LabTable[] = [];
  for (const row of schema.filter(({ type }) => type === 'table')) {
    yield* scan.pause();
    const shape = describeTable(connection, row.name);
    if (shape.kind !== 'table') continue;
    const read = reads.get(foldName(row.name)) ?? new Set();
    const ofIndexes = wordsIn([
      ...indexes,
      ...schema.filter(({ type, table }) => type === 'index' && table === row.name).map((index) => index.sql),
    ]);
    tables.push(readTable(connection, shape, { read, words, ofIndexes }));
  }
  return {
    sql,
    schema,
    others: all.filter((row) => !schema.includes(row)),
    names: new Set(connection.all('SELECT name FROM main.sqlite_schema').map(([name]) => foldName(name as string))),
    tables,
    stat1: statRows(connection, 'sqlite_stat1'),
    stat4: statRows(connection, 'sqlite_stat4'),
  };
}

/** Tables and views by folded name, and the columns read. */
function whatItReads(connection: Connection, sql: string) {
  const statement = connection.prepare(sql);
  try {
    const reads = new Map(
      statement.reads.map(({ table, columns }) => [foldName(table), new Set([...columns].map(foldName))]),
    );
    const written = statement.writtenTables ?? [];
    return { reads, involved: new Set([...reads.keys(), ...written.map(foldName)]) };
  } finally {
    statement.finalize();
  }
}

/** Leaves out shadow tables, which their virtual table creates. */
function schemaRows(connection: Connection): readonly SchemaRow[] {
  const shadows = new Set(shadowNames(connection));
  return connection
    .all(
      `SELECT type, name, tbl_name, sql FROM main.sqlite_schema m WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       ORDER BY type = 'table' DESC, type = 'index' DESC, type = 'view' DESC, m.rowid`,
    )
    .map(([type, name, table, sql]) => ({ type, name, table, sql }) as unknown as SchemaRow)
    .filter(({ table }) => !shadows.has(table));
}

function wordsIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => [...namesIn(text)]));
}

interface Mentions {
  readonly read: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly ofIndexes: ReadonlySet<string>;
}

function readTable(connection: Connection, shape: TableShape, { read, words, ofIndexes }: Mentions): LabTable {
  const { name, key, rowidColumn } = shape;
  const columns = shape.columns.map((column) => column.name);
  const primaryKey = key.kind === 'primary-key' ? key.columns.map((column) => column.name) : [];
  const isRead = columns.filter((column) => read.has(foldName(column)));
  const sampled = columns.filter(
    (column) =>
      isRead.includes(column) ||
      primaryKey.includes(column) ||
      words.has(foldName(column)) ||
      ofIndexes.has(foldName(column)),
  );
  const rowid = key.kind === 'rowid' ? key.name : null;
  const sample = sampleOf(connection, name, rowid, sampled);
  return {
    name,
    named: isRead.filter((column) => words.has(foldName(column)) && column !== rowidColumn),
    read: isRead,
    rowidColumn,
    primaryKey,
    rows: sample.isWhole ? sample.rows.length : (estimateRows(connection, name, rowid)?.count ?? null),
    sampled,
    sample: sample.rows,
  };
}

interface Sample {
  readonly rows: readonly (readonly Value[])[];
  readonly isWhole: boolean;
}

/** The whole table, or rows from all over it. */
function sampleOf(connection: Connection, table: string, rowid: string | null, columns: readonly string[]): Sample {
  const from = `main.${quoteName(table)}`;
  const list = [rowid === null ? 'NULL' : quoteName(rowid), ...columns.map(quoteName)].join(', ');
  const endMs = performance.now() + SAMPLE_MS;
  const begun: (readonly Value[])[] = [];
  const first = connection.prepare(`SELECT ${list} FROM ${from} LIMIT ${SAMPLE_ROWS}`);
  let isWhole = true;
  try {
    while (first.step()) {
      begun.push(Array.from({ length: columns.length + 1 }, (_, at) => first.value(at)));
      if (performance.now() < endMs) continue;
      isWhole = false;
      break;
    }
  } finally {
    first.finalize();
  }
  if (begun.length < SAMPLE_ROWS) return { rows: begun, isWhole };
  const range = rowid === null ? null : rowidRange(connection, table, rowid);
  if (range === null) return { rows: begun, isWhole: false };
  return { rows: spread(connection, { from, list, rowid: rowid!, range, endMs }), isWhole: false };
}

interface Spread {
  readonly from: string;
  readonly list: string;
  readonly rowid: string;
  readonly range: { readonly min: number; readonly max: number };
  readonly endMs: number;
}

function spread(connection: Connection, { from, list, rowid, range, endMs }: Spread): readonly (readonly Value[])[] {
  const rows: (readonly Value[])[] = [];
  const key = quoteName(rowid);
  const places = SAMPLE_ROWS / ROWS_A_PLACE;
  let last: bigint | null = null;
  for (let place = 0; place < places && (rows.length === 0 || performance.now() < endMs); place++) {
    const wanted = BigInt(Math.round(range.min + ((range.max - range.min) * place) / places));
    // Sparse row ids may lead to rows that were already read.
    const start: bigint = last !== null && wanted <= last ? last + 1n : wanted;
    const found = connection.all(
      `SELECT ${list} FROM ${from} WHERE ${key} >= ? ORDER BY ${key} LIMIT ${ROWS_A_PLACE}`,
      [start],
    );
    rows.push(...found);
    const end = found.at(-1)?.[0];
    if (end === undefined) break;
    last = BigInt(end as number | bigint);
  }
  return rows;
}

function statRows(connection: Connection, table: 'sqlite_stat1' | 'sqlite_stat4'): readonly (readonly Value[])[] {
  if (connection.one('SELECT 1 FROM main.sqlite_schema WHERE name = ?', [table]) === null) return [];
  return connection.all(`SELECT * FROM main.${table}`);
}
