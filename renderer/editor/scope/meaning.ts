// Finds what the name at a position of a statement stands for, and where else the statement uses it.
import { sameName } from '#shared/ddl/names.ts';
import { functionNamed } from '../sql-functions.ts';
import { PRAGMAS } from '../sql-pragmas.ts';
import { columnsInScope, columnsOf, findTable, namesAt, qualifierOf, sourceNamed, tokenAt } from './names.ts';
import type { NamedColumn, SchemaColumns, SchemaTable, StatementNames } from './names.ts';
import type { Source } from './query-blocks.ts';
import type { SqlToken } from './statement-tokens.ts';

export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Meaning extends Range {
  readonly title: string;
  /** Type, key, definition: one fact each. */
  readonly lines: readonly string[];
  /** Range in which the statement itself defines it. */
  readonly definition: Range | null;
  /** The table or view of the schema that it is, or is part of. */
  readonly table: string | null;
}

const COLUMNS_SHOWN = 12;

/** Null where no name stands, or one that is not known. */
export function meaningAt(sql: string, position: number, schema: SchemaColumns): Meaning | null {
  const names = namesAt(sql, position);
  const index = tokenAt(names.tokens, position);
  const token = names.tokens[index];
  if (!token) return null;
  const found = meaningOf(names, index, token, schema);
  return found && { from: token.from, to: token.to, ...found };
}

type Found = Omit<Meaning, 'from' | 'to'>;

function meaningOf(names: StatementNames, index: number, token: SqlToken, schema: SchemaColumns): Found | null {
  const { tokens } = names;
  if (tokens[0]?.word === 'pragma') return meaningOfPragma(token);
  const follows = tokens[index + 1]?.word;
  const qualifier = qualifierOf(tokens, index);
  if (follows === '.') return meaningOfQualifier(names, token, schema);
  const source = names.blocks.flatMap((block) => block.sources).find(({ at }) => at === token);
  if (source) return meaningOfSource(source, schema);
  const named = tableNameAt(names, token);
  if (named) return meaningOfSource(named, schema);
  if (qualifier !== null) {
    const from = sourceNamed(names, qualifier, token.from);
    const column = from && columnsOf(from, schema).find(({ name }) => sameName(name, token.name));
    if (column) return meaningOfColumn(column);
  } else {
    const made = follows === '(' ? functionNamed(token.name) : undefined;
    if (made) return { title: `${made.name}(${made.args})`, lines: [made.text], definition: null, table: null };
    const columns = columnsInScope(names, schema, token.from).filter(({ name }) => sameName(name, token.name));
    if (columns[0]) return meaningOfColumn(columns[0]);
  }
  const table = findTable(schema, token.name);
  return table && qualifier === null ? meaningOfTable(table) : null;
}

/** `Album` of `FROM Album AS a`: the source is named by its alias, the table by the token before it. */
function tableNameAt(names: StatementNames, token: SqlToken): Source | null {
  const { tokens, blocks } = names;
  const index = tokens.indexOf(token);
  const next = tokens[index + 1]?.word === 'as' ? tokens[index + 2] : tokens[index + 1];
  return (
    blocks
      .flatMap((block) => block.sources)
      .find(({ hasAlias, at, table }) => hasAlias && at === next && table !== null && sameName(table, token.name)) ??
    null
  );
}

function meaningOfQualifier(names: StatementNames, token: SqlToken, schema: SchemaColumns): Found | null {
  const source = sourceNamed(names, token.name, token.from);
  if (!source) return null;
  const found = meaningOfSource(source, schema);
  return source.hasAlias ? { ...found, definition: { from: source.at.from, to: source.at.to } } : found;
}

function meaningOfSource(source: Source, schema: SchemaColumns): Found {
  const table = source.cte || source.table === null ? undefined : findTable(schema, source.table, source.schema);
  const alias = source.hasAlias && source.table !== null ? `${source.name} = ` : '';
  if (table) return { ...meaningOfTable(table), title: `${alias}${table.table}` };
  const kind = source.cte ? 'WITH' : source.table === null ? 'Subquery' : 'Unknown table';
  return {
    title: `${alias}${source.table ?? source.name}`,
    lines: [kind, columnList(columnsOf(source, schema).map(({ name }) => name))].filter((line) => line !== ''),
    definition: source.cte && { from: source.cte.at.from, to: source.cte.at.to },
    table: null,
  };
}

function meaningOfTable({ schema, table, columns, references }: SchemaTable): Found {
  return {
    title: schema === undefined ? table : `${schema}.${table}`,
    lines: [
      columnList(columns),
      ...references.map(({ columns: own, target, targetColumns }) => arrow(own, target, targetColumns)),
    ],
    definition: null,
    table: schema === undefined ? table : null,
  };
}

function meaningOfColumn({ name, table }: NamedColumn): Found {
  if (!table) return { title: name, lines: ['Result of a subquery'], definition: null, table: null };
  const type = table.types[table.columns.indexOf(name)];
  const isKey = table.primaryKey.includes(name);
  const keys = table.references.filter(({ columns }) => columns.includes(name));
  return {
    title: `${table.table}.${name}`,
    lines: [
      type === undefined || type === '' ? 'No declared type' : type,
      ...(isKey
        ? [table.primaryKey.length > 1 ? `Part of the primary key (${table.primaryKey.join(', ')})` : 'Primary key']
        : []),
      ...keys.map(({ columns, target, targetColumns }) => arrow(columns, target, targetColumns)),
    ],
    definition: null,
    table: table.schema === undefined ? table.table : null,
  };
}

function meaningOfPragma(token: SqlToken): Found | null {
  const pragma = PRAGMAS.find(({ name }) => name === token.word);
  if (!pragma) return null;
  const values = Array.isArray(pragma.values) && pragma.values.length > 0 ? [pragma.values.join(', ')] : [];
  return { title: `PRAGMA ${pragma.name}`, lines: [pragma.text, ...values], definition: null, table: null };
}

const arrow = (columns: readonly string[], target: string, targetColumns: readonly string[]): string =>
  `(${columns.join(', ')}) → ${target} (${targetColumns.join(', ')})`;

function columnList(columns: readonly string[]): string {
  const shown = columns.slice(0, COLUMNS_SHOWN).join(', ');
  return columns.length > COLUMNS_SHOWN ? `${shown}, and ${columns.length - COLUMNS_SHOWN} more` : shown;
}

/** Range in which a statement names a source, whatever its case; null if it does not. */
export function sourceRange(sql: string, name: string): Range | null {
  const sources = namesAt(sql, 0).blocks.flatMap((block) => block.sources);
  const at = sources.find((source) => sameName(source.name, name) && !source.isQualified)?.at;
  return at ? { from: at.from, to: at.to } : null;
}

/** The alias or CTE at a position, wherever the statement names it, that place first; empty if it is neither. */
export function referencesAt(sql: string, position: number): readonly Range[] {
  const names = namesAt(sql, position);
  const here = names.tokens[tokenAt(names.tokens, position)];
  const definition = here && definitionOf(names, here);
  if (!here || !definition) return [];
  const others = names.tokens.filter((token) => token !== here && definitionOf(names, token) === definition);
  return [here, ...others].map(({ from, to }) => ({ from, to }));
}

/** The token that gives the name that `token` uses. */
function definitionOf(names: StatementNames, token: SqlToken): SqlToken | null {
  if (token.name === '') return null;
  const sources = names.blocks.flatMap((block) => block.sources);
  const own = sources.find(({ at }) => at === token);
  if (own) return own.hasAlias ? token : (own.cte?.at ?? null);
  const ctes = names.blocks.flatMap((block) => block.ctes);
  if (ctes.some(({ at }) => at === token)) return token;
  const table = tableNameAt(names, token);
  if (table) return table.cte?.at ?? null;
  const next = names.tokens[names.tokens.indexOf(token) + 1];
  if (next?.word !== '.') return null;
  const source = sourceNamed(names, token.name, token.from);
  if (!source) return null;
  return source.hasAlias ? source.at : (source.cte?.at ?? null);
}
