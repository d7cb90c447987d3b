// Finds the row changes that turn one database into another: looks rows up by key on the other side, so order and collation do not matter.
import { AppError } from '#shared/protocol/errors.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { primaryKeyOf } from '#shared/primary-key.ts';
import type { DifferenceValue, RowDifference, TableCounts } from '#shared/protocol/history.ts';
import type { SourceComparison } from '#shared/protocol/source.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, Statement } from '../../engines/engine.ts';
import { listTables } from '../../engines/table-list.ts';
import { preview } from '../../history/differences.ts';
import { quoteName, quoteNames } from '../../sql/quote.ts';
import { sameBytes, sameRow, sameValue } from '../../sql/same-value.ts';
import { describeTable, keyCondition, keyNames, type TableShape } from '../../schema/table-shape.ts';

export const MAX_LISTED_ROWS = 1000;
/** Rows between two checks of the clock: well below a millisecond of work. */
const ROWS_A_STEP = 64;

export interface CompareStep {
  /** Rows compared so far. */
  readonly rows: number;
  /** A statement on `mine` is half read. */
  readonly readsMine: boolean;
}

type Kind = RowDifference['kind'];
type Steps = Generator<CompareStep, void, undefined>;

/** Receives each row that differs. Values are in the order of the table's columns. */
export interface RowSink {
  add(kind: Kind, key: readonly Value[], before: readonly Value[] | null, after: readonly Value[] | null): void;
}

interface Differences {
  /** Sentences on the schema. */
  readonly schema: readonly string[];
  /** Tables in both whose rows could not be compared, and why. */
  readonly left: readonly { readonly table: string; readonly why: string }[];
  readonly tablesCompared: number;
}

/** Changes that turn `mine` into `theirs`. Pauses every few rows. */
export function* compareDatabases(
  mine: Connection,
  theirs: Connection,
): Generator<CompareStep, SourceComparison, undefined> {
  const result = new ComparisonResult();
  const { schema, left, tablesCompared } = yield* findDifferences(mine, theirs, (table) => result.begin(table));
  const notes = [...schema, ...left.map(({ table, why }) => `Rows of “${table}” were not compared: ${why}`)];
  return { tables: result.tables, listed: result.listed, rows: result.rows, tablesCompared, notes };
}

/** @param begin called once per table, before its first row */
export function* findDifferences(
  mine: Connection,
  theirs: Connection,
  begin: (table: ComparedTable) => RowSink,
): Generator<CompareStep, Differences, undefined> {
  const schema = schemaDifferences(mine, theirs);
  const left: { table: string; why: string }[] = [];
  const there = new Set(tableNames(theirs));
  let tablesCompared = 0;
  for (const name of tableNames(mine).filter((each) => there.has(each))) {
    const why = yield* compareTable(begin, name, mine, theirs);
    if (why === null) tablesCompared++;
    else left.push({ table: name, why });
  }
  return { schema, left, tablesCompared };
}

/** Returns why the tables could not be compared, or null. */
export function* compareTable(
  begin: (table: ComparedTable) => RowSink,
  name: string,
  mine: Connection,
  theirs: Connection,
): Generator<CompareStep, string | null, undefined> {
  try {
    const [here, there] = [describeTable(mine, name), describeTable(theirs, name)];
    if (there.key.kind === 'none' || here.key.kind === 'none') return 'its row ids cannot be reached.';
    const [columns, theirColumns] = [storedColumns(here), storedColumns(there)];
    if (
      columns.join('\0') !== theirColumns.join('\0') ||
      keyNames(here.key).join('\0') !== keyNames(there.key).join('\0')
    )
      return 'its columns differ.';
    const table = { name, columns, shape: here };
    const rows = begin(table);
    // A virtual table may have to read all of itself for a range.
    if (here.key.kind === 'rowid' && here.kind === 'table')
      yield* compareByRanges(table, here.key.name, { mine, theirs }, rows);
    else yield* compareRows(table, ALL_ROWS, { mine, theirs }, rows);
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'sql') return error.message;
    throw error;
  }
}

export interface ComparedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly shape: TableShape;
}

interface Both {
  readonly mine: Connection;
  readonly theirs: Connection;
}

interface Rows {
  readonly where: string;
  readonly params: readonly Value[];
}

const ALL_ROWS: Rows = { where: '', params: [] };

function* compareByRanges(table: ComparedTable, rowid: string, both: Both, sink: RowSink): Steps {
  const where = ` WHERE ${quoteName(rowid)} BETWEEN ? AND ?`;
  for (const { from, to, rows, isSame } of compareRanges(table, rowid, both)) {
    if (isSame) yield { rows, readsMine: false };
    else yield* compareRows(table, { where, params: [from, to] }, both, sink);
  }
}

function* compareRows(table: ComparedTable, { where, params }: Rows, { mine, theirs }: Both, sink: RowSink): Steps {
  const { columns, shape } = table;
  const [keyNamesHere, from] = [keyNames(shape.key), `main.${quoteName(table.name)}`];
  const [keys, width] = [keyNamesHere.length, columns.length];
  const rows = { sql: `SELECT ${quoteNames([...keyNamesHere, ...columns])} FROM ${from}${where}`, params };
  const sameKey = `FROM ${from} WHERE ${keyCondition(shape.key)}`;
  const [find, exists] = [`SELECT ${quoteNames(columns)} ${sameKey}`, `SELECT 1 ${sameKey}`];
  let met = 0;
  yield* walkRows(theirs, { ...rows, readsMine: false, counts: true }, (row) => {
    const [key, after] = [valuesOf(row, 0, keys), valuesOf(row, keys, width)];
    const before = mine.one(find, key);
    if (before !== null) met++;
    if (before === null) sink.add('inserted', key, null, after);
    else if (!sameRow(before, after)) sink.add('updated', key, before, after);
  });
  const total = Number(mine.one(`SELECT count(*) FROM ${from}${where}`, params)![0]);
  if (total === met) return;
  yield* walkRows(mine, { ...rows, readsMine: true, counts: false }, (row) => {
    const key = valuesOf(row, 0, keys);
    if (theirs.one(exists, key) === null) sink.add('deleted', key, valuesOf(row, keys, width), null);
  });
}

const ROWS_A_RANGE = 2048;
const BYTES_A_RANGE = 4 << 20;
const FIRST = -(2n ** 63n);
const LAST = 2n ** 63n - 1n;

interface RowidRange {
  readonly from: bigint;
  readonly to: bigint;
  /** Rows of `theirs` in it. */
  readonly rows: number;
  readonly isSame: boolean;
}

/**
 * Finds the ranges of row ids in which two tables differ at all: rows that are the same to the last bit are never decoded. All ranges one
 * after the other, none open between them.
 */
function* compareRanges(
  { name, columns }: ComparedTable,
  rowid: string,
  { mine, theirs }: Both,
): Generator<RowidRange, void, undefined> {
  const key = quoteName(rowid);
  const sql = `SELECT ${quoteNames([rowid, ...columns])} FROM main.${quoteName(name)} WHERE ${key} BETWEEN ? AND ? ORDER BY ${key}`;
  const width = columns.length + 1;
  let from = FIRST;
  for (;;) {
    const there = pack(theirs, sql, [from, LAST], { width, maxRows: ROWS_A_RANGE, maxBytes: BYTES_A_RANGE });
    const { rowCount } = there.rows;
    const last = there.more ? new PackedRowsReader(there.rows).value(rowCount - 1, 0) : LAST;
    const to = BigInt(last as number | bigint);
    // Reads at most one row more than `theirs` has: that alone would be a difference.
    const here = pack(mine, sql, [from, to], { width, maxRows: rowCount + 1, maxBytes: there.sizeBytes + 1 });
    yield { from, to, rows: rowCount, isSame: sameRows(here.rows, there.rows) };
    if (to >= LAST) return;
    from = to + 1n;
  }
}

interface PackLimits {
  readonly width: number;
  readonly maxRows: number;
  readonly maxBytes: number;
}

function pack(
  connection: Connection,
  sql: string,
  params: readonly Value[],
  { width, maxRows, maxBytes }: PackLimits,
): { readonly rows: PackedRows; readonly sizeBytes: number; readonly more: boolean } {
  const statement = connection.prepare(sql);
  const writer = new PackedRowsWriter(width, { previewBytes: Infinity });
  try {
    statement.bind(params.map(plain));
    const more = statement.pack(writer, { maxRows, maxBytes });
    const { sizeBytes } = writer;
    return { rows: writer.finish(), sizeBytes, more };
  } finally {
    statement.finalize();
  }
}

const plain = (value: Value): Value =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;

function sameRows(one: PackedRows, other: PackedRows): boolean {
  return (
    one.rowCount === other.rowCount &&
    sameBytes(one.types, other.types) &&
    sameBytes(new Uint8Array(one.slots), new Uint8Array(other.slots)) &&
    sameBytes(one.heap, other.heap)
  );
}

interface Walk {
  readonly sql: string;
  readonly params?: readonly Value[];
  /** The statement is one of `mine`. */
  readonly readsMine: boolean;
  /** The rows count as progress. */
  readonly counts: boolean;
}

/** Gives each row of a query to `take`, and pauses every few rows. */
export function* walkRows(
  connection: Connection,
  { sql, params = [], readsMine, counts }: Walk,
  take: (row: Statement) => void,
): Steps {
  const statement = connection.prepare(sql);
  let seen = 0;
  try {
    statement.bind(params);
    while (statement.step()) {
      take(statement);
      if (++seen % ROWS_A_STEP === 0) yield { rows: counts ? ROWS_A_STEP : 0, readsMine };
    }
    yield { rows: counts ? seen % ROWS_A_STEP : 0, readsMine };
  } finally {
    statement.finalize();
  }
}

/** @returns `count` values of the row, from the column `from` on */
export function valuesOf(row: Statement, from: number, count: number): Value[] {
  return Array.from({ length: count }, (_, at) => row.value(from + at));
}

/** Names of stored columns; generated ones follow from the rest. */
export const storedColumns = ({ columns }: TableShape): string[] =>
  columns.filter(({ generated }) => generated === 'no').map(({ name }) => name);

export function tableNames(connection: Connection): string[] {
  return listTables(connection)
    .filter(({ name, kind }) => (kind === 'table' || kind === 'virtual') && !/^sqlite_/i.test(name))
    .map(({ name }) => name)
    .sort();
}

/** Counts and the first rows of all tables. */
export class ComparisonResult {
  readonly rows: RowDifference[] = [];
  readonly #all: TableResult[] = [];

  begin(compared: ComparedTable): TableResult {
    const table = new TableResult(compared, this.rows);
    this.#all.push(table);
    return table;
  }

  get tables(): readonly TableCounts[] {
    return this.#all.map(({ counts }) => counts).filter(hasRows);
  }

  get listed(): readonly TableCounts[] {
    return this.#all.map(({ listed }) => listed).filter(hasRows);
  }
}

const hasRows = ({ inserted, updated, deleted }: TableCounts): boolean => inserted + updated + deleted > 0;

class TableResult implements RowSink {
  readonly counts: { table: string } & Record<Kind, number>;
  readonly listed: { table: string } & Record<Kind, number>;
  readonly #columns: readonly string[];
  readonly #namedBy: readonly number[];
  readonly #rows: RowDifference[];

  constructor({ name, columns, shape }: ComparedTable, rows: RowDifference[]) {
    this.counts = { table: name, inserted: 0, updated: 0, deleted: 0 };
    this.listed = { ...this.counts };
    this.#columns = columns;
    this.#namedBy = primaryKeyIndexes(shape, columns);
    this.#rows = rows;
  }

  add(kind: Kind, key: readonly Value[], before: readonly Value[] | null, after: readonly Value[] | null): void {
    this.counts[kind]++;
    if (this.#rows.length >= MAX_LISTED_ROWS) return;
    this.listed[kind]++;
    const isSame = (at: number): boolean => kind === 'updated' && sameValue(before![at]!, after![at]!);
    const shown = (values: readonly Value[] | null): DifferenceValue[] | null =>
      values && values.map((value, at) => (isSame(at) ? undefined : preview(value)));
    const row = (after ?? before)!;
    this.#rows.push({
      table: this.counts.table,
      kind,
      key,
      name: nameIn(row, this.#namedBy),
      columns: this.#columns,
      before: shown(before),
      after: shown(after),
    });
  }
}

function nameIn(row: readonly Value[], places: readonly number[]): RowDifference['name'] {
  const name = places.map((at): Value => row[at]!);
  if (name.length === 0) return null;
  return name.includes(null) ? 'unknown' : name.map((value) => preview(value));
}

/** Places in `columns`; none where rows are found by the primary key. */
function primaryKeyIndexes({ key, rowidColumn, columns: all }: TableShape, columns: readonly string[]): number[] {
  if (key.kind !== 'rowid' || rowidColumn !== null) return [];
  return primaryKeyOf(all).map(({ name }) => columns.indexOf(name));
}

const NAMED_AT_MOST = 8;

/** Objects defined in only one of two databases, or differently, as sentences. */
export function schemaDifferences(mine: Connection, theirs: Connection): readonly string[] {
  const [here, there] = [schemaOf(mine), schemaOf(theirs)];
  const onlyHere = [...here.keys()].filter((name) => !there.has(name));
  const onlyThere = [...there.keys()].filter((name) => !here.has(name));
  const different = [...here.keys()].filter((name) => there.has(name) && there.get(name) !== here.get(name));
  return [
    ...sentence('Only in the source', onlyThere),
    ...sentence('Only in this copy', onlyHere),
    ...sentence('Defined differently', different),
  ];
}

/** Leaves out objects that SQLite creates automatically, which follow from the rest. */
function schemaOf(connection: Connection): ReadonlyMap<string, string> {
  const rows = connection.all(
    "SELECT type || ' ' || name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name",
  );
  return new Map(rows.map(([name, sql]) => [String(name), String(sql)]));
}

function sentence(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - NAMED_AT_MOST;
  return [`${what}: ${names.slice(0, NAMED_AT_MOST).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`];
}
