// The conditions that foreign keys suggest for a join.
import { sameName } from '#shared/ddl/names.ts';
import { sqlName } from '../sql-keywords.ts';
import { findTable } from './names.ts';
import type { SchemaColumns } from './names.ts';
import type { Source } from './query-blocks.ts';

/** Conditions that connect `joined` with one of the `others`, foreign keys of both directions. */
export function joinConditions(joined: Source, others: readonly Source[], schema: SchemaColumns): readonly string[] {
  return others.flatMap((other) => [
    ...conditionsFrom(joined, other, schema),
    ...conditionsFrom(other, joined, schema),
  ]);
}

export interface RelatedTable {
  readonly table: string;
  /** Null if the table is called by its own name. */
  readonly alias: string | null;
  readonly condition: string;
}

/**
 * Tables that a foreign key connects with one of the sources.
 * @param wanted qualifiers that the statement uses, but nothing has yet: aliases for tables that begin with the same letter
 */
export function relatedTables(
  sources: readonly Source[],
  schema: SchemaColumns,
  wanted: readonly string[],
): readonly RelatedTable[] {
  const named = new Set(sources.map(({ name }) => name.toLowerCase()));
  return schema
    .filter(({ table }) => !named.has(table.toLowerCase()))
    .flatMap(({ table }) => {
      const alias = wanted.find((name) => sameName(name.slice(0, 1), table.slice(0, 1))) ?? null;
      const joined = { name: alias ?? table, table, query: null };
      return joinConditions(joined as Source, sources, schema).map((condition) => ({ table, alias, condition }));
    });
}

function conditionsFrom(child: Source, parent: Source, schema: SchemaColumns): readonly string[] {
  if (child === parent || child.query || parent.query || child.table === null || parent.table === null) return [];
  const references = findTable(schema, child.table, child.schema)?.references ?? [];
  return references
    .filter(({ target, targetColumns }) => sameName(target, parent.table!) && targetColumns.length > 0)
    .map(({ columns, targetColumns }) =>
      columns.map((column, at) => `${inSource(parent, targetColumns[at]!)} = ${inSource(child, column)}`).join(' AND '),
    );
}

const inSource = ({ name }: Source, column: string): string => `${sqlName(name)}.${sqlName(column)}`;
