// Facts that sample rows depend on besides the seed: keys of rows they can refer to, and where sequences continue.
import { sameName } from '#shared/ddl/names.ts';
import type { SamplePlan } from '#shared/protocol/sample-rows.ts';
import { isRawText, isReal } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { SampleContext } from '#shared/sample-rows/make-rows.ts';
import type { ReferenceFacts } from '#shared/sample-rows/table-facts.ts';
import type { SampleValue } from '#shared/sample-rows/values.ts';
import type { Connection } from '../engines/engine.ts';
import { describeTable } from '../schema/table-shape.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import type { FilledTable } from './read-facts.ts';

/** More keys than this would take long to read, and memory. */
const MOST_PARENTS = 100_000;
const MOST_PARENT_BYTES = 32 << 20;

export function readSampleContext(connection: Connection, plan: SamplePlan, table: FilledTable): SampleContext {
  const { columns, references } = table.facts;
  const kinds = columns.map(({ name }) => plan.columns.find((column) => column.name === name)?.source ?? null);
  const largest = new Map<number, number>();
  for (const [place, source] of kinds.entries())
    if (source?.kind === 'sequence' && source.start === null)
      largest.set(place, largestOf(connection, table, columns[place]!.name));
  const parents = references.map((reference) =>
    reference.hasRows && reference.columns.every((place) => kinds[place]?.kind === 'reference')
      ? keysOf(connection, reference)
      : [],
  );
  return { parents, largest };
}

/** Keys in the order of the table's key, which is the same on every engine. */
function keysOf(connection: Connection, { table, parentColumns }: ReferenceFacts): readonly (readonly SampleValue[])[] {
  const { name, key, columns } = describeTable(connection, table);
  // A key that names no columns of the table is an error that SQLite reports when a row is inserted.
  if (!parentColumns.every((parent) => columns.some((column) => sameName(column.name, parent)))) return [];
  const order =
    key.kind === 'rowid' ? [key.name] : key.kind === 'primary-key' ? key.columns.map((one) => one.name) : [];
  const isThere = parentColumns.map((column) => `${quoteName(column)} IS NOT NULL`).join(' AND ');
  const orderBy = order.length > 0 ? `ORDER BY ${quoteNames(order)}` : '';
  const sql = `SELECT ${quoteNames(parentColumns)} FROM main.${quoteName(name)} WHERE ${isThere} ${orderBy} LIMIT ${MOST_PARENTS}`;
  const statement = connection.prepare(sql);
  const keys: SampleValue[][] = [];
  try {
    for (let bytes = 0; bytes < MOST_PARENT_BYTES && statement.step();) {
      const values = parentColumns.map((_, column) => sampleValue(statement.value(column)));
      if (values.includes(undefined)) continue;
      keys.push(values as SampleValue[]);
      for (const value of values) bytes += sizeOf(value!);
    }
    return keys;
  } finally {
    statement.finalize();
  }
}

function sizeOf(value: SampleValue): number {
  if (typeof value === 'string') return value.length * 2;
  return value instanceof Uint8Array ? value.length : 8;
}

/** Undefined: text that is not valid UTF-8. */
function sampleValue(value: Value): SampleValue | undefined {
  if (isReal(value)) return value.real;
  return isRawText(value) ? undefined : value;
}

/** The largest whole number. Other values of the column do not count. */
function largestOf(connection: Connection, { shape }: FilledTable, column: string): number {
  const [t, c] = [`main.${quoteName(shape.name)}`, quoteName(column)];
  let largest = connection.one(`SELECT max(${c}) FROM ${t}`)![0]!;
  if (largest !== null && typeof largest !== 'number' && typeof largest !== 'bigint')
    largest = connection.one(`SELECT max(${c}) FROM ${t} WHERE typeof(${c}) = 'integer'`)![0]!;
  const counted = column === shape.rowidColumn ? sequenceOf(connection, shape.name) : 0;
  return Math.max(Math.floor(Number(largest ?? 0)), counted);
}

/** AUTOINCREMENT never reuses a number, even when its row is deleted (sqlite.org/autoinc.html). */
function sequenceOf(connection: Connection, table: string): number {
  if (connection.one("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'") === null) return 0;
  return Number(connection.one('SELECT seq FROM main.sqlite_sequence WHERE name = ?', [table])?.[0] ?? 0);
}
