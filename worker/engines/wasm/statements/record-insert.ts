// Inserts records with one statement that runs once for each: fields are bound by address, from bytes that are copied to wasm memory once
// for the whole batch.
import type { Value } from '#shared/protocol/values.ts';
import { asciiText } from '#shared/ascii-text.ts';
import type { RecordBatch } from '../../../records/record-batch.ts';
import { assertInTransaction, CLOCK_RECORDS, realOf, refusalOfRecord } from '../../record-insert.ts';
import type { RecordInsert, RecordRun, RecordSql } from '../../record-insert.ts';
import { BOUND, NO_RECORDS, RecordValues, usedBytes, type RecordBinding } from '../../record-values.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';
import type { WasmStatement } from './statement.ts';

interface Target {
  readonly sqlite: Sqlite;
  readonly db: Pointer;
  readonly autocommit: boolean;
  prepare(sql: string): WasmStatement;
  one(sql: string, params: readonly Value[]): readonly Value[] | null;
  whileInserting<T>(table: string | undefined, work: () => T): T;
}

const STATIC = 0;

export class WasmRecordInsert implements RecordInsert {
  readonly #target: Target;
  readonly #statement: WasmStatement;
  readonly #values: RecordValues;
  readonly #fills: string | undefined;
  #batch: RecordBatch = NO_RECORDS;
  #memory: Pointer = 0;
  #capacity = 0;
  #changes = 0;

  /** @throws as `prepare` */
  constructor(target: Target, { into, row, onConflict, fills }: RecordSql, binding: RecordBinding) {
    this.#target = target;
    this.#values = new RecordValues(binding);
    this.#fills = fills;
    this.#statement = target.prepare(`${into} VALUES ${row} ${onConflict}`);
  }

  get changes(): number {
    return this.#changes;
  }

  load(batch: RecordBatch): void {
    const used = usedBytes(batch);
    // Even zero bytes need an address.
    if (used >= this.#capacity) this.#grow(used + 1);
    this.#target.sqlite.heap.bytes.set(batch.bytes.subarray(0, used), this.#memory);
    this.#batch = batch;
  }

  run(first: number, run: RecordRun): number {
    assertInTransaction(this.#target.autocommit);
    return this.#target.whileInserting(this.#fills, () => this.#runEach(first, run));
  }

  #runEach(first: number, { until, deadlineMs, refused }: RecordRun): number {
    const { recordEnds } = this.#batch;
    const records = until ?? this.#batch.records;
    const { raw } = this.#target.sqlite;
    let record = first;
    let field = first === 0 ? 0 : recordEnds[first - 1]!;
    while (record < records) {
      const end = recordEnds[record]!;
      try {
        this.#statement.bindRecord((statement) => this.#bind(statement, field, end));
        this.#statement.step();
        this.#changes += raw.sqlite3_changes(this.#target.db);
      } catch (error) {
        refused(record, refusalOfRecord(error, !this.#target.autocommit));
      }
      field = end;
      record++;
      if (record % CLOCK_RECORDS === 0 && performance.now() >= deadlineMs) break;
    }
    return record;
  }

  close(): void {
    this.#statement.finalize();
    if (this.#memory !== 0) this.#target.sqlite.heap.free(this.#memory);
    this.#memory = this.#capacity = 0;
    this.#batch = NO_RECORDS;
  }

  /** Returns SQLite's result code. */
  #bind(statement: Pointer, first: number, end: number): number {
    const values = this.#values;
    const { parameters } = values.binding;
    let code = 0;
    for (let index = 0; index < parameters.length && code === 0; index++) {
      code = this.#bindOne(statement, index + 1, values.read(this.#batch, first, end, parameters[index]!));
    }
    return code;
  }

  #bindOne(statement: Pointer, index: number, bound: number): number {
    const { raw } = this.#target.sqlite;
    const { number, from, to } = this.#values;
    switch (bound) {
      case BOUND.text:
        return raw.sqlite3_bind_text(statement, index, this.#memory + from, to - from, STATIC);
      case BOUND.integer:
        if ((number | 0) === number) return raw.sqlite3_bind_int(statement, index, number);
        return raw.sqlite3_bind_int64(statement, index, BigInt(number));
      case BOUND.real:
        return raw.sqlite3_bind_double(statement, index, number);
      case BOUND.digits:
        return raw.sqlite3_bind_double(statement, index, realOf(this.#target, asciiText(this.#batch.bytes, from, to)));
      case BOUND.blob:
        return raw.sqlite3_bind_blob(statement, index, this.#memory + from, to - from, STATIC);
      case BOUND.words:
        return this.#bindWords(statement, index);
      case BOUND.bigInteger:
        return raw.sqlite3_bind_int64(statement, index, this.#values.big);
      default:
        return raw.sqlite3_bind_null(statement, index);
    }
  }

  #bindWords(statement: Pointer, index: number): number {
    const { raw, heap, freeFunction } = this.#target.sqlite;
    const { pointer, bytes } = heap.allocateText(this.#values.words);
    return raw.sqlite3_bind_text(statement, index, pointer, bytes, freeFunction);
  }

  #grow(needed: number): void {
    const { heap } = this.#target.sqlite;
    // Earlier bindings point into the old memory.
    this.#statement.forgetValues();
    if (this.#memory !== 0) heap.free(this.#memory);
    this.#memory = 0;
    this.#capacity = 2 ** Math.ceil(Math.log2(Math.max(needed, 1 << 16)));
    this.#memory = heap.allocate(this.#capacity);
  }
}
