// An index as the lab handles it: its parts, and its SQL.
import { parseIndex } from '#shared/ddl/parse-object.ts';
import { writeName } from '#shared/ddl/names.ts';
import { AppError } from '#shared/protocol/errors.ts';

export interface IndexPart {
  /** A column in quotes, or an expression. */
  readonly expression: string;
  /** Null: the column's own. */
  readonly collation: string | null;
  readonly descending: boolean;
}

export interface LabIndex {
  readonly name: string;
  readonly table: string;
  readonly parts: readonly IndexPart[];
  readonly where: string | null;
  readonly sql: string;
}

/** The statement as a user would write it. */
export function indexSql(name: string, table: string, parts: readonly IndexPart[]): string {
  const written = parts.map(({ expression, collation, descending }) =>
    [expression, collation && `COLLATE ${collation}`, descending && 'DESC'].filter(Boolean).join(' '),
  );
  return `CREATE INDEX ${writeName(name)} ON ${writeName(table)} (${written.join(', ')})`;
}

/** @throws AppError `invalid` with what is wrong with the text */
export function readIndexSql(sql: string): LabIndex {
  const model = parseIndex(sql);
  if (!model.understood)
    throw AppError.invalid(`This is not a CREATE INDEX statement that Sidelite can read: ${model.reason}`);
  if (model.schema && model.schema.name.toLowerCase() !== 'main')
    throw AppError.invalid('The index lab tries indexes only in the database itself, not in an attached one.');
  return {
    name: model.name.name,
    table: model.table.name,
    parts: model.columns.map(({ column, expression, collation, order }) => ({
      expression: column === null ? expression.sql : quoted(column.name),
      collation: collation === null ? null : quoted(collation.name),
      descending: order === 'DESC',
    })),
    where: model.where?.sql ?? null,
    sql: sql.slice(model.span.from, model.span.to),
  };
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
