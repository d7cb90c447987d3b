// Rows that a changed table would reject: found by queries, before anything is changed.
import type { TableChange, TableDiff } from '#shared/ddl/changes.ts';
import type { IndexModel } from '#shared/ddl/object-models.ts';
import { parseIndex } from '#shared/ddl/parse-object.ts';
import type { ColumnModel, ForeignKeyConstraint, IndexedColumn, TableModel } from '#shared/ddl/table-model.ts';
import { sameName } from '#shared/ddl/names.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import type { SchemaObstacle } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import { describeTable, type RowKeyShape } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { sqlLiteral } from '../sql/literal.ts';
import { quoteName } from '../sql/quote.ts';
import type { TablePlan } from './table-plan.ts';
import type { Work } from './work.ts';

/** A fault to find among the rows: {@link Rows} says where they come from. */
interface Sought extends Pick<SchemaObstacle, 'kind' | 'columns' | 'constraint'> {
  /** @param rows after FROM @param list after SELECT */
  readonly select: (rows: string, list: string) => string;
  /** The condition alone, if the rows can be selected by one. */
  readonly condition: string | null;
}

/** The rows of a table as they are, under the names they will have; new columns with their default. */
interface Rows {
  /** Current name. */
  readonly table: string;
  /** Columns that identify a row; empty if nothing does. */
  readonly key: readonly string[];
  readonly isAsItIs: boolean;
  /** SQL after FROM. @param keys columns to select as well */
  readonly source: (keys: readonly string[]) => string;
  /** Current name of a column; null: it is new. */
  readonly nameNow: (column: string) => string | null;
}

/** Rows between two checks for Stop. */
const LOOK_EVERY_ROWS = 1000;

export function* obstaclesOf(work: Work, plan: TablePlan): Generator<Pause, readonly SchemaObstacle[]> {
  const { diff } = plan;
  if (diff === null) return [];
  const rows = rowsOfPlan(work.connection, diff);
  return yield* countAll(
    work,
    plan.table,
    rows,
    diff.changes.flatMap((change) => soughtFor(change, diff.to)),
  );
}

/** Rows that keep a unique index from being created. @param sql of any CREATE statement */
export function* obstaclesOfIndex(work: Work, sql: string): Generator<Pause, readonly SchemaObstacle[]> {
  const index = parseIndex(sql);
  if (!index.understood) return [];
  // Reports what is wrong with the statement before its rows are counted.
  work.connection.check(underFreeName(index));
  if (index.unique === null) return [];
  const { name, key, columns } = describeTable(work.connection, index.table.name);
  const nameNow = (column: string): string | null => columns.find((one) => sameName(one.name, column))?.name ?? null;
  const rows: Rows = { ...rowsOf(name, key), isAsItIs: true, nameNow };
  return yield* countAll(work, name, rows, [
    repeated(index.columns, { constraint: `the index “${index.name.name}”`, only: index.where?.sql ?? null }),
  ]);
}

/** The index it replaces exists while the rows are counted. */
function underFreeName({ text, name, schema }: IndexModel): string {
  return `${text.slice(0, (schema ?? name).span.from)}${FREE_NAME}${text.slice(name.span.to)}`;
}

const FREE_NAME = 'sidelite_checked_index';

function* countAll(
  work: Work,
  table: string,
  rows: Rows,
  all: readonly Sought[],
): Generator<Pause, readonly SchemaObstacle[]> {
  const found: SchemaObstacle[] = [];
  for (const { kind, columns, constraint, select, condition } of all) {
    work.tell(`Looking for rows of ${table} that would not fit`);
    const sql = select(rows.source([]), '*');
    // A new type and STRICT have the same requirement.
    if (found.some((one) => one.kind === kind && one.sql === sql)) continue;
    const count = yield* countRows(work, sql);
    if (count === 0) continue;
    const where = conditionNow(rows, { select, condition });
    const sort = kind === 'unique' ? columns.flatMap((column) => rows.nameNow(column) ?? []) : [];
    found.push({
      kind,
      columns,
      constraint,
      table,
      count,
      sql,
      rows: where === null ? null : { table: rows.table, where, sort },
    });
  }
  return found;
}

/** A condition on the rows of the current table; null if it has no key. */
function conditionNow(rows: Rows, { select, condition }: Pick<Sought, 'select' | 'condition'>): string | null {
  if (rows.isAsItIs && condition !== null) return condition;
  if (rows.key.length === 0) return null;
  const names = rows.key.map((_, at) => `${KEY}${at}`);
  const key = rows.key.map(quoteName).join(', ');
  return `${rows.key.length > 1 ? `(${key})` : key} IN (${select(rows.source(names), names.join(', '))})`;
}

const KEY = 'sidelite_key_';

/** Counts one by one, because the native engine checks for Stop between two rows. */
function* countRows(work: Work, sql: string): Generator<Pause, number> {
  const statement = work.connection.prepare(sql);
  let count = 0;
  try {
    while (statement.step()) if (++count % LOOK_EVERY_ROWS === 0) yield* work.look();
    return count;
  } finally {
    statement.finalize();
  }
}

function rowsOfPlan(connection: Connection, { from, to, identity }: TableDiff): Rows {
  const { name, key } = describeTable(connection, from.name.name);
  const nameAt = (at: number): string | null => {
    const old = identity[at];
    return old == null ? null : from.columns[old]!.name.name;
  };
  const isAsItIs = to.columns.every((column, at) => nameAt(at) === column.name.name);
  const list = to.columns.map(
    (column, at) =>
      `${nameAt(at) === null ? (defaultOf(column) ?? 'NULL') : quoteName(nameAt(at)!)} AS ${quoteName(column.name.name)}`,
  );
  const nameNow = (column: string): string | null =>
    nameAt(to.columns.findIndex((one) => sameName(one.name.name, column)));
  if (isAsItIs) return { ...rowsOf(name, key), isAsItIs, nameNow };
  return { ...rowsOf(name, key, { list: list.join(', '), alias: to.name.name }), isAsItIs, nameNow };
}

/** @param selected columns, if not all of the unchanged table */
function rowsOf(
  table: string,
  key: RowKeyShape,
  selected: { readonly list: string; readonly alias: string } | null = null,
): Pick<Rows, 'table' | 'key' | 'source'> {
  const names =
    key.kind === 'rowid' ? [key.name] : key.kind === 'primary-key' ? key.columns.map(({ name }) => name) : [];
  const from = `main.${quoteName(table)}`;
  const { list, alias } = selected ?? { list: '*', alias: table };
  return {
    table,
    key: names,
    source: (keys) => {
      if (keys.length === 0 && selected === null) return from;
      const named = keys.map((as, at) => `${quoteName(names[at]!)} AS ${as}, `);
      return `(SELECT ${named.join('')}${list} FROM ${from}) AS ${quoteName(alias)}`;
    },
  };
}

function soughtFor(change: TableChange, to: TableModel): readonly Sought[] {
  switch (change.kind) {
    case 'set-not-null':
      return change.to === null
        ? []
        : [where('not-null', [change.column], null, `${quoteName(change.column)} IS NULL`)];
    case 'add-column':
      return newColumn(change.column);
    case 'add-check':
      return [
        where(
          'check',
          change.column === null ? [] : [change.column],
          textOf(to, change.constraint),
          `NOT (${change.constraint.expression.sql}\n)`,
        ),
      ];
    case 'add-unique':
      return [repeated(change.constraint.columns, { constraint: textOf(to, change.constraint) })];
    case 'set-primary-key':
      return change.to === null ? [] : primaryKey(change.to.columns, to, textOf(to, change.to));
    case 'add-foreign-key':
      return brokenKey(change.constraint, textOf(to, change.constraint));
    case 'set-strict':
      return change.to ? to.columns.flatMap(wrongType) : [];
    case 'set-type':
      return to.strict ? to.columns.filter(({ name }) => sameName(name.name, change.column)).flatMap(wrongType) : [];
    default:
      return [];
  }
}

function where(kind: Sought['kind'], columns: readonly string[], constraint: string | null, condition: string): Sought {
  const select: Sought['select'] = (rows, list) => `SELECT ${list} FROM ${rows} WHERE ${condition}`;
  return { kind, columns, constraint, select, condition };
}

function brokenKey({ columns, table, referencedColumns }: ForeignKeyConstraint, constraint: string): readonly Sought[] {
  // A key without column names references the primary key; the check afterward knows which columns those are.
  if (referencedColumns.length === 0) return [];
  const names = columns.map(({ name }) => name);
  const pairs = names.map((name, at) => `parent.${quoteName(referencedColumns[at]!.name)} = child.${quoteName(name)}`);
  const isSet = names.map((name) => `child.${quoteName(name)} IS NOT NULL`);
  const select: Sought['select'] = (rows, list) =>
    `SELECT ${list} FROM (SELECT * FROM ${rows}) AS child WHERE ${isSet.join(' AND ')} AND NOT EXISTS (SELECT 1 FROM main.${quoteName(table.name)} AS parent WHERE ${pairs.join(' AND ')})`;
  return [{ kind: 'foreign-key', columns: names, constraint, select, condition: null }];
}

/** `REFERENCES` of a column, and a key, may have no position of their own. */
function textOf(
  { text }: TableModel,
  { span }: { readonly span: { readonly from: number; readonly to: number } },
): string {
  return text.slice(span.from, span.to);
}

function newColumn(column: ColumnModel): readonly Sought[] {
  const mustHave = column.constraints.some(({ kind }) => kind === 'not-null');
  const isComputed = column.constraints.some(({ kind }) => kind === 'generated');
  if (!mustHave || isComputed || (defaultOf(column) ?? 'NULL').toUpperCase() !== 'NULL') return [];
  return [where('no-value', [column.name.name], null, 'true')];
}

/** Rows that share their values with others. NULL is never the same. @param options.only the rows of a partial index */
function repeated(
  columns: readonly IndexedColumn[],
  { constraint, only = null }: { readonly constraint: string; readonly only?: string | null },
): Sought {
  const values = columns.map(({ column, expression }) =>
    column === null ? `(${expression.sql}\n)` : quoteName(column.name),
  );
  const collated = columns.map(({ collation }, at) =>
    collation === null ? values[at]! : `${values[at]!} COLLATE ${quoteName(collation.name)}`,
  );
  const conditions = [...values.map((value) => `${value} IS NOT NULL`), ...(only === null ? [] : [`(${only}\n)`])];
  const counted = `count(*) OVER (PARTITION BY ${collated.join(', ')}) AS "how often"`;
  return {
    kind: 'unique',
    columns: columns.map(({ column, expression }) => column?.name ?? expression.sql),
    constraint,
    select: (rows, list) =>
      `SELECT ${list} FROM (SELECT *, ${counted} FROM ${rows} WHERE ${conditions.join(' AND ')}) WHERE "how often" > 1`,
    condition: null,
  };
}

function primaryKey(columns: readonly IndexedColumn[], to: TableModel, constraint: string): readonly Sought[] {
  const names = columns.flatMap(({ column }) => (column === null ? [] : [column.name]));
  const isInteger =
    names.length === 1 &&
    to.columns.some(({ name, type }) => sameName(name.name, names[0]!) && type?.sql.toUpperCase() === 'INTEGER');
  const nulls = names.map((name) => where('not-null', [name], constraint, `${quoteName(name)} IS NULL`));
  return [...(isInteger || to.withoutRowid ? nulls : []), repeated(columns, { constraint })];
}

/** STRICT first converts what can be converted without loss (sqlite.org/stricttables.html). A comparison with a number does so too. */
function wrongType(column: ColumnModel): readonly Sought[] {
  const name = quoteName(column.name.name);
  const type = column.type?.sql.toUpperCase() ?? '';
  const number = `(typeof(${name}) IN ('integer', 'real') OR typeof(${name}) = 'text' AND ${name} = CAST(${name} AS NUMERIC))`;
  const fits: Readonly<Record<string, string>> = {
    INT: `${number} AND CAST(${name} AS NUMERIC) = CAST(${name} AS INTEGER)`,
    INTEGER: `${number} AND CAST(${name} AS NUMERIC) = CAST(${name} AS INTEGER)`,
    REAL: number,
    TEXT: `typeof(${name}) <> 'blob'`,
    BLOB: `typeof(${name}) = 'blob'`,
  };
  if (fits[type] === undefined || column.constraints.some(({ kind }) => kind === 'generated')) return [];
  return [where('type', [column.name.name], type, `${name} IS NOT NULL AND NOT (${fits[type]})`)];
}

function defaultOf({ constraints }: ColumnModel): string | null {
  for (const constraint of constraints) if (constraint.kind === 'default') return asExpression(constraint.value.sql);
  return null;
}

/** After DEFAULT a name is a text, in quotes of any kind or none (sqlite.org/lang_createtable.html). In a query it would be a column. */
function asExpression(value: string): string {
  const scanner = new SqlScanner(value);
  const kind = scanner.next();
  const { text, name } = scanner;
  const isName = kind === Token.quoted || (kind === Token.word && !NO_NAMES.has(text.toUpperCase()));
  return isName && scanner.next() === Token.end ? sqlLiteral(name) : value;
}

const NO_NAMES: ReadonlySet<string> = new Set([
  'NULL', 'TRUE', 'FALSE', 'CURRENT_DATE', 'CURRENT_TIME', 'CURRENT_TIMESTAMP',
]); // prettier-ignore
