// Resolves the names in a statement, given the schema.
import { sameName } from '#shared/ddl/names.ts';
import { Token } from '#shared/sql-scanner.ts';
import { TABLE_FUNCTIONS } from '../sql-functions.ts';
import { blockAt, visibleSources } from './query-blocks.ts';
import type { Block, Query, Source } from './query-blocks.ts';
import { readBlocks } from './read-blocks.ts';
import { statementTokensAt } from './statement-tokens.ts';
import type { SqlToken } from './statement-tokens.ts';

export const SCHEMA_NAMES: ReadonlySet<string> = new Set(['main', 'temp']);

/** Columns of a table that refer to another. */
export interface SchemaReference {
  readonly columns: readonly string[];
  readonly target: string;
  /** Target columns in the order of `columns`. */
  readonly targetColumns: readonly string[];
}

export interface SchemaTable {
  /** The name of the attached file that the table is in, which SQL writes before it. */
  readonly schema?: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** Types as declared, in the order of the columns. */
  readonly types: readonly string[];
  readonly primaryKey: readonly string[];
  readonly references: readonly SchemaReference[];
}

/** Tables and views with their columns. */
export type SchemaColumns = readonly SchemaTable[];

export interface NamedColumn {
  readonly name: string;
  /** Null for a column that an expression, a CTE, or a subquery gives. */
  readonly table: SchemaTable | null;
}

export interface StatementNames {
  readonly tokens: readonly SqlToken[];
  readonly blocks: readonly Block[];
}

export function namesAt(sql: string, position: number): StatementNames {
  const tokens = statementTokensAt(sql, position);
  return { tokens, blocks: readBlocks(tokens) };
}

/** @param of the schema that is named before it; null: none is. SQLite looks into the own tables first */
export const findTable = (columns: SchemaColumns, name: string, of: string | null = null): SchemaTable | undefined =>
  tablesIn(columns, of).find(({ table }) => sameName(table, name));

/** The tables of an attached file, or (also for null) all of them if no file is attached under that name. */
export function tablesIn(columns: SchemaColumns, of: string | null): SchemaColumns {
  if (of === null) return columns;
  if (SCHEMA_NAMES.has(of.toLowerCase())) return ownTables(columns);
  const found = columns.filter(({ schema }) => schema !== undefined && sameName(schema, of));
  return found.length > 0 ? found : columns;
}

export const ownTables = (columns: SchemaColumns): SchemaColumns =>
  columns.filter(({ schema }) => schema === undefined);

export const isAttached = (columns: SchemaColumns, name: string): boolean =>
  columns.some(({ schema }) => schema !== undefined && sameName(schema, name));

/** Queries nest this deep before their columns are no longer looked at; also what ends a CTE that names itself. */
const DEEPEST = 16;

/** The columns a source has; none when it is unknown. */
export function columnsOf(source: Source, schema: SchemaColumns, depth = 0): readonly NamedColumn[] {
  if (source.cte?.columns) return source.cte.columns.map((name) => ({ name, table: null }));
  if (source.query) return depth < DEEPEST ? resultColumns(source.query, schema, depth + 1) : [];
  if (source.table === null) return [];
  const table = findTable(schema, source.table, source.schema);
  if (table) return table.columns.map((name) => ({ name, table }));
  const made = TABLE_FUNCTIONS.find(({ name }) => sameName(name, source.table!));
  return made?.columns.map((name) => ({ name, table: null })) ?? [];
}

/** The columns of the first SELECT name those of the whole. */
function resultColumns(query: Query, schema: SchemaColumns, depth: number): readonly NamedColumn[] {
  const block = query.blocks[0];
  if (!block) return [];
  return block.items.flatMap((item): readonly NamedColumn[] => {
    if (item.kind === 'column') {
      const found = block.sources.flatMap((source) => columnsOf(source, schema, depth));
      return [found.find(({ name }) => sameName(name, item.name)) ?? { name: item.name, table: null }];
    }
    const { of } = item;
    const sources = of === null ? block.sources : block.sources.filter(({ name }) => sameName(name, of));
    return sources.flatMap((source) => columnsOf(source, schema, depth));
  });
}

/** The source that `name` qualifies columns of, seen from a position. */
export function sourceNamed(names: StatementNames, name: string, position: number): Source | null {
  const visible = visibleSources(blockAt(names.blocks, position));
  return visible.find(({ source }) => sameName(source.name, name))?.source ?? null;
}

/** The names before a dot that nothing in the statement or the schema is called, in their order. */
export function unknownQualifiers({ tokens, blocks }: StatementNames, schema: SchemaColumns): readonly string[] {
  const sources = blocks.flatMap((block) => block.sources);
  const names = tokens.filter(({ name }, at) => name !== '' && tokens[at + 1]?.word === '.').map(({ name }) => name);
  return names.filter(
    (name) =>
      !sources.some((source) => sameName(source.name, name)) &&
      !findTable(schema, name) &&
      !isAttached(schema, name) &&
      !SCHEMA_NAMES.has(name.toLowerCase()),
  );
}

export interface ColumnInScope extends NamedColumn {
  readonly source: Source;
  /** Another source of the same block has a column of this name, so it has to be qualified. */
  readonly isAmbiguous: boolean;
}

/** Every column that can be named at a position: those of inner blocks hide those of outer ones. */
export function columnsInScope(
  names: StatementNames,
  schema: SchemaColumns,
  position: number,
): readonly ColumnInScope[] {
  const found: ColumnInScope[] = [];
  const hidden = new Map<string, number>();
  const visible = visibleSources(blockAt(names.blocks, position)).filter(({ source }) => !source.isQualified);
  const counts = new Map<string, number>();
  const all = visible.map(({ source, level }) => ({ source, level, columns: columnsOf(source, schema) }));
  for (const { level, columns } of all)
    for (const { name } of columns) {
      const key = `${level} ${name.toLowerCase()}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  for (const { source, level, columns } of all)
    for (const column of columns) {
      const name = column.name.toLowerCase();
      if ((hidden.get(name) ?? level) < level) continue;
      hidden.set(name, level);
      found.push({ ...column, source, isAmbiguous: counts.get(`${level} ${name}`)! > 1 });
    }
  return found;
}

/** Index of the token that a position is in or right behind; -1 if there is none. */
export function tokenAt(tokens: readonly SqlToken[], position: number): number {
  return tokens.findIndex(
    ({ kind, from, to }) => from <= position && position <= to && (kind === Token.word || kind === Token.quoted),
  );
}

/** The name before the dot that precedes the token; null if there is none. */
export function qualifierOf(tokens: readonly SqlToken[], index: number): string | null {
  return tokens[index - 1]?.word === '.' ? (tokens[index - 2]?.name ?? null) : null;
}
