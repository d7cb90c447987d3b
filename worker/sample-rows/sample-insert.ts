// Writes sample rows as records of the insert that imports use, and regenerates those that SQLite rejects.
import { AppError, inParts, whatHappened } from '#shared/protocol/errors.ts';
import type { SamplePlan } from '#shared/protocol/sample-rows.ts';
import { SampleRows } from '#shared/sample-rows/make-rows.ts';
import type { SampleValue } from '#shared/sample-rows/values.ts';
import type { Connection } from '../engines/engine.ts';
import type { RecordInsert } from '../engines/record-insert.ts';
import { bindsAs } from '../import/import-target.ts';
import { BatchWriter } from '../records/batch-writer.ts';
import { FIELD } from '../records/record-batch.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import type { FilledTable } from './read-facts.ts';
import { readSampleContext } from './sample-context.ts';

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
    this.#insert = connection.insertRecords(
      {
        into: `INSERT INTO main.${quoteName(shape.name)} (${quoteNames(this.columns)})`,
        row: `(${columns.map(() => '?').join(', ')})`,
        onConflict: '',
      },
      {
        parameters: columns.map(({ declaredType }, field) => ({
          field,
          as: bindsAs(shape, declaredType, shape.strict),
        })),
        nullTokens: [],
        decimalComma: false,
      },
    );
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

  /** Adds a row to the batch. */
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
  return new AppError({
    code: 'constraint',
    ...inParts(what, 'Nothing was changed. Choose other values or fewer rows.'),
    ...(error.detail && { detail: error.detail }),
  });
}

function write(writer: BatchWriter, value: SampleValue): void {
  if (value === null) writer.bare(FIELD.null);
  else if (typeof value === 'string') writer.text(FIELD.quoted, value);
  else if (value instanceof Uint8Array) writer.field(FIELD.blob, value);
  else writer.text(FIELD.number, String(value));
}
