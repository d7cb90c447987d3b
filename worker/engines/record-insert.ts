// Records of a file into a table: what both engines share of it.
import { AppError } from '#shared/protocol/errors.ts';
import type { RecordBatch } from '../records/record-batch.ts';

/** `${into} VALUES ${row} ${onConflict}`, in parts, because an engine may write several rows with one statement. */
export interface RecordSql {
  /** `INSERT INTO t (a, b)` */
  readonly into: string;
  /** `(?, trim(?))`: plain `?`, in the order of the parameters. */
  readonly row: string;
  /** `ON CONFLICT …`, or ''. */
  readonly onConflict: string;
}

export interface RecordRun {
  /** The record before which it is to end; up to the last one by default. */
  readonly until?: number;
  /** `performance.now()` at which it is to pause; the record it is at is finished. */
  readonly deadlineMs: number;
  /** SQLite has refused the record, which left nothing behind. */
  readonly refused: (record: number, error: AppError) => void;
}

export interface RecordInsert {
  /** Rows inserted or updated by the statement itself, not by triggers, for all records so far. */
  readonly changes: number;
  /** What is in the batch is copied or stays as it is until all of it was run. */
  load(batch: RecordBatch): void;
  /**
   * Runs the statement for each record of the batch from `first` on. Returns the record it is to go on with.
   * @throws AppError for what is not the fault of one record: `stopped`, `full`, `io`, a trigger that rolled the transaction back, …
   */
  run(first: number, run: RecordRun): number;
  /** Gives back its memory. */
  close(): void;
}

/** Records between two looks at the clock. */
export const CLOCK_RECORDS = 16;

const OF_THE_RECORD: ReadonlySet<string> = new Set(['constraint', 'sql', 'too-big']);

/** Returns the error when only this record is at fault and the transaction can continue. @throws it otherwise */
export function refusalOfRecord(thrown: unknown, isInTransaction: boolean): AppError {
  if (isInTransaction && thrown instanceof AppError && OF_THE_RECORD.has(thrown.code)) return thrown;
  throw thrown;
}

export function assertInTransaction(autocommit: boolean): void {
  if (autocommit) throw new AppError({ code: 'invalid', message: 'Records are written inside a transaction only.' });
}
