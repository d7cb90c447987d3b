// Rows that a changed table would not take: found by asking for them, before anything is changed.
import type { TableChange } from '#shared/ddl/changes.ts';
import type { ColumnModel, IndexedColumn, TableModel } from '#shared/ddl/table-model.ts';
import { sameName } from '#shared/ddl/names.ts';
import type { SchemaObstacle } from '#shared/protocol/schema-change.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import type { TablePlan } from './table-plan.ts';
import type { Work } from './work.ts';

type Sought = Omit<SchemaObstacle, 'count' | 'table'>;

/** Rows between two looks at whether to stop. */
const LOOK_EVERY_ROWS = 1000;

export function* obstaclesOf(work: Work, plan: TablePlan): Generator<Pause, readonly SchemaObstacle[]> {
  const { diff } = plan;
  if (diff === null) return [];
  const found: SchemaObstacle[] = [];
  const rows = sourceOf(plan);
  for (const sought of diff.changes.flatMap((change) => soughtFor(change, diff.to, rows))) {
    work.tell(`Looking for rows of ${plan.table} that would not fit`);
    const count = yield* countRows(work, sought.sql);
    if (count > 0) found.push({ ...sought, table: plan.table, count });
  }
  return found;
}

/** Counted one by one, because the native engine hears Stop between two rows. */
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

/** The rows as they are, under the names they will have; new columns with their default. */
function sourceOf({ diff }: TablePlan): string {
  const { from, to, identity } = diff!;
  const table = `main.${quoteName(from.name.name)}`;
  const isAsItIs = to.columns.every(
    ({ name }, at) => identity[at] != null && from.columns[identity[at]]!.name.name === name.name,
  );
  if (isAsItIs) return table;
  const columns = to.columns.map((column, at) => {
    const old = identity[at];
    const value = old == null ? (defaultOf(column) ?? 'NULL') : quoteName(from.columns[old]!.name.name);
    return `${value} AS ${quoteName(column.name.name)}`;
  });
  return `(SELECT ${columns.join(', ')} FROM ${table}) AS ${quoteName(to.name.name)}`;
}

function soughtFor(change: TableChange, to: TableModel, rows: string): readonly Sought[] {
  const where = (
    kind: Sought['kind'],
    columns: readonly string[],
    constraint: string | null,
    condition: string,
  ): Sought => ({
    kind,
    columns,
    constraint,
    sql: `SELECT * FROM ${rows} WHERE ${condition}`,
  });
  switch (change.kind) {
    case 'set-not-null':
      return change.to === null
        ? []
        : [where('not-null', [change.column], null, `${quoteName(change.column)} IS NULL`)];
    case 'add-column':
      return newColumn(change.column, rows);
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
      return repeated(change.constraint.columns, textOf(to, change.constraint), rows);
    case 'set-primary-key':
      return change.to === null ? [] : primaryKey(change.to.columns, to, textOf(to, change.to), rows);
    case 'add-foreign-key': {
      const { columns, table, referencedColumns } = change.constraint;
      // Without names it is the primary key that is meant; what that is the check afterwards knows.
      if (referencedColumns.length === 0) return [];
      const names = columns.map(({ name }) => name);
      const pairs = names.map(
        (name, at) => `parent.${quoteName(referencedColumns[at]!.name)} = child.${quoteName(name)}`,
      );
      const isSet = names.map((name) => `child.${quoteName(name)} IS NOT NULL`);
      const source = `(SELECT * FROM ${rows}) AS child`;
      const sql = `SELECT * FROM ${source} WHERE ${isSet.join(' AND ')} AND NOT EXISTS (SELECT 1 FROM main.${quoteName(table.name)} AS parent WHERE ${pairs.join(' AND ')})`;
      return [{ kind: 'foreign-key', columns: names, constraint: textOf(to, change.constraint), sql }];
    }
    case 'set-strict':
      return change.to ? to.columns.flatMap((column) => wrongType(column, rows)) : [];
    case 'set-type':
      return to.strict
        ? to.columns
            .filter(({ name }) => sameName(name.name, change.column))
            .flatMap((column) => wrongType(column, rows))
        : [];
    default:
      return [];
  }
}

/** `REFERENCES` of a column, and a key, may have no place of their own. */
function textOf(
  { text }: TableModel,
  { span }: { readonly span: { readonly from: number; readonly to: number } },
): string {
  return text.slice(span.from, span.to);
}

function newColumn(column: ColumnModel, rows: string): readonly Sought[] {
  const mustHave = column.constraints.some(({ kind }) => kind === 'not-null');
  const isComputed = column.constraints.some(({ kind }) => kind === 'generated');
  if (!mustHave || isComputed || (defaultOf(column) ?? 'NULL').toUpperCase() !== 'NULL') return [];
  return [{ kind: 'no-value', columns: [column.name.name], constraint: null, sql: `SELECT * FROM ${rows}` }];
}

/** Rows of which there are others with the same values. NULL is never the same. */
function repeated(columns: readonly IndexedColumn[], constraint: string, rows: string): readonly Sought[] {
  if (columns.some(({ column }) => column === null)) return [];
  const names = columns.map(({ column }) => column!.name);
  const collated = columns.map(({ column, collation }) =>
    collation === null ? quoteName(column!.name) : `${quoteName(column!.name)} COLLATE ${quoteName(collation.name)}`,
  );
  const isSet = names.map((name) => `${quoteName(name)} IS NOT NULL`).join(' AND ');
  const counted = `SELECT *, count(*) OVER (PARTITION BY ${collated.join(', ')}) AS "how often" FROM ${rows} WHERE ${isSet}`;
  return [{ kind: 'unique', columns: names, constraint, sql: `SELECT * FROM (${counted}) WHERE "how often" > 1` }];
}

function primaryKey(
  columns: readonly IndexedColumn[],
  to: TableModel,
  constraint: string,
  rows: string,
): readonly Sought[] {
  const names = columns.flatMap(({ column }) => (column === null ? [] : [column.name]));
  const isInteger =
    names.length === 1 &&
    to.columns.some(({ name, type }) => sameName(name.name, names[0]!) && type?.sql.toUpperCase() === 'INTEGER');
  const nulls = names.map((name): Sought => ({
    kind: 'not-null',
    columns: [name],
    constraint,
    sql: `SELECT * FROM ${rows} WHERE ${quoteName(name)} IS NULL`,
  }));
  return [...(isInteger || to.withoutRowid ? nulls : []), ...repeated(columns, constraint, rows)];
}

/** STRICT first converts what can be converted without loss (sqlite.org/stricttables.html). A comparison with a number does so too. */
function wrongType(column: ColumnModel, rows: string): readonly Sought[] {
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
  const sql = `SELECT * FROM ${rows} WHERE ${name} IS NOT NULL AND NOT (${fits[type]})`;
  return [{ kind: 'type', columns: [column.name.name], constraint: type, sql }];
}

function defaultOf({ constraints }: ColumnModel): string | null {
  for (const constraint of constraints) if (constraint.kind === 'default') return constraint.value.sql;
  return null;
}
