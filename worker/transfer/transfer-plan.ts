// Steps of a transfer: definitions in an order in which they work, rows with their row ids, full-text indexes rebuilt.
import { AppError } from '#shared/protocol/errors.ts';
import type { LeftOut, TransferPlan, TransferTable, TransferProblem } from '#shared/protocol/transfer.ts';
import type { Column } from '#shared/protocol/schema.ts';
import type { Connection, DefinedObject } from '../engines/engine.ts';
import { kindsOf, schemaOf, storedRows } from '../export/dump-parts.ts';
import type { SchemaObject } from '../export/rows-head.ts';
import { virtualTableDump } from '../export/virtual-table.ts';
import { affinityOf } from '../import/affinity.ts';
import { describeTable } from '../schema/table-shape.ts';
import { quoteName } from '../sql/quote.ts';

export type TransferStep =
  | {
      readonly do: 'define';
      readonly object: DefinedObject;
      /** The table or view that an index or trigger belongs to; otherwise its own name. */
      readonly table: string;
      readonly sql: string;
      /** Columns of a plain table for its rows, where SQLite cannot make it; empty: it has no rows of its own. */
      readonly columns: readonly string[];
    }
  /** A statement of ours, which needs the table `of` as it is defined. */
  | {
      readonly do: 'run';
      readonly sql: string;
      readonly params: readonly (string | number | bigint)[];
      readonly of: string;
    }
  | {
      readonly do: 'rows';
      readonly table: string;
      readonly columns: readonly string[];
      /** The one of them that is the row id; null: none. */
      readonly rowid: string | null;
      readonly sql: string;
      readonly isNew: boolean;
      /** Rows that are left out; null: none. */
      readonly lost: LostDigits | null;
    };

type RowsStep = Extract<TransferStep, { do: 'rows' }>;

interface Steps {
  readonly steps: readonly TransferStep[];
  readonly notes: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

const nothingChanged = (message: string, code: 'invalid' | 'exists' | 'not-found' = 'invalid'): AppError =>
  new AppError({ code, message: `${message} Nothing was changed.` });

/**
 * @param source where the tables already have their future names
 * @throws AppError `exists`, `not-found`, `invalid`
 */
export function planSteps(source: Connection, target: Connection, plan: TransferPlan): Steps {
  const notes: string[] = [];
  const leftOut: LeftOut[] = [];
  const schema = schemaOf(source);
  const kinds = kindsOf(source);
  const added = new Map(plan.tables.filter(({ how }) => how === 'new').map((table) => [table.into, table]));
  const isOf = (type: SchemaObject['type']) => (row: SchemaObject) => row.type === type && added.has(row.name);
  assertFree(target, [...added.keys()]);
  const tables = schema.filter(isOf('table'));
  const plain = tables.filter(({ name }) => kinds.get(name) !== 'virtual');
  const virtual = tables
    .filter(({ name }) => kinds.get(name) === 'virtual')
    .map((row) => ({ ...row, dump: virtualTableDump(source, row.name, row.sql) }));
  const steps: TransferStep[] = [];
  const belongings = objectsOf(schema, added, target, leftOut);
  const indexes = plan.indexes ? belongings.filter(({ object }) => object.kind === 'index') : [];
  const appends = plan.tables.filter(({ how }) => how === 'append');
  for (const { name } of plan.withoutOthers === true ? [] : plain)
    assertParents(source, target, name, { added, areKeysOff: appends.length === 0 || plan.looseKeys === true });
  // Tables may refer to each other, and to keys that are indexes.
  const rows = new Map<string, RowsStep>(plain.map(({ name }) => [name, rowsOf(source, name)]));
  for (const { name, sql } of plain) steps.push(define('table', name, sql, { columns: plainColumns(rows.get(name)!) }));
  steps.push(...indexes.filter(isUnique));
  for (const table of appends) {
    const step = appended(source, target, table);
    rows.set(step.table, step);
  }
  for (const name of parentsFirst([...rows.keys()], parentsOf(source, target, plain, appends)))
    steps.push(rows.get(name)!);
  for (const { name, sql, dump } of virtual) {
    const own = dump.hasRows ? rowsOf(source, name) : null;
    steps.push(define('virtual', name, sql, { columns: own === null ? [] : plainColumns(own) }));
    steps.push(...dump.settings.map((setting) => run(name, setting)), ...(own === null ? [] : [own]));
    notes.push(...dump.notes);
  }
  steps.push(...indexes.filter((index) => !isUnique(index)));
  for (const { name, sql } of schema.filter(isOf('view'))) steps.push(define('view', name, sql));
  for (const { name, dump } of virtual) steps.push(...dump.rebuild.map((sql) => run(name, sql)));
  if (plan.triggers) steps.push(...belongings.filter(({ object }) => object.kind === 'trigger'));
  steps.push(...sequences(source, added));
  return { steps, notes, leftOut };
}

const define = (
  kind: DefinedObject['kind'],
  name: string,
  sql: string,
  { table = name, columns = [] }: { readonly table?: string; readonly columns?: readonly string[] } = {},
) => ({ do: 'define', object: { kind, name }, table, sql, columns }) as const;
const run = (of: string, sql: string, params: readonly (string | number | bigint)[] = []) =>
  ({ do: 'run', sql, params, of }) as const;

const isUnique = ({ sql }: { readonly sql: string }): boolean => /^CREATE\s+UNIQUE\s/i.test(sql);

interface Chosen {
  readonly added: ReadonlyMap<string, TransferTable>;
  /** Rows are copied without their foreign keys. */
  readonly areKeysOff: boolean;
}

/** While foreign keys are on, SQLite accepts no row without the parent tables; a parent that is not chosen is likely forgotten. */
function assertParents(source: Connection, target: Connection, name: string, { added, areKeysOff }: Chosen): void {
  const names = new Set([...added.keys()].map((table) => table.toLowerCase()));
  for (const [parent] of source.all('SELECT DISTINCT "table" FROM temp.pragma_foreign_key_list(?)', [name])) {
    const isThere =
      names.has(String(parent).toLowerCase()) ||
      target.one("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [parent!]);
    const isInFile = source.one("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [
      parent!,
    ]);
    if (!isThere && (isInFile || !areKeysOff))
      throw nothingChanged(
        `“${name}” refers to the table “${String(parent)}”, which is neither chosen nor in the database. Choose it too.`,
      );
  }
}

/** The parents of each table that rows go into, as the tables are named where they are. */
function parentsOf(
  source: Connection,
  target: Connection,
  added: readonly SchemaObject[],
  appends: readonly TransferTable[],
): ReadonlyMap<string, readonly string[]> {
  const names = [...added.map(({ name }) => name), ...appends.map(({ into }) => into)];
  const named = new Map(names.map((name) => [name.toLowerCase(), name]));
  const of = (connection: Connection, table: string): readonly string[] =>
    connection
      .all('SELECT DISTINCT "table" FROM temp.pragma_foreign_key_list(?)', [table])
      .flatMap(([parent]) => named.get(String(parent).toLowerCase()) ?? []);
  return new Map([
    ...added.map(({ name }) => [name, of(source, name)] as const),
    ...appends.map(({ into }) => [into, of(target, into)] as const),
  ]);
}

function rowsOf(source: Connection, name: string): RowsStep {
  const { names, rowid, sql } = storedRows(describeTable(source, name));
  return { do: 'rows', table: name, columns: names, rowid, sql, isNew: true, lost: null };
}

const plainColumns = ({ columns, rowid }: RowsStep): readonly string[] => columns.filter((name) => name !== rowid);

/** Columns are matched by name; rows get their own row ids. */
function appended(source: Connection, target: Connection, { name, into }: TransferTable): RowsStep {
  const shape = describeTable(target, into);
  if (shape.kind !== 'table' && shape.kind !== 'virtual') throw nothingChanged(`“${into}” is a ${shape.kind}.`);
  const there = new Map(
    shape.columns.filter(({ generated }) => generated === 'no').map((column) => [column.name.toLowerCase(), column]),
  );
  const common = describeTable(source, name).columns.filter((column) => there.has(column.name.toLowerCase()));
  const pairs = common.map((column) => [column.name, there.get(column.name.toLowerCase())!] as const);
  const lost = lostDigits(source, { name, into: shape.name }, pairs);
  if (common.length === 0) throw nothingChanged(`“${name}” and “${into}” have no columns in common.`);
  return {
    do: 'rows',
    table: shape.name,
    columns: pairs.map(([, to]) => to.name),
    rowid: null,
    sql: `SELECT ${pairs.map(([from]) => quoteName(from)).join(', ')} FROM main.${quoteName(name)}${lost === null ? '' : ` WHERE ${lost.condition}`}`,
    isNew: false,
    lost,
  };
}

/** Triggers have their own names. */
function assertFree(target: Connection, names: readonly string[]): void {
  for (const name of names) {
    const taken = target.one(
      "SELECT type FROM main.sqlite_schema WHERE type <> 'trigger' AND name = ? COLLATE NOCASE",
      [name],
    );
    if (taken) throw nothingChanged(`There is already a ${String(taken[0])} “${name}”.`, 'exists');
    if (name.trim() === '') throw nothingChanged('A new table has no name.');
  }
}

/** Indexes and triggers of the new tables; those whose name is taken are left out. */
function objectsOf(
  schema: readonly SchemaObject[],
  added: ReadonlyMap<string, TransferTable>,
  target: Connection,
  leftOut: LeftOut[],
): readonly Extract<TransferStep, { do: 'define' }>[] {
  return schema.flatMap(({ type, name, table, sql }) => {
    if ((type !== 'index' && type !== 'trigger') || !added.has(table)) return [];
    if (!target.one('SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE', [name]))
      return [define(type, name, sql, { table })];
    leftOut.push({ kind: type, name, reason: 'Something with this name already exists.' });
    return [];
  });
}

/** The AUTOINCREMENT counters. */
function sequences(source: Connection, added: ReadonlyMap<string, TransferTable>): readonly TransferStep[] {
  if (!source.one("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'")) return [];
  return (source.all('SELECT name, seq FROM main.sqlite_sequence') as [string, number | bigint][])
    .filter(([name]) => added.has(name))
    .flatMap(([name, seq]) => [
      run(name, 'DELETE FROM main.sqlite_sequence WHERE name = ?', [name]),
      run(name, 'INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)', [name, seq]),
    ]);
}

/** @param parentsOf tables that a table refers to; those that refer to each other stay in their order */
function parentsFirst(tables: readonly string[], parentsOf: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const waiting = new Set(tables);
  const begun = new Set<string>();
  const ordered: string[] = [];
  for (const first of tables) {
    // Recursion would be as deep as the longest chain.
    const stack = [first];
    while (stack.length > 0) {
      const table = stack.at(-1)!;
      const parents = begun.has(table)
        ? []
        : (parentsOf.get(table) ?? []).filter((parent) => waiting.has(parent) && !begun.has(parent));
      begun.add(table);
      if (parents.length > 0) {
        stack.push(...parents);
        continue;
      }
      stack.pop();
      if (waiting.delete(table)) ordered.push(table);
    }
  }
  return ordered;
}

// Rows for an existing table whose numbers are text, because they have more digits than a number of SQLite: a column of integers or decimals
// would make a REAL of them, so these rows are not added.

/** No REAL has more digits that count. */
const REAL_DIGITS = 17;
const MAX_KEPT = 1000;

interface LostDigits {
  /** True for the rows that keep their digits, in SQL. */
  readonly condition: string;
  readonly count: number;
  /** The first 1,000. */
  readonly rows: readonly TransferProblem[];
}

/**
 * @param pairs columns of the source by those of the target that they go into
 * @returns null where all rows keep their digits
 */
function lostDigits(
  source: Connection,
  { name, into }: { readonly name: string; readonly into: string },
  pairs: readonly (readonly [from: string, to: Column])[],
): LostDigits | null {
  const numeric = pairs.filter(([, { declaredType }]) => /^(?:INTEGER|NUMERIC)$/.test(affinityOf(declaredType)));
  if (numeric.length === 0) return null;
  const losing = numeric.map(([from]) => losesDigits(quoteName(from)));
  const condition = losing.join(' OR ');
  const table = `main.${quoteName(name)}`;
  const count = Number(source.one(`SELECT count(*) FROM ${table} WHERE ${condition}`)![0]);
  if (count === 0) return null;
  const column = `CASE ${losing.map((lost, at) => `WHEN ${lost} THEN ${at}`).join(' ')} END`;
  const rows = source.all(
    `SELECT row, place FROM (SELECT row_number() OVER () AS row, ${column} AS place FROM ${table}) WHERE place IS NOT NULL LIMIT ${MAX_KEPT}`,
  ) as [number, number][];
  return {
    condition: `NOT (${condition})`,
    count,
    rows: rows.map(([row, place]) => ({
      table: into,
      row,
      reason: `The column “${numeric[place]![1].name}” would lose digits of its number.`,
    })),
  };
}

const losesDigits = (column: string): string =>
  `(typeof(${column}) = 'text' AND ${column} GLOB '*[0-9]*' AND ${column} NOT GLOB '*[^0-9.-]*' AND typeof(CAST(${column} AS NUMERIC)) = 'real'` +
  ` AND length(replace(ltrim(${column}, '-0.'), '.', '')) > ${REAL_DIGITS})`;
