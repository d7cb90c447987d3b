// Records into a table by statements of several rows: a call of better-sqlite3 costs more than a row, so ten share one; those of a statement
// that fails are written again one by one, which tells the record that is at fault. A whole batch becomes one long string: fields of
// ASCII, which most are, are slices of it.
import { isAscii } from 'node:buffer';
import type { RecordBatch } from '../../../records/record-batch.ts';
import { assertInTransaction, CLOCK_RECORDS, refusalOfRecord } from '../../record-insert.ts';
import type { RecordInsert, RecordRun, RecordSql } from '../../record-insert.ts';
import { BOUND, NO_RECORDS, RecordValues, usedBytes } from '../../record-values.ts';
import type { RecordBinding } from '../../record-values.ts';
import type { NativeValue } from './binding.ts';
import type { NativeStatement } from './statement.ts';

/** A quarter of the time of `toString`; Node's types leave them out. */
interface Bytes extends Uint8Array {
  latin1Slice(start?: number, end?: number): string;
  utf8Slice(start: number, end: number): string;
}

interface Target {
  readonly autocommit: boolean;
  prepare(sql: string): NativeStatement;
}

/** More at a time gained nothing. */
const ROWS = 10;
/** SQLITE_MAX_VARIABLE_NUMBER is 32,766. */
const MAX_PARAMETERS = 32_000;

export class NativeRecordInsert implements RecordInsert {
  readonly #target: Target;
  readonly #one: NativeStatement;
  readonly #several: NativeStatement | null;
  readonly #values: RecordValues;
  /** For one statement; used again. */
  readonly #row: NativeValue[] = [];
  readonly #rows: NativeValue[] = [];
  #batch: RecordBatch = NO_RECORDS;
  #bytes: Bytes = Buffer.alloc(0) as unknown as Bytes;
  /** All bytes in use, each as a character. */
  #text = '';
  /** They are ASCII. */
  #isPlain = false;
  #changes = 0;
  readonly #rowsAtOnce: number;

  /** @throws as `prepare` */
  constructor(target: Target, { into, row, onConflict }: RecordSql, binding: RecordBinding) {
    this.#target = target;
    this.#values = new RecordValues(binding);
    this.#one = target.prepare(`${into} VALUES ${row} ${onConflict}`);
    const { length } = binding.parameters;
    this.#rowsAtOnce = Math.max(1, Math.min(ROWS, Math.floor(MAX_PARAMETERS / Math.max(length, 1))));
    const rows = Array.from({ length: this.#rowsAtOnce }, () => row).join(', ');
    this.#several = this.#rowsAtOnce === 1 ? null : target.prepare(`${into} VALUES ${rows} ${onConflict}`);
  }

  get changes(): number {
    return this.#changes;
  }

  load(batch: RecordBatch): void {
    this.#batch = batch;
    this.#bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, usedBytes(batch)) as unknown as Bytes;
    this.#text = this.#bytes.latin1Slice();
    this.#isPlain = isAscii(this.#bytes);
  }

  run(first: number, { until, deadlineMs, refused }: RecordRun): number {
    assertInTransaction(this.#target.autocommit);
    const records = until ?? this.#batch.records;
    let record = first;
    let looked = first;
    while (record < records) {
      if (this.#several !== null && record + this.#rowsAtOnce <= records && this.#tryRows(this.#several, record))
        record += this.#rowsAtOnce;
      else {
        const end = Math.min(record + this.#rowsAtOnce, records);
        for (; record < end; record++) this.#runOne(record, refused);
      }
      if (record - looked < CLOCK_RECORDS) continue;
      looked = record;
      if (performance.now() >= deadlineMs) break;
    }
    return record;
  }

  close(): void {
    this.#one.finalize();
    this.#several?.finalize();
    this.#batch = NO_RECORDS;
    this.#text = '';
  }

  /** False when one of them was refused, and so nothing was written. */
  #tryRows(statement: NativeStatement, first: number): boolean {
    const rows = this.#rows;
    let at = 0;
    for (let record = first; record < first + this.#rowsAtOnce; record++) at = this.#read(record, rows, at);
    try {
      this.#changes += statement.runWith(rows);
      return true;
    } catch (error) {
      refusalOfRecord(error, !this.#target.autocommit);
      return false;
    }
  }

  #runOne(record: number, refused: RecordRun['refused']): void {
    this.#read(record, this.#row, 0);
    try {
      this.#changes += this.#one.runWith(this.#row);
    } catch (error) {
      refused(record, refusalOfRecord(error, !this.#target.autocommit));
    }
  }

  /** Puts the values of a record into `target` from `at` on. Answers where they end. */
  #read(record: number, target: NativeValue[], at: number): number {
    const batch = this.#batch;
    const values = this.#values;
    const first = record === 0 ? 0 : batch.recordEnds[record - 1]!;
    const end = batch.recordEnds[record]!;
    for (const parameter of values.binding.parameters) {
      target[at++] = this.#value(values.read(batch, first, end, parameter), parameter.as === 'any');
    }
    return at;
  }

  /** @param isExact nothing else makes an integer of a number, which better-sqlite3 binds as REAL */
  #value(bound: number, isExact: boolean): NativeValue {
    const { number, from, to, words } = this.#values;
    switch (bound) {
      case BOUND.text:
        return this.#isPlain || isPlain(this.#bytes, from, to)
          ? this.#text.slice(from, to)
          : this.#bytes.utf8Slice(from, to);
      case BOUND.integer:
        return isExact ? BigInt(number) : number;
      case BOUND.real:
        return number;
      case BOUND.blob:
        return this.#bytes.subarray(from, to);
      case BOUND.words:
        return words;
      case BOUND.bigInteger:
        return this.#values.big;
      default:
        return null;
    }
  }
}

/** A call of `utf8Slice` takes longer than looking at the bytes of a field. */
function isPlain(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at]! > 0x7f) return false;
  return true;
}
