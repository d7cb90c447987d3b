// The parts of a table's own definition that use one of its columns: SQLite renames the column in a copy, and what it rewrites uses it.
import { sameName, writeName } from '#shared/ddl/names.ts';
import { parseTable } from '#shared/ddl/parse-table.ts';
import type { ColumnConstraint, TableConstraint, TableModel } from '#shared/ddl/table-model.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { SchemaUsePart } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import type { TableShape } from '../schema/table-shape.ts';
import { quoteName } from '../sql/quote.ts';
import { copyInto, withScratch } from './scratch.ts';

const RENAMED = 'sidelite_renamed_column';

/**
 * Generated columns, checks, and keys. Outside of transactions. Empty if the statement of the table is not understood, or if SQLite cannot
 * create its copy, because a function is missing.
 */
export function ownPartsWith(
  connection: Connection,
  { name }: Pick<TableShape, 'name'>,
  column: string,
): readonly SchemaUsePart[] {
  const before = parseTable(createSql(connection, 'main', name));
  if (!before.understood) return [];
  const after = renamedInCopy(connection, name, column);
  if (!after.understood) return [];
  const rewritten = constraintsOf(after);
  return constraintsOf(before).flatMap(({ of, constraint, text }, at) => {
    // Parts declared with the column itself do not name it.
    const isOwn = of !== null && sameName(of, column) && constraint.kind !== 'generated';
    const kind = PARTS[constraint.kind];
    if (kind === undefined || (!isOwn && rewritten[at]?.text === text)) return [];
    return [{ kind, sql: of === null ? text : `${writeName(of)} ${text}` }];
  });
}

function renamedInCopy(connection: Connection, table: string, column: string): ReturnType<typeof parseTable> {
  try {
    return withScratch(connection, (schema) => {
      copyInto(connection, schema, table);
      const t = `${schema}.${quoteName(table)}`;
      connection.run(`ALTER TABLE ${t} RENAME COLUMN ${quoteName(column)} TO ${quoteName(RENAMED)}`);
      return parseTable(createSql(connection, schema, table));
    });
  } catch (error) {
    if (error instanceof AppError && error.code !== 'stopped') return parseTable('');
    throw error;
  }
}

/** Foreign keys of `child` that refer to the table, or to its column. */
export function keysWith(
  connection: Connection,
  child: string,
  { name, columns }: TableShape,
  column: string | null,
): readonly SchemaUsePart[] {
  const model = parseTable(createSql(connection, 'main', child));
  if (!model.understood) return [];
  const isKey = columns.some((one) => one.name === column && one.primaryKeyIndex > 0);
  return constraintsOf(model).flatMap(({ of, constraint, text }) => {
    if (constraint.kind !== 'foreign-key' || !sameName(constraint.table.name, name)) return [];
    const { referencedColumns } = constraint;
    const names = referencedColumns.some((one) => column !== null && sameName(one.name, column));
    if (column !== null && !names && !(referencedColumns.length === 0 && isKey)) return [];
    return [{ kind: 'foreign-key', sql: of === null ? text : `${writeName(of)} ${text}` }];
  });
}

const PARTS: Readonly<Partial<Record<ColumnConstraint['kind'], SchemaUsePart['kind']>>> = {
  generated: 'generated',
  check: 'check',
  unique: 'unique',
  'primary-key': 'primary-key',
  'foreign-key': 'foreign-key',
};

interface Part {
  /** The column it is declared with; null if it belongs to the table. */
  readonly of: string | null;
  readonly constraint: ColumnConstraint | TableConstraint;
  readonly text: string;
}

function constraintsOf({ text, columns, constraints }: TableModel): readonly Part[] {
  const part = (of: string | null, constraint: Part['constraint']): Part => ({
    of,
    constraint,
    text: text.slice(constraint.span.from, constraint.span.to),
  });
  return [
    ...columns.flatMap((column) => column.constraints.map((constraint) => part(column.name.name, constraint))),
    ...constraints.map(({ constraint }) => part(null, constraint)),
  ];
}

function createSql(connection: Connection, schema: string, table: string): string {
  const row = connection.one(
    `SELECT sql FROM ${schema}.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE`,
    [table],
  );
  return (row?.[0] as string | undefined) ?? '';
}
