// The tables and views that a guarded client may know of.
import { foldName } from '#shared/ddl/names.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { GuardedColumn, GuardedTable, GuardRules } from '#shared/protocol/guarded.ts';
import type { Connection } from '../engines/engine.ts';
import { listTables } from '../engines/table-list.ts';
import { countableRows, estimateRows } from '../schema/row-estimate.ts';
import { describeTable, type TableShape } from '../schema/table-shape.ts';
import { visibleSchema } from './visible-schema.ts';

interface Visible {
  readonly name: string;
  readonly kind: GuardedTable['kind'];
  /** Null: all. */
  readonly columns: ReadonlySet<string> | null;
}

/** @param table only this one @param detailed how many get more than a name and a kind @throws AppError `not-found` */
export function guardedTables(
  connection: Connection,
  {
    rules,
    table,
    detailed,
  }: { readonly rules: GuardRules | null; readonly table: string | null; readonly detailed: number },
): readonly GuardedTable[] {
  const all = visibleTables(connection, rules);
  const visible = new Set(all.map(({ name }) => foldName(name)));
  const shown = table === null ? all : all.filter(({ name }) => foldName(name) === foldName(table));
  if (table !== null && shown.length === 0) throw AppError.notFound(`There is no table or view “${table}” here.`);
  let mayCount = countableRows(connection);
  return shown.map(({ name, kind, columns }, at) => {
    const sql = rules === null ? sqlOf(connection, name) : null;
    const shape = at < detailed ? shapeOf(connection, name) : null;
    if (shape === null) return { name, kind, columns: null, rows: null, sql };
    const rows = kind === 'table' ? estimateRows(connection, name, rowidOf(shape), mayCount) : null;
    if (rows !== null && !rows.estimated) mayCount = Math.max(0, mayCount - rows.count);
    return { name, kind, columns: columnsOf(shape, columns, visible), rows, sql };
  });
}

function visibleTables(connection: Connection, rules: GuardRules | null): readonly Visible[] {
  if (rules !== null)
    return Array.from(visibleSchema(connection, rules).tables.values(), ({ name, kind, columns }) => ({
      name,
      kind,
      columns: new Set(columns),
    }));
  return listTables(connection)
    .filter(({ name, kind }) => kind !== 'shadow' && !foldName(name).startsWith('sqlite_'))
    .map(({ name, kind }) => ({ name, kind, columns: null }));
}

/** Null for what is broken. */
function shapeOf(connection: Connection, name: string): TableShape | null {
  try {
    return describeTable(connection, name);
  } catch (error) {
    if (error instanceof AppError && error.code !== 'stopped') return null;
    throw error;
  }
}

const rowidOf = ({ key }: TableShape): string | null => (key.kind === 'rowid' ? key.name : null);

function columnsOf(
  { columns }: TableShape,
  shown: Visible['columns'],
  tables: ReadonlySet<string>,
): readonly GuardedColumn[] {
  return columns
    .filter(({ name }) => shown?.has(name) ?? true)
    .map(({ name, declaredType, notNull, primaryKeyIndex, references }) => {
      const to = references?.columns.find(({ from }) => foldName(from) === foldName(name))?.to ?? null;
      // A hidden column of the other table has no name here either, so only whole tables are named where something is hidden.
      const isTold = references !== null && tables.has(foldName(references.table));
      const target = isTold ? { table: references.table, column: shown === null ? to : null } : null;
      return { name, declaredType, notNull, primaryKeyIndex, references: target };
    });
}

function sqlOf(connection: Connection, name: string): string | null {
  const row = connection.one("SELECT sql FROM main.sqlite_schema WHERE name = ? AND type IN ('table', 'view')", [name]);
  return (row?.[0] as string | null | undefined) ?? null;
}
