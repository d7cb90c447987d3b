// Translates a plan into SQL: the table it creates or uses, the statement for each record, and its parameters.
import { expressionProblem } from '#shared/ddl/expressions.ts';
import { foldName } from '#shared/ddl/names.ts';
import { AppError, toAppError } from '#shared/protocol/errors.ts';
import { typeInTable } from '#shared/import/column-choices.ts';
import type { ImportColumn, ImportPlan, ImportTarget } from '#shared/protocol/import.ts';
import type { Column } from '#shared/protocol/schema.ts';
import type { Connection } from '../engines/engine.ts';
import type { RecordSql } from '../engines/record-insert.ts';
import type { RecordBinding, RecordParameter } from '../engines/record-values.ts';
import { describeTable, type TableShape } from '../schema/table-shape.ts';
import { uniqueKeysOf } from '../schema/unique-keys.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { affinityOf } from './affinity.ts';
import { consequencesOfReplacing } from './foreign-keys.ts';
import { fieldTexts } from '../records/field-texts.ts';
import type { RecordBatch } from '../records/record-batch.ts';

/** `temp`: a substitute table for a trial run. */
export type Schema = 'main' | 'temp';

/** SQLite's limit for a table (SQLITE_MAX_COLUMN in both engines). */
const MAX_COLUMNS = 2000;
const STAND_IN = 'sidelite_import_preview';

export const nameIn = (schema: Schema, table: string): string =>
  `${schema}.${quoteName(schema === 'temp' ? STAND_IN : table)}`;

export interface ResolvedTarget {
  readonly target: ImportTarget;
  /** Null for a new table. */
  readonly shape: TableShape | null;
  /** Name of the table as declared. */
  readonly table: string;
  /** Columns that an existing table gets. */
  readonly added: readonly ImportColumn[];
  /** The columns of the plan that are written, in its order. */
  readonly columns: readonly ImportColumn[];
  /** Rows are found by columns that no unique key of the table consists of. */
  readonly lacksKey: boolean;
  readonly notes: readonly string[];
}

const nothingChanged = (message: string, code: 'invalid' | 'exists' = 'invalid'): AppError =>
  new AppError({ code, message: `${message} Nothing was changed.` });

/** @throws AppError `invalid`, `exists`, `not-found` */
export function resolveTarget(connection: Connection, { target, columns }: ImportPlan): ResolvedTarget {
  columns.forEach(assertExpressions);
  const written = columns.filter(({ from, expression }) => from !== null || expression.trim() !== '');
  if (target.kind === 'new-table') {
    if (target.table.trim() === '') throw nothingChanged('The new table has no name.');
    const taken = connection.one('SELECT type FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE', [target.table]);
    if (taken) throw nothingChanged(`There is already a ${String(taken[0])} “${target.table}”.`, 'exists');
    if (columns.length === 0) throw nothingChanged('The new table has no columns.');
    if (columns.length > MAX_COLUMNS)
      throw nothingChanged(
        `The new table would have ${columns.length.toLocaleString('en-US')} columns, and a table can have ${MAX_COLUMNS.toLocaleString('en-US')}. Import fewer of them.`,
      );
    return { target, shape: null, table: target.table, added: [], columns: written, lacksKey: false, notes: [] };
  }
  const shape = describeTable(connection, target.table);
  if (shape.kind !== 'table' && shape.kind !== 'virtual')
    throw nothingChanged(`“${shape.name}” is a ${shape.kind}, so no rows can be imported into it.`);
  const inThisTable = (column: ImportColumn): ImportColumn =>
    column.isNew ? { ...column, type: typeInTable(column.type, shape.strict) } : column;
  const added = columns.filter(({ isNew }) => isNew === true).map(inThisTable);
  if (added.length > 0 && shape.kind === 'virtual')
    throw nothingChanged(`“${shape.name}” is a virtual table, so it cannot get another column.`);
  const { kept, notes } = writableColumns(shape, written.map(inThisTable));
  if (kept.length === 0) throw nothingChanged('No column of the file is mapped to a column of the table.');
  const consequences = target.mode === 'replace' ? consequencesOfReplacing(connection, shape.name) : [];
  const names = added.map(({ name }) => `“${name}”`).join(', ');
  const news = added.length === 0 ? [] : [`New in “${shape.name}”: ${names}.`];
  return {
    target,
    shape,
    table: shape.name,
    added,
    columns: kept,
    lacksKey: target.mode === 'upsert' && shape.kind === 'table' && lacksKey(connection, shape, kept, target.key),
    notes: [...news, ...notes, ...consequences],
  };
}

/** SQLite can find rows by columns only where a key consists of exactly these (sqlite.org/lang_upsert.html). */
function lacksKey(
  connection: Connection,
  shape: TableShape,
  written: readonly ImportColumn[],
  key: readonly string[],
): boolean {
  const wanted = new Set(key.map(foldName));
  const isWritten = written.filter(({ name }) => wanted.has(foldName(name))).length === wanted.size;
  if (wanted.size === 0 || !isWritten) return false;
  const primary = shape.columns.filter(({ primaryKeyIndex }) => primaryKeyIndex > 0).map(({ name }) => name);
  const keys = [primary, ...uniqueKeysOf(connection, shape.name).map(({ columns }) => columns)];
  return !keys.some((names) => names.length === wanted.size && names.every((name) => wanted.has(foldName(name))));
}

function writableColumns(
  shape: TableShape,
  columns: readonly ImportColumn[],
): { readonly kept: readonly ImportColumn[]; readonly notes: readonly string[] } {
  const generated: string[] = [];
  const seen = new Set<string>();
  const kept = columns.flatMap((column) => {
    const declared = columnOf(shape, column.name);
    if (column.isNew) {
      if (declared) throw nothingChanged(`“${shape.name}” already has a column “${declared.name}”.`);
      return [column];
    }
    if (!declared) throw nothingChanged(`“${shape.name}” has no column “${column.name}”.`);
    if (seen.has(declared.name)) throw nothingChanged(`The column “${declared.name}” is named twice.`);
    seen.add(declared.name);
    if (declared.generated === 'no') return [{ ...column, name: declared.name }];
    generated.push(declared.name);
    return [];
  });
  const names = generated.map((name) => `“${name}”`).join(', ');
  return {
    kept,
    notes: generated.length === 0 ? [] : [`${names}: computed by the table, so values of the file were left out.`],
  };
}

const columnOf = (shape: TableShape, name: string): Column | undefined =>
  shape.columns.find((column) => column.name.toLowerCase() === name.toLowerCase());

/** The CREATE TABLE of a new table. @throws AppError `invalid` */
export function createTable({ columns, target }: ImportPlan, schema: Schema): string {
  if (target.kind !== 'new-table') return '';
  const { strict, table } = target;
  const key = columns.filter(({ primaryKey }) => primaryKey);
  const parts = columns.map((column) => {
    const isKey = key.length === 1 && column.primaryKey;
    return columnSql(column, isKey ? 'PRIMARY KEY' : '');
  });
  if (key.length > 1) parts.push(`PRIMARY KEY (${quoteNames(key.map(({ name }) => name))})`);
  return `CREATE TABLE ${nameIn(schema, table)} (\n  ${parts.join(',\n  ')}\n)${strict ? ' STRICT' : ''}`;
}

/** Choices may come with a recipe of someone else: a part of a definition or a statement is no more than it is shown as. */
function assertExpressions({ name, expression, defaultSql }: ImportColumn): void {
  for (const [what, sql] of [
    ['expression', expression],
    ['default', defaultSql],
  ] as const) {
    const problem = sql.trim() === '' ? null : expressionProblem(sql);
    if (problem !== null) throw nothingChanged(`The ${what} of “${name}” cannot be used. ${problem}`);
  }
}

/** Behind a type, these begin a constraint: `UNIQUE ON CONFLICT REPLACE` would delete rows without a word (sqlite.org/syntax/column-constraint.html). */
const CONSTRAINT = /\b(?:constraint|primary|not|null|unique|check|default|collate|references|generated|as)\b/i;

const isType = (type: string): boolean => /^[\w ]*(?:\([\d ,+-]*\))?$/u.test(type) && !CONSTRAINT.test(type);

function columnSql({ name, type, notNull, defaultSql }: ImportColumn, key = ''): string {
  if (!isType(type.trim())) throw nothingChanged(`“${type}” is not the name of a type.`);
  const byDefault = defaultSql.trim() === '' ? '' : `DEFAULT (${defaultSql}\n)`;
  return [quoteName(name), type.trim(), key, notNull ? 'NOT NULL' : '', byDefault].filter(Boolean).join(' ');
}

/**
 * Gives an existing table its new columns.
 * @throws AppError `invalid`, also for a column that may not be NULL, but would be in the rows that are there
 */
export function addColumns(connection: Connection, { added, table }: ResolvedTarget): void {
  const name = nameIn('main', table);
  const empty = added.find(({ notNull, defaultSql }) => notNull && defaultSql.trim() === '');
  if (empty && connection.one(`SELECT 1 FROM ${name} LIMIT 1`))
    throw nothingChanged(
      `“${empty.name}” is NOT NULL, but the rows that are in “${table}” already have no value for it. Give it a default.`,
    );
  for (const column of added) connection.run(`ALTER TABLE ${name} ADD COLUMN ${columnSql(column)}`);
}

/** Tables and indexes share their names. */
function freeIndexName(connection: Connection): string {
  for (let at = 1; ; at++) {
    const name = `sidelite_import_key_${at}`;
    if (connection.one('SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE', [name]) === null) return name;
  }
}

/**
 * Lets rows be found by columns that are not a key of the table: by an index that exists only during the import. Returns what removes it.
 * @throws AppError `refused` where several rows have the same values there
 */
export function indexKey(connection: Connection, { lacksKey, target, table }: ResolvedTarget): () => void {
  if (!lacksKey || target.kind !== 'table') return () => undefined;
  const index = `main.${quoteName(freeIndexName(connection))}`;
  try {
    connection.run(`CREATE UNIQUE INDEX ${index} ON ${quoteName(table)} (${quoteNames(target.key)})`);
  } catch (thrown) {
    if (toAppError(thrown).code !== 'constraint') throw thrown;
    const names = target.key.map((name) => `“${name}”`).join(', ');
    throw AppError.refused(
      `“${table}” has several rows with the same ${names}, so rows cannot be found by ${target.key.length === 1 ? 'it' : 'them'}. Nothing was changed. Choose more columns for the key.`,
    );
  }
  return () => void connection.run(`DROP INDEX ${index}`);
}

/** A table with the same columns as an existing one, without its keys and checks, to show how records will look in it. */
export function createLookalike({ shape, columns, table }: ResolvedTarget): string {
  const list = columns.map((column) => `${quoteName(column.name)} ${declaredType(shape, column)}`);
  return `CREATE TABLE ${nameIn('temp', table)} (${list.join(', ')})${shape!.strict ? ' STRICT' : ''}`;
}

/** Type of a column of the table, or that it will have. */
export const declaredType = (shape: TableShape | null, { name, type }: Pick<ImportColumn, 'name' | 'type'>): string =>
  (shape && columnOf(shape, name)?.declaredType) ?? type;

/** Every record is added to the substitute table. */
export function insertSql(resolved: ResolvedTarget, schema: Schema): RecordSql {
  const { columns, target, table, shape } = resolved;
  const values = columns.map(({ from, expression }) => valueSql(from, expression));
  const names = columns.map(({ name }) => name);
  return {
    into: `INSERT INTO ${nameIn(schema, table)} (${quoteNames(names)})`,
    row: `(${values.join(', ')})`,
    ...(target.kind === 'new-table' && schema === 'main' && { fills: table }),
    onConflict:
      target.kind === 'table' && target.mode === 'upsert' && schema === 'main'
        ? upsertClause(shape!, columns, target)
        : '',
  };
}

/** `value` is a column of a subquery, so that an expression does not have to be parsed to insert it. */
function valueSql(from: number | null, expression: string): string {
  if (expression.trim() === '') return '?';
  return from === null ? `(SELECT ${expression}\n)` : `(SELECT ${expression}\n FROM (SELECT ? AS value))`;
}

export function bindingOf({ columns, shape, target }: ResolvedTarget, { options }: ImportPlan): RecordBinding {
  const parameters = columns.flatMap((column): readonly RecordParameter[] => {
    const { from, expression } = column;
    if (from === null) return [];
    if (expression.trim() !== '') return [{ field: from, as: 'any' }];
    const isStrict = shape === null ? target.kind === 'new-table' && target.strict : shape.strict;
    return [{ field: from, as: bindsAs(shape, declaredType(shape, column), isStrict) }];
  });
  return { parameters, nullTokens: options.nullTokens, decimalComma: options.decimalComma };
}

/** How a field is bound for a column, so that the column stores what its affinity makes of the text. */
export function bindsAs(shape: TableShape | null, declaredType: string, isStrict: boolean): RecordParameter['as'] {
  // A virtual table may convert a value in any way; ANY of a STRICT table keeps it unchanged.
  if (shape?.kind === 'virtual' || (isStrict && declaredType.toUpperCase() === 'ANY')) return 'any';
  const affinity = affinityOf(declaredType);
  if (affinity === 'TEXT') return 'text';
  return affinity === 'BLOB' ? 'any' : 'number';
}

/** @throws AppError `invalid` */
function upsertClause(
  shape: TableShape,
  columns: readonly Pick<ImportColumn, 'name' | 'type'>[],
  { key, existing }: Extract<ImportTarget, { kind: 'table' }>,
): string {
  const missing = key.find((name) => !columns.some((column) => sameName(column.name, name)));
  if (key.length === 0 || missing !== undefined)
    throw AppError.invalid(
      missing === undefined
        ? 'No key was chosen to find existing rows by. Nothing was changed.'
        : `The key column “${missing}” gets no value from the file. Nothing was changed.`,
    );
  const table = quoteName(shape.name);
  const conflict = `ON CONFLICT (${quoteNames(key)}) DO`;
  const others = columns.filter(({ name }) => !key.some((part) => sameName(part, name)));
  if (existing === 'skip' || others.length === 0) return `${conflict} NOTHING`;
  const pairs = others.map(({ name, type }) => {
    const declared = shape.columns.find((column) => column.name === name)?.declaredType ?? type;
    return {
      name: quoteName(name),
      now: `${table}.${quoteName(name)}`,
      next: `excluded.${quoteName(name)}`,
      // Only these distinguish 1 from 1.0.
      isLoose: affinityOf(declared) === 'BLOB',
    };
  });
  const fills = existing === 'fill';
  const set = pairs.map(({ name, now, next }) => `${name} = ${fills ? `coalesce(${now}, ${next})` : next}`);
  const differs = pairs.map(({ now, next, isLoose }) => {
    if (fills) return `(${now} IS NULL AND ${next} IS NOT NULL)`;
    const types = isLoose ? ` OR typeof(${now}) <> typeof(${next})` : '';
    return `${now} IS NOT ${next} COLLATE BINARY${types}`;
  });
  return `${conflict} UPDATE SET ${set.join(', ')} WHERE ${differs.join(' OR ')}`;
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

// A file that a program has written that found no rows: its only line has the names of the columns, and is no row of the table with them.

export const NAMES_ONLY = 'The only line of the file has names of columns of the table, so there is no row to add.';

/** @param batch the first one of a file that is read without a header row */
export function hasNamesOnly(batch: RecordBatch, { shape }: ResolvedTarget): boolean {
  if (batch.records !== 1 || shape === null) return false;
  const names = new Set(shape.columns.map(({ name }) => name.toLowerCase()));
  const texts = fieldTexts(batch, 0).map((text) => text.toLowerCase());
  return new Set(texts).size === texts.length && texts.every((text) => names.has(text));
}
