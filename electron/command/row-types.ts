// The rows of tables and views as TypeScript types.
import { affinityOf } from '#shared/ddl/affinity.ts';
import type { Column, TableDetail } from '#shared/protocol/schema.ts';

type Form = 'typescript' | 'kysely';

/** INTEGER and REAL are numbers, as SQLite's drivers return them unless they are asked for bigint. */
const TYPES = { INTEGER: 'number', REAL: 'number', TEXT: 'string', BLOB: 'Uint8Array', NUMERIC: 'number | string' } as const; // prettier-ignore

export function rowTypes(tables: readonly TableDetail[], form: Form): string {
  const names = new Set<string>(USED);
  const named = tables.map((table) => ({ table, type: freeName(typeName(table.name), names) }));
  const bodies = named.map(({ table, type }) => interfaceOf(table, type, form));
  const database = `export interface ${freeName('Database', names)} {\n${named.map(({ table, type }) => `  ${propertyName(table.name)}: ${type};\n`).join('')}}\n`; // prettier-ignore
  const used = ['Generated', 'GeneratedAlways'].filter((word) => bodies.some((body) => body.includes(`: ${word}<`)));
  return [
    '// Types of the rows as the columns are declared. Only STRICT tables hold every value to them.\n',
    ...(used.length > 0 ? [`import type { ${used.join(', ')} } from 'kysely';\n`] : []),
    ...bodies,
    database,
  ].join('\n');
}

function interfaceOf(table: TableDetail, type: string, form: Form): string {
  const lines = table.columns.map((column) => `  ${propertyName(column.name)}: ${columnType(table, column, form)};\n`);
  return `export interface ${type} {\n${lines.join('')}}\n`;
}

function columnType(table: TableDetail, column: Column, form: Form): string {
  const isKey = column.primaryKeyIndex > 0;
  const isRowid = isRowidKey(table, column);
  const isRequired = column.notNull || isRowid || (isKey && (table.withoutRowid || table.strict));
  const value = valueType(column.declaredType, table.strict);
  const type = isRequired || value === 'unknown' ? value : `${value} | null`;
  if (form !== 'kysely') return type;
  if (column.generated !== 'no') return `GeneratedAlways<${type}>`;
  return isRowid || column.defaultSql !== null ? `Generated<${type}>` : type;
}

/** The column is another name of the row id. */
export const isRowidKey = (
  { columns, withoutRowid }: TableDetail,
  { primaryKeyIndex, declaredType }: Column,
): boolean =>
  primaryKeyIndex > 0 &&
  !withoutRowid &&
  columns.filter((column) => column.primaryKeyIndex > 0).length === 1 &&
  /^integer$/i.test(declaredType);

const valueType = (declared: string, strict: boolean): string =>
  holdsAnything(declared, strict) ? 'unknown' : TYPES[affinityOf(declared, strict)];

/** A column without a type, or with ANY, can hold every value. */
export const holdsAnything = (declared: string, strict: boolean): boolean =>
  affinityOf(declared, strict) === 'BLOB' && !/blob/i.test(declared);

/** Types that the text names and does not define. */
const USED = ['Generated', 'GeneratedAlways', 'Uint8Array'];
/** What an identifier may have after its start, such as “é” in one letter or two, and not “²”. */
const WORD = /(?:(?!_)\p{ID_Continue})+/gu;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** “order_items” becomes “OrderItems”. */
export function typeName(name: string): string {
  const words = [...name.matchAll(WORD)].map(([word]) => word[0]!.toUpperCase() + word.slice(1));
  const joined = words.join('');
  return IDENTIFIER.test(joined) ? joined : `Table${joined}`;
}

export function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`;
  taken.add(free);
  return free;
}

export const propertyName = (name: string): string => (IDENTIFIER.test(name) ? name : JSON.stringify(name));
