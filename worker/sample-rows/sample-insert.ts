// Writes sample rows as records of the insert that imports use, and regenerates those that SQLite rejects.
import { sameName } from '#shared/ddl/names.ts';
import { AppError, inParts, whatHappened } from '#shared/protocol/errors.ts';
import type { SamplePlan } from '#shared/protocol/sample-rows.ts';
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import { SampleRows, type SampleContext } from '#shared/sample-rows/make-rows.ts';
import type { ReferenceFacts } from '#shared/sample-rows/table-facts.ts';
import type { SampleValue } from '#shared/sample-rows/values.ts';
import type { Connection } from '../engines/engine.ts';
import { insertFields } from '../engines/insert-fields.ts';
import type { RecordInsert } from '../engines/record-insert.ts';
import { bindsAs } from '../import/import-target.ts';
import { BatchWriter } from '../records/batch-writer.ts';
import { FIELD } from '../records/record-batch.ts';
import { describeTable } from '../schema/table-shape.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import type { FilledTable } from './read-facts.ts';

/** A row that still breaks a constraint after so many attempts ends the work. */
const ATTEMPTS = 100;

export interface Rejected {
  readonly row: number;
  readonly error: AppError;
}

export class SampleInsert {
  /** Names of the columns that get values. */
  readonly columns: readonly string[];
  /** Number of times rows were regenerated because they broke a constraint. */
  repeated = 0;
  readonly #rows: SampleRows;
  readonly #insert: RecordInsert;
  readonly #writer = new BatchWriter();

  /** Call in the transaction it inserts in. @throws AppError `invalid` for a plan that cannot work */
  constructor(connection: Connection, plan: SamplePlan, table: FilledTable) {
    const { facts, shape } = table;
    this.#rows = new SampleRows(plan, facts, readSampleContext(connection, plan, table));
    if (this.#rows.problem !== null) throw AppError.invalid(inParts(this.#rows.problem, 'Nothing was changed.'));
    const columns = this.#rows.columns.map((place) => facts.columns[place]!);
    this.columns = columns.map(({ name }) => name);
    const as = columns.map(({ declaredType }) => bindsAs(shape, declaredType, shape.strict));
    this.#insert = insertFields(connection, shape.name, this.columns, as);
  }

  /** Rows in the table, without those that a trigger left out. */
  get inserted(): number {
    return this.#insert.changes;
  }

  get isFull(): boolean {
    return this.#writer.isFull;
  }

  values(row: number, attempt: number): readonly SampleValue[] {
    return this.#rows.row(row, attempt);
  }

  add(row: number, attempt: number): void {
    const writer = this.#writer;
    writer.begin(row + 1);
    for (const value of this.#rows.row(row, attempt)) write(writer, value);
    writer.end();
  }

  /** Inserts the batch from `first` on, and returns the record with which to continue; null at its end. */
  run(first: number, deadlineMs: number, rejected: Rejected[]): number | null {
    const batch = this.#writer.take();
    if (first === 0) this.#insert.load(batch);
    const next = this.#insert.run(first, {
      deadlineMs,
      refused: (record, error) => rejected.push({ row: batch.lines[record]! - 1, error }),
    });
    if (next < batch.records) return next;
    this.#writer.clear();
    return null;
  }

  /** Rejected rows are generated and inserted again until none is left. Pauses between attempts. @throws AppError `constraint` */
  *repeat(first: readonly Rejected[]): Generator<void, void> {
    let left = first;
    for (let attempt = 1; left.length > 0; attempt++) {
      const { row, error } = left[0]!;
      if (attempt > ATTEMPTS) throw tooOften(row, error);
      const rejected: Rejected[] = [];
      for (const one of left) {
        this.add(one.row, attempt);
        if (this.isFull) this.run(0, Infinity, rejected);
        this.repeated++;
      }
      this.run(0, Infinity, rejected);
      left = rejected;
      yield;
    }
  }

  close(): void {
    this.#insert.close();
  }
}

function tooOften(row: number, error: AppError): AppError {
  const what = `Row ${(row + 1).toLocaleString('en-US')} could not be inserted after ${ATTEMPTS} attempts with different values: ${whatHappened(error)}`;
  return AppError.constraint(inParts(what, 'Nothing was changed. Choose other values or fewer rows.'), {
    ...(error.detail && { detail: error.detail }),
  });
}

function write(writer: BatchWriter, value: SampleValue): void {
  if (value === null) writer.bare(FIELD.null);
  else if (typeof value === 'string') writer.text(FIELD.quoted, value);
  else if (value instanceof Uint8Array) writer.field(FIELD.blob, value);
  else writer.text(FIELD.number, String(value));
}

/** More keys than this would take long to read, and memory. */
const MOST_PARENTS = 100_000;
const MOST_PARENT_BYTES = 32 << 20;

/**
 * Facts that sample rows depend on besides the seed: keys of rows they can refer to, and where sequences continue.
 */
function readSampleContext(connection: Connection, plan: SamplePlan, table: FilledTable): SampleContext {
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
