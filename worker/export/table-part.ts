// The rows of a table or view as a grid shows them, as one statement.
import { AppError } from '#shared/protocol/errors.ts';
import type { ExportSource } from '#shared/protocol/export.ts';
import type { Connection, TableRows } from '../engines/engine.ts';
import { orderTermSql, orderTerms, whereOf } from '../readers/filter-sql.ts';
import { keyOrderOf, sorts } from '../readers/key-order.ts';
import { estimateRows } from '../schema/row-estimate.ts';
import { describeTable, keyNames } from '../schema/table-shape.ts';
import type { TableShape } from '../schema/table-shape.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { keySlicesOf } from './key-slices.ts';
import type { ExportColumn, RowsHead, SchemaObject } from './rows-head.ts';
import type { ExportPart } from './part.ts';
import { rangeOf } from './row-range.ts';
import { SeenRows } from './seen-rows.ts';

type TableSource = Extract<ExportSource, { readonly kind: 'table' }>;

/** @throws AppError `not-found`, `sql`, `invalid` */
export function tablePart(connection: Connection, source: TableSource, needsKey = false): ExportPart {
  const shape = describeTable(connection, source.table);
  const where = whereOf(connection, shape, source.filter ?? [], source.where);
  const key = needsKey ? lastingKey(shape) : [];
  const shown = chosenColumns(shape, source.columns);
  const seenKey = source.corners || source.seen ? keyNames(shape.key) : [];
  const names = [...new Set([...shown, ...key, ...seenKey])];
  const range = rangeOf(connection, shape, source);
  const conditions = [where.sql, range.condition].filter((sql) => sql !== null);
  const filter = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const sql = `SELECT ${quoteNames(names)} FROM main.${quoteName(shape.name)}${filter}${orderOf(connection, shape, source)}${range.limit}`;
  const isPlain = where.sql === null && shape.kind === 'table';
  const rowidName = shape.key.kind === 'rowid' ? shape.key.name : null;
  const estimate = (): number | null => {
    if (source.rows) return source.rows.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    return isPlain ? (estimateRows(connection, shape.name, rowidName)?.count ?? null) : null;
  };
  return {
    kind: 'statement',
    head: headOf(connection, shape, shown, key),
    rows: {
      sql,
      params: [...where.params, ...range.params],
      keep: range.keep,
      seen:
        seenKey.length === 0
          ? undefined
          : new SeenRows(
              range,
              seenKey.map((name) => names.indexOf(name)),
            ),
      ...(isPlain &&
        !source.rows &&
        (source.sort ?? []).length === 0 && {
          scan: scanOf(connection, shape, names),
          slices: keySlicesOf(connection, shape, names),
        }),
      estimate,
    },
  };
}

/** Key that means the same row in a copy of the database, where VACUUM may have given other row ids. */
function lastingKey({ key, rowidColumn, columns }: TableShape): readonly string[] {
  if (key.kind !== 'rowid') return keyNames(key);
  if (rowidColumn !== null) return [rowidColumn];
  const declared = columns
    .filter(({ primaryKeyIndex }) => primaryKeyIndex > 0)
    .sort((a, b) => a.primaryKeyIndex - b.primaryKeyIndex);
  // Such a key may be NULL in several rows.
  return declared.length > 0 && declared.every(({ notNull }) => notNull)
    ? declared.map(({ name }) => name)
    : keyNames(key);
}

function chosenColumns(shape: TableShape, chosen: readonly (string | number)[] | undefined): readonly string[] {
  const all = shape.columns.map(({ name }) => name);
  if (!chosen) return all;
  for (const name of chosen)
    if (!all.includes(String(name)))
      throw AppError.notFound(`“${shape.name}” no longer has a column “${String(name)}”.`);
  return chosen.map(String);
}

function headOf(connection: Connection, shape: TableShape, shown: readonly string[], key: readonly string[]): RowsHead {
  const rest = key.filter((name) => !shown.includes(name));
  const places = new Map([...shown, ...rest].map((name, place) => [name, place]));
  const column = (name: string): ExportColumn => ({
    name,
    declaredType: shape.columns.find((candidate) => candidate.name === name)?.declaredType ?? '',
    place: places.get(name)!,
  });
  return {
    name: shape.name,
    columns: shown.map(column),
    generated: new Set(shape.columns.filter(({ generated }) => generated !== 'no').map(({ name }) => name)),
    key: key.length > 0 ? key.map(column) : null,
    ddl: shape.kind === 'table' ? definitionsOf(connection, shape.name) : null,
  };
}

function definitionsOf(connection: Connection, table: string): RowsHead['ddl'] {
  const rows = connection.all(
    "SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL AND type <> 'view' ORDER BY type = 'trigger', type = 'index', rowid",
    [table],
  ) as [SchemaObject['type'], string, string, string][];
  const objects = rows.map(([type, name, owner, sql]): SchemaObject => ({ type, name, table: owner, sql }));
  return {
    before: objects.filter(({ type }) => type === 'table'),
    after: objects.filter(({ type }) => type !== 'table'),
  };
}

/** The order of the grid: the sort, then the key, so that a position means the same row here and there. */
function orderOf(connection: Connection, shape: TableShape, source: TableSource): string {
  const order = shape.key.kind === 'none' ? null : keyOrderOf(connection, shape);
  const byKey = order && !(shape.kind === 'virtual' && sorts(connection, order)) ? [order.orderBy] : [];
  const terms = [...orderTerms(shape, source.sort ?? []).map(orderTermSql), ...byKey];
  return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
}

function scanOf(connection: Connection, shape: TableShape, names: readonly string[]): TableRows | undefined {
  if (shape.key.kind === 'none') return undefined;
  const { from, orderBy } = keyOrderOf(connection, shape);
  return { from, columns: names.map(quoteName), orderBy };
}
