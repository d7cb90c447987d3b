// Finds the row changes that turn one database into another: looks rows up by key on the other side, so order and collation do not matter.
import { AppError } from '#shared/protocol/errors.ts';
import type { DifferenceValue, RowDifference, TableCounts } from '#shared/protocol/history.ts';
import type { SourceComparison } from '#shared/protocol/source.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, Statement } from '../../engines/engine.ts';
import { preview } from '../../history/differences.ts';
import { quoteName, quoteNames } from '../../sql/quote.ts';
import { sameValue } from '../../sql/same-value.ts';
import { describeTable, keyCondition, keyNames } from '../../schema/table-shape.ts';
import type { TableShape } from '../../schema/table-shape.ts';
import { compareRanges } from './compare-ranges.ts';
import { schemaDifferences } from './schema-differences.ts';

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

export interface Differences {
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
  const { name, columns } = table;
  const where = ` WHERE ${quoteName(rowid)} BETWEEN ? AND ?`;
  for (const { from, to, rows, isSame } of compareRanges({ table: name, rowid, columns }, both.mine, both.theirs)) {
    if (isSame) yield { rows, readsMine: false };
    else yield* compareRows(table, { where, params: [from, to] }, both, sink);
  }
}

function* compareRows(table: ComparedTable, rows: Rows, both: Both, sink: RowSink): Steps {
  const met = yield* lookUpTheirs(table, rows, both, sink);
  const { where, params } = rows;
  const total = Number(both.mine.one(`SELECT count(*) FROM main.${quoteName(table.name)}${where}`, params)![0]);
  if (total > met) yield* lookUpMine(table, rows, both, sink);
}

/** Rows that are new or different there. Returns how many are on both sides. */
function* lookUpTheirs(
  table: ComparedTable,
  { where, params }: Rows,
  { mine, theirs }: Both,
  sink: RowSink,
): Generator<CompareStep, number, undefined> {
  const keys = keyNames(table.shape.key).length;
  const walk = theirs.prepare(`SELECT ${selected(table)} FROM main.${quoteName(table.name)}${where}`);
  const find = mine.prepare(
    `SELECT ${quoteNames(table.columns)} FROM main.${quoteName(table.name)} WHERE ${keyCondition(table.shape.key)}`,
  );
  let [met, seen] = [0, 0];
  try {
    walk.bind(params);
    while (walk.step()) {
      const key = valuesOf(walk, 0, keys);
      const after = valuesOf(walk, keys, table.columns.length);
      find.bind(key);
      if (find.step()) {
        met++;
        const before = valuesOf(find, 0, table.columns.length);
        if (!before.every((value, at) => sameValue(value, after[at]!))) sink.add('updated', key, before, after);
      } else sink.add('inserted', key, null, after);
      find.reset();
      if (++seen % ROWS_A_STEP === 0) yield { rows: ROWS_A_STEP, readsMine: false };
    }
    yield { rows: seen % ROWS_A_STEP, readsMine: false };
  } finally {
    walk.finalize();
    find.finalize();
  }
  return met;
}

/** Rows that are gone there. */
function* lookUpMine(table: ComparedTable, { where, params }: Rows, { mine, theirs }: Both, sink: RowSink): Steps {
  const keys = keyNames(table.shape.key).length;
  const walk = mine.prepare(`SELECT ${selected(table)} FROM main.${quoteName(table.name)}${where}`);
  const find = theirs.prepare(`SELECT 1 FROM main.${quoteName(table.name)} WHERE ${keyCondition(table.shape.key)}`);
  let seen = 0;
  try {
    walk.bind(params);
    while (walk.step()) {
      const key = valuesOf(walk, 0, keys);
      find.bind(key);
      if (!find.step()) sink.add('deleted', key, valuesOf(walk, keys, table.columns.length), null);
      find.reset();
      if (++seen % ROWS_A_STEP === 0) yield { rows: 0, readsMine: true };
    }
  } finally {
    walk.finalize();
    find.finalize();
  }
}

const selected = ({ shape, columns }: ComparedTable): string => quoteNames([...keyNames(shape.key), ...columns]);

function valuesOf(statement: Statement, from: number, count: number): Value[] {
  return Array.from({ length: count }, (_, at) => statement.value(from + at));
}

/** Names of stored columns; generated ones follow from the rest. */
export const storedColumns = ({ columns }: TableShape): string[] =>
  columns.filter(({ generated }) => generated === 'no').map(({ name }) => name);

export function tableNames(connection: Connection): string[] {
  return connection
    .all(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .map(([name]) => String(name));
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
  return all
    .filter(({ primaryKeyIndex }) => primaryKeyIndex > 0)
    .sort((a, b) => a.primaryKeyIndex - b.primaryKeyIndex)
    .map(({ name }) => columns.indexOf(name));
}
