// The rows of a result that a window sees: the spool they are in, how far a run has filled it, and how the user has sorted and filtered them.
//
//   partial ── the run ends ──▶ complete
//      └───── the run fails ──▶ failed ── a later run ends ──▶ complete
import type { ResultArrangement } from '#shared/protocol/arrange.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { sameValue } from '../sql/same-value.ts';
import type { ArrangedRows, KeptRows } from './arrange/arranged-rows.ts';
import type { Key } from './key-order.ts';
import { PAGE_BYTES } from './pack-page.ts';
import type { CellValue } from './reader.ts';
import { Spool } from './spool.ts';

/** Failed: the error is thrown for reads of the missing rows. */
type Filling = { readonly kind: 'partial' | 'complete' } | { readonly kind: 'failed'; readonly error: unknown };

export class ShownRows {
  #spool: Spool;
  #filling: Filling = { kind: 'partial' };
  #arrangement: ResultArrangement | null = null;
  /** Null: all of them, as SQLite returned them. */
  #arranged: ArrangedRows | null = null;

  constructor(columnCount: number) {
    this.#spool = new Spool(columnCount);
  }

  /** All rows, as SQLite returned them. */
  get spool(): Spool {
    return this.#spool;
  }

  /** Rows by position in the window. */
  get rows(): KeptRows {
    return this.#arranged ?? this.#spool;
  }

  get arrangement(): ResultArrangement | null {
    return this.#arrangement;
  }

  get isArranged(): boolean {
    return this.#arranged !== null;
  }

  get isComplete(): boolean {
    return this.#filling.kind === 'complete';
  }

  /** @throws AppError `unavailable` */
  assertComplete(): void {
    if (this.isComplete) return;
    throw AppError.unavailable(
      'The statement is still running. Its rows can be sorted, filtered, and searched when it has finished.',
    );
  }

  /** The run that fills the spool has added rows, or has ended. */
  noteFilled(kind: 'partial' | 'complete'): void {
    this.#filling = { kind };
  }

  noteFailed(error: unknown): void {
    this.#filling = { kind: 'failed', error };
  }

  /** Shows the rows of a later run, which are complete; the previous ones stay until then. */
  replace(spool: Spool, arranged: ArrangedRows | null): void {
    this.#spool.dispose();
    this.#spool = spool;
    this.#arranged = arranged;
    this.#filling = { kind: 'complete' };
  }

  arrange(arrangement: ResultArrangement | null, arranged: ArrangedRows | null): void {
    this.#arrangement = arrangement;
    this.#arranged = arranged;
  }

  /** @throws the error that the run failed with, if rows are requested that it did not reach */
  assertReached(end: number): void {
    if (this.#filling.kind === 'failed' && end > this.#spool.rowCount) throw this.#filling.error;
  }

  read(start: number, count: number): PackedRows {
    return this.rows.read(start, count, PAGE_BYTES);
  }

  /** @param columns that are the key */
  find(key: Key, columns: readonly number[]): number | null {
    if (columns.length === 0) return null;
    const { rows } = this;
    for (let row = 0; row < rows.rowCount; row++) {
      if (columns.every((column, index) => sameValue(rows.cell(row, column).value, key[index] ?? null))) return row;
    }
    return null;
  }

  valueAt(position: number, column: number): CellValue {
    const { rows } = this;
    if (position >= 0 && position < rows.rowCount && column >= 0 && column < rows.columnCount)
      return rows.cell(position, column);
    throw AppError.notFound('That cell is no longer in the result.');
  }

  dispose(): void {
    this.#spool.dispose();
  }
}
