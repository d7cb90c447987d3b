// Records into a table by statements of many rows, because to hand a value over to better-sqlite3 costs more than SQLite needs to store it: a
// hundred records are one JSONB value, and where that cannot be, ten are a statement of ten rows; those of a statement that fails are
// written again one by one, which tells the record that is at fault. Where values are handed over, a batch becomes one long string:
// fields of ASCII, which most are, are slices of it.
import { isAscii } from 'node:buffer';
import type { Value } from '#shared/protocol/values.ts';
import { encodeText } from '../../../records/batch-writer.ts';
import { FIELD, type RecordBatch } from '../../../records/record-batch.ts';
import { assertInTransaction, CLOCK_RECORDS, realOf, refusalOfRecord } from '../../record-insert.ts';
import type { RecordInsert, RecordRun, RecordSql } from '../../record-insert.ts';
import { BOUND, NO_RECORDS, RecordValues, usedBytes } from '../../record-values.ts';
import type { RecordBinding, RecordParameter } from '../../record-values.ts';
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

// Values of many records as one JSONB array (sqlite.org/jsonb.html): one value to hand over instead of a dozen for each record, and SQLite
// takes it apart again with `jsonb_each` and `json_extract`. Text is kept byte for byte, and integers keep their 64 bits.

/** Type codes of the format. What `FLOAT5` holds may lack digits before or after its point. */
const [NULL, INT, FLOAT5, TEXTRAW, ARRAY] = [0, 3, 6, 10, 11];
/** The upper half of the first byte holds sizes up to 11 directly; longer ones follow it in 1, 2 or 4 bytes. */
const [SIZE_1, SIZE_2, SIZE_4] = [0xc0, 0xd0, 0xe0];
const MOST_INLINE = 11;
const HEADER = 5;
const [COMMA, MINUS, POINT] = [0x2c, 0x2d, 0x2e];
/** Any integer that is no longer is a safe one. */
const PLAIN_LENGTH = 15;
/** SQLite reads that many digits of a real exactly: they fit into 64 bits (`sqlite3AtoF`). */
const EXACT_LENGTH = 18;
/** SQLite reaches an element by walking over those before it. */
const MOST_JSONB_VALUES = 40;

/** `json_extract(value, '$[0]'), …`, and where they come from. */
const jsonbSource = (values: number): string =>
  `SELECT ${Array.from({ length: values }, (_, at) => `json_extract(value, '$[${at}]')`).join(', ')} FROM jsonb_each(?) WHERE true`;

class RecordsAsJsonb {
  readonly #values: RecordValues;
  #batch: RecordBatch = NO_RECORDS;
  #bytes = Buffer.allocUnsafe(1 << 16);
  #used = 0;
  readonly #words = new Uint8Array(64);

  constructor(values: RecordValues) {
    this.#values = values;
  }

  load(batch: RecordBatch): void {
    this.#batch = batch;
  }

  /** Null if a value has no JSONB form: a blob, or a real with more digits than SQLite reads exactly. It is valid until the next call. */
  encode(first: number, end: number): Buffer | null {
    this.#used = HEADER;
    for (let record = first; record < end; record++) if (!this.#addRecord(record)) return null;
    this.#arrayHeader(0);
    return this.#bytes.subarray(0, this.#used);
  }

  #addRecord(record: number): boolean {
    const { recordEnds, kinds, starts, ends, bytes } = this.#batch;
    const values = this.#values;
    const first = record === 0 ? 0 : recordEnds[record - 1]!;
    const end = recordEnds[record]!;
    const from = this.#used;
    this.#reserve(HEADER);
    this.#used += HEADER;
    for (const parameter of values.binding.parameters) {
      const place = first + parameter.field;
      const type = place < end ? plainType(kinds[place]!, parameter, bytes, starts[place]!, ends[place]!) : NULL;
      if (type !== NULL) this.#add(type, bytes, starts[place]!, ends[place]!);
      else if (!this.#addValue(values.read(this.#batch, first, end, parameter))) return false;
    }
    this.#arrayHeader(from);
    return true;
  }

  #addValue(bound: number): boolean {
    const { from, to } = this.#values;
    switch (bound) {
      case BOUND.text:
        this.#add(TEXTRAW, this.#batch.bytes, from, to);
        return true;
      case BOUND.null:
        this.#reserve(1);
        this.#bytes[this.#used++] = NULL;
        return true;
      case BOUND.integer:
        this.#addInteger();
        return true;
      case BOUND.real:
        return this.#addReal(from, to);
      case BOUND.digits:
        this.#add(FLOAT5, this.#batch.bytes, from, to);
        return true;
      case BOUND.words:
        this.#addText(TEXTRAW, this.#values.words);
        return true;
      case BOUND.bigInteger:
        this.#addText(INT, String(this.#values.big));
        return true;
      default:
        return false;
    }
  }

  /** Adds the digits of the field as they are, or the number that its word means. */
  #addInteger(): void {
    const { number, from, to } = this.#values;
    const { bytes } = this.#batch;
    const digit = bytes[to - 1]! - 0x30;
    if (from < to && digit >= 0 && digit <= 9) this.#add(INT, bytes, from, to);
    else this.#addText(INT, String(number));
  }

  #addReal(from: number, to: number): boolean {
    if (to - from > EXACT_LENGTH) return false;
    const { bytes } = this.#batch;
    this.#add(FLOAT5, bytes, from, to);
    if (!this.#values.binding.decimalComma) return true;
    const comma = this.#bytes.indexOf(COMMA, this.#used - (to - from));
    if (comma >= 0 && comma < this.#used) this.#bytes[comma] = POINT;
    return true;
  }

  /** Truth values and integers: a call out of JavaScript takes longer than all the rest of a value. */
  #addText(type: number, text: string): void {
    this.#add(type, this.#words, 0, encodeText(text, this.#words, 0));
  }

  #add(type: number, bytes: Uint8Array, from: number, to: number): void {
    const size = to - from;
    this.#reserve(HEADER + size);
    const into = this.#bytes;
    let at = this.#used;
    if (size <= MOST_INLINE) into[at++] = (size << 4) | type;
    else if (size <= 0xff) {
      into[at++] = SIZE_1 | type;
      into[at++] = size;
    } else if (size <= 0xffff) {
      into[at++] = SIZE_2 | type;
      into[at++] = size >> 8;
      into[at++] = size;
    } else at = this.#longHeader(SIZE_4 | type, at, size);
    if (size > 48) into.set(bytes.subarray(from, to), at);
    else for (let n = 0; n < size; n++) into[at + n] = bytes[from + n]!;
    this.#used = at + size;
  }

  #arrayHeader(at: number): void {
    this.#longHeader(SIZE_4 | ARRAY, at, this.#used - at - HEADER);
  }

  #longHeader(head: number, at: number, size: number): number {
    const into = this.#bytes;
    into[at] = head;
    into[at + 1] = size >>> 24;
    into[at + 2] = size >>> 16;
    into[at + 3] = size >>> 8;
    into[at + 4] = size;
    return at + HEADER;
  }

  #reserve(more: number): void {
    const needed = this.#used + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = larger;
  }
}

/** Type of a field that is added as it is, which most are: a text, or a number of few digits. Otherwise `NULL`: its value decides. */
function plainType(kind: number, { as }: RecordParameter, bytes: Uint8Array, from: number, to: number): number {
  if (kind === FIELD.quoted) return as === 'number' ? NULL : TEXTRAW;
  if (kind !== FIELD.number || as === 'text' || to - from > PLAIN_LENGTH) return NULL;
  let type: number = INT;
  let digits = 0;
  for (let at = bytes[from] === MINUS ? from + 1 : from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x30 && byte <= 0x39) digits++;
    else if (byte === POINT && type === INT) type = FLOAT5;
    else return NULL;
  }
  return digits > 0 ? type : NULL;
}
