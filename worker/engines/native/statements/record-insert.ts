// Records into a table by statements of many rows, because to hand a value over to better-sqlite3 costs more than SQLite needs to store it: a
// hundred records are one JSONB value, and where that cannot be, ten are a statement of ten rows; those of a statement that fails are
// written again one by one, which tells the record that is at fault. Where values are handed over, a batch becomes one long string:
// fields of ASCII, which most are, are slices of it.
import { isAscii } from 'node:buffer';
import type { Value } from '#shared/protocol/values.ts';
import type { RecordBatch } from '../../../records/record-batch.ts';
import { assertInTransaction, CLOCK_RECORDS, realOf, refusalOfRecord } from '../../record-insert.ts';
import type { RecordInsert, RecordRun, RecordSql } from '../../record-insert.ts';
import { BOUND, NO_RECORDS, RecordValues, usedBytes } from '../../record-values.ts';
import type { RecordBinding } from '../../record-values.ts';
import type { NativeValue } from './binding.ts';
import { jsonbSource, MOST_JSONB_VALUES, RecordsAsJsonb } from './records-as-jsonb.ts';
import type { NativeStatement } from './statement.ts';

/** A quarter of the time of `toString`; Node's types leave them out. */
interface Bytes extends Uint8Array {
  latin1Slice(start?: number, end?: number): string;
  utf8Slice(start: number, end: number): string;
}

interface Target {
  readonly autocommit: boolean;
  prepare(sql: string): NativeStatement;
  one(sql: string, params: readonly Value[]): readonly Value[] | null;
}

/** More at a time gained nothing, of either kind. */
const ROWS = 10;
const JSONB_ROWS = 100;
/** SQLITE_MAX_VARIABLE_NUMBER is 32,766. */
const MAX_PARAMETERS = 32_000;

export class NativeRecordInsert implements RecordInsert {
  readonly #target: Target;
  readonly #one: NativeStatement;
  /** The other two are prepared when there are enough records for them: most tables of a dump can have a few. */
  readonly #severalSql: string | null;
  #several: NativeStatement | null = null;
  readonly #values: RecordValues;
  /** Buffer for the values of one statement; reused. */
  readonly #row: NativeValue[] = [];
  readonly #rows: NativeValue[] = [];
  #batch: RecordBatch = NO_RECORDS;
  #bytes: Bytes = Buffer.alloc(0) as unknown as Bytes;
  /** All bytes in use, each as a character. */
  #text = '';
  /** All bytes of the batch are ASCII. */
  #isPlain = false;
  #changes = 0;
  readonly #rowsAtOnce: number;
  /** Null where the statement does more than store values, or has too many. */
  readonly #bulkSql: string | null;
  #bulk: NativeStatement | null = null;
  readonly #jsonb: RecordsAsJsonb;

  /** @throws as `prepare` */
  constructor(target: Target, { into, row, onConflict }: RecordSql, binding: RecordBinding) {
    this.#target = target;
    this.#values = new RecordValues(binding);
    this.#one = target.prepare(`${into} VALUES ${row} ${onConflict}`);
    const { length } = binding.parameters;
    this.#rowsAtOnce = Math.max(1, Math.min(ROWS, Math.floor(MAX_PARAMETERS / Math.max(length, 1))));
    const rows = Array.from({ length: this.#rowsAtOnce }, () => row).join(', ');
    this.#severalSql = this.#rowsAtOnce === 1 ? null : `${into} VALUES ${rows} ${onConflict}`;
    // An expression could name a column of what the values come from.
    const isPlain = row === `(${Array.from({ length }, () => '?').join(', ')})`;
    const isBulk = isPlain && length > 0 && length <= MOST_JSONB_VALUES;
    this.#bulkSql = isBulk ? `${into} ${jsonbSource(length)} ${onConflict}` : null;
    this.#jsonb = new RecordsAsJsonb(this.#values);
  }

  get changes(): number {
    return this.#changes;
  }

  load(batch: RecordBatch): void {
    this.#batch = batch;
    this.#jsonb.load(batch);
    this.#text = '';
  }

  run(first: number, { until, deadlineMs, refused }: RecordRun): number {
    assertInTransaction(this.#target.autocommit);
    const records = until ?? this.#batch.records;
    let record = first;
    let looked = first;
    while (record < records) {
      const end = Math.min(record + JSONB_ROWS, records);
      if (this.#tryBulk(record, end)) record = end;
      else for (; record < end; record = this.#runSeveral(record, end, refused));
      if (record - looked < CLOCK_RECORDS) continue;
      looked = record;
      if (performance.now() >= deadlineMs) break;
    }
    return record;
  }

  close(): void {
    this.#one.finalize();
    this.#several?.finalize();
    this.#bulk?.finalize();
    this.#jsonb.load(NO_RECORDS);
    this.#batch = NO_RECORDS;
    this.#text = '';
  }

  /** False when one of them was refused, and so nothing was written; or they cannot be written so. */
  #tryBulk(first: number, end: number): boolean {
    if (this.#bulkSql === null || (this.#bulk === null && end - first < ROWS)) return false;
    const jsonb = this.#jsonb.encode(first, end);
    if (jsonb === null) return false;
    this.#bulk ??= this.#target.prepare(this.#bulkSql);
    return this.#try(this.#bulk, [jsonb]);
  }

  /** Returns the record to continue with. */
  #runSeveral(first: number, records: number, refused: RecordRun['refused']): number {
    this.#makeText();
    if (this.#severalSql !== null && first + this.#rowsAtOnce <= records) {
      this.#several ??= this.#target.prepare(this.#severalSql);
      if (this.#tryRows(this.#several, first)) return first + this.#rowsAtOnce;
    }
    const end = Math.min(first + this.#rowsAtOnce, records);
    for (let record = first; record < end; record++) this.#runOne(record, refused);
    return end;
  }

  /** Runs once for a batch, and only where it is needed. */
  #makeText(): void {
    if (this.#text !== '') return;
    const { bytes } = this.#batch;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, usedBytes(this.#batch)) as unknown as Bytes;
    this.#text = this.#bytes.latin1Slice();
    this.#isPlain = isAscii(this.#bytes);
  }

  #tryRows(statement: NativeStatement, first: number): boolean {
    const rows = this.#rows;
    let at = 0;
    for (let record = first; record < first + this.#rowsAtOnce; record++) at = this.#read(record, rows, at);
    return this.#try(statement, rows);
  }

  #try(statement: NativeStatement, values: readonly NativeValue[]): boolean {
    try {
      this.#changes += statement.runWith(values);
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

  /** Puts the values of a record into `target` from `at` on. Returns where they end. */
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
      case BOUND.digits:
        return realOf(this.#target, this.#text.slice(from, to));
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
