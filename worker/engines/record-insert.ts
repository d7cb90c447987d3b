// Inserting records of a file into a table: the part that both engines share.
import { AppError } from '#shared/protocol/errors.ts';
import { isReal, type Value } from '#shared/protocol/values.ts';
import type { RecordBatch } from '../records/record-batch.ts';

/** `${into} VALUES ${row} ${onConflict}`, in parts, because an engine may write several rows with one statement. */
export interface RecordSql {
  /** `INSERT INTO t (a, b)` */
  readonly into: string;
  /** `(?, trim(?))`: plain `?`, in the order of the parameters. */
  readonly row: string;
  /** `ON CONFLICT …`, or ''. */
  readonly onConflict: string;
  /** A table that this transaction has created, without triggers: the statement inserts into it and writes nothing else. */
  readonly fills?: string;
}

export interface RecordRun {
  /** The record before which to end; by default, after the last one. */
  readonly until?: number;
  /** `performance.now()` at which to pause, after finishing the current record. */
  readonly deadlineMs: number;
  /** Called when SQLite has refused a record, which left nothing behind. */
  readonly refused: (record: number, error: AppError) => void;
}

export interface RecordInsert {
  /** Rows inserted or updated by the statement itself, not by triggers, for all records so far. */
  readonly changes: number;
  /** Loads a batch. Its content is copied, or must not change until all of it has run. */
  load(batch: RecordBatch): void;
  /**
   * Runs the statement for each record of the batch from `first` on. Returns the record with which to continue.
   * @throws AppError for errors that are not the fault of one record: `stopped`, `full`, `io`, a trigger that rolled the transaction back,
   *   …
   */
  run(first: number, run: RecordRun): number;
  /** Frees its memory. */
  close(): void;
}

/** Records between two checks of the clock. */
export const CLOCK_RECORDS = 16;

const OF_THE_RECORD: ReadonlySet<string> = new Set(['constraint', 'sql', 'too-big']);

/** Returns the error when only this record is at fault and the transaction can continue. @throws it otherwise */
export function refusalOfRecord(thrown: unknown, isInTransaction: boolean): AppError {
  if (isInTransaction && thrown instanceof AppError && OF_THE_RECORD.has(thrown.code)) return thrown;
  throw thrown;
}

/** The number that SQLite reads from these digits. */
export function realOf(
  connection: { one(sql: string, params: readonly Value[]): readonly Value[] | null },
  digits: string,
): number {
  const [value] = connection.one('SELECT CAST(? AS REAL)', [digits])!;
  return isReal(value!) ? value.real : Number(value);
}

export function assertInTransaction(autocommit: boolean): void {
  if (autocommit) throw AppError.invalid('Records can be written only inside a transaction.');
}
