// One prepared statement: binding, stepping, and what is left behind when it ends or fails.
import type { AppError } from '#shared/protocol/errors.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import type { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Control, ScriptStatement, TableRead } from '../../engine.ts';
import { closedError } from '../../engine-errors.ts';
import { assertFits } from '../../integer-range.ts';
import type { StatementFacts } from './statement-facts.ts';
import type { RollbackPoint } from '../../transaction-facts.ts';
import { LiteralKind, type Literals } from '../../repeated/literals.ts';
import type { Sqlite } from '../runtime/load.ts';
import { Result, type Pointer } from '../runtime/raw.ts';
import { packRow, readValue } from './row.ts';

/** Counters of `sqlite3_stmt_status`: steps of full scans (SQLITE_STMTSTATUS_FULLSCAN_STEP); place 0, which has no name, counts all other steps. */
const VISITS = [0, 1] as const;
/** Rows between two looks at the clock. */
const CLOCK_ROWS = 16;

/** The part of its connection that a statement needs. */
export interface StatementOwner {
  readonly sqlite: Sqlite;
  /** 0 once the connection is closed. */
  readonly db: Pointer;
  /** Every statement that is not destroyed yet: closing does that. The newest last: those of scripts come and go. */
  readonly live: WasmStatement[];
  /** Call before the first step of a statement that may write. Returns the state at that moment. */
  begin(facts: StatementFacts): Before;
  succeeded(facts: StatementFacts, before: Before | null): void;
  /** Undoes what the failed statement noted; the error is for throwing after {@link settled}. */
  failed(code: number, before: Before | null, statement: Pointer): AppError;
  /** A statement that has done all it does must not stay done: why. Its transaction is rolled back by {@link settled}. */
  refused(): AppError | null;
  /** The statement is reset: commits may be published now. */
  settled(): void;
  release(statement: WasmStatement): void;
}

export interface Before {
  readonly autocommit: boolean;
  readonly totalChanges: number;
  readonly mark: RollbackPoint;
  /** The statement writes to virtual tables, itself or by triggers. */
  readonly writesVirtual: boolean;
}

export class WasmStatement implements ScriptStatement {
  /** Position in the script that has it now. */
  from = 0;
  to = 0;
  readonly columnCount: number;
  readonly readonly: boolean;
  readonly parameterCount: number;
  readonly facts: StatementFacts;
  readonly #owner: StatementOwner;
  readonly #pointer: Pointer;
  readonly #parameters: Parameters;
  #columns: readonly ResultColumn[] | null = null;
  #state: 'ready' | 'running' | 'done' | 'finalized' = 'ready';
  #before: Before | null = null;

  constructor(owner: StatementOwner, pointer: Pointer, facts: StatementFacts) {
    const { raw } = owner.sqlite;
    this.#owner = owner;
    this.#pointer = pointer;
    this.facts = facts;
    this.#parameters = new Parameters(owner.sqlite, pointer);
    this.columnCount = raw.sqlite3_column_count(pointer);
    this.readonly = raw.sqlite3_stmt_readonly(pointer) !== 0;
    this.parameterCount = raw.sqlite3_bind_parameter_count(pointer);
    owner.live.push(this);
  }

  get columns(): readonly ResultColumn[] {
    this.#columns ??= Array.from({ length: this.columnCount }, (_, index) => this.#describe(index));
    return this.#columns;
  }

  get control(): Control | null {
    return this.facts.control;
  }

  get readTables(): readonly string[] {
    return this.facts.reads.map(({ table }) => table);
  }

  get reads(): readonly TableRead[] {
    return this.facts.reads;
  }

  bind(params: readonly Value[]): void {
    this.#assertOpen();
    if (this.#state !== 'ready') this.reset();
    if (params.length < this.parameterCount) this.#owner.sqlite.raw.sqlite3_clear_bindings(this.#pointer);
    const code = this.#parameters.bind(params);
    if (code !== 0) throw this.#owner.failed(code, null, this.#pointer);
  }

  /** Binds literals of a text that must not move until this is reset. Returns whether SQLite accepts them. */
  bindLiterals(literals: Literals): boolean {
    return bindLiterals(this.#owner.sqlite, this.#pointer, literals) === 0;
  }

  /** Used by a caller that keeps the values in place until the statement is reset. `bind` returns SQLite's result code. */
  bindRecord(bind: (statement: Pointer) => number): void {
    this.#assertOpen();
    if (this.#state !== 'ready') this.reset();
    const code = bind(this.#pointer);
    if (code !== 0) throw this.#owner.failed(code, null, this.#pointer);
  }

  /** The values that are bound are no longer where they were. */
  forgetValues(): void {
    this.#owner.sqlite.raw.sqlite3_clear_bindings(this.#pointer);
  }

  step(): boolean {
    if (this.#state === 'done') return false;
    this.#assertOpen();
    if (this.#state === 'ready') {
      // Transaction control counts as read-only, so it is never undone here: SQLite does that itself.
      this.#before = this.readonly ? null : this.#owner.begin(this.facts);
      this.#state = 'running';
    }
    const code = this.#owner.sqlite.raw.sqlite3_step(this.#pointer);
    if (code === Result.row) return true;
    this.#end(code);
    return false;
  }

  get writtenTables(): readonly string[] {
    return this.facts.writtenTables;
  }

  get rowsVisited(): number {
    const { raw } = this.#owner.sqlite;
    return VISITS.reduce<number>((sum, counter) => sum + raw.sqlite3_stmt_status(this.#pointer, counter, 0), 0);
  }

  value(column: number): Value {
    return readValue(this.#owner.sqlite, this.#pointer, column);
  }

  pack(writer: PackedRowsWriter, limits: { maxRows: number; maxBytes?: number; deadlineMs?: number }): boolean {
    const { sqlite } = this.#owner;
    const maxBytes = limits.maxBytes ?? Infinity;
    const deadlineMs = limits.deadlineMs ?? Infinity;
    for (let row = 1; row <= limits.maxRows; row++) {
      if (!this.step()) return false;
      packRow(sqlite, this.#pointer, this.columnCount, writer);
      if (writer.sizeBytes >= maxBytes) return true;
      if (row % CLOCK_ROWS === 0 && deadlineMs !== Infinity && performance.now() >= deadlineMs) return true;
    }
    return true;
  }

  reset(): void {
    if (this.#state === 'running' && this.#owner.db !== 0) {
      // Ends a half-read INSERT … RETURNING: its rows are in, its commit happens now and can still fail.
      const code = this.#owner.sqlite.raw.sqlite3_reset(this.#pointer);
      const error =
        code === 0 || this.readonly ? this.#owner.refused() : this.#owner.failed(code, this.#before, this.#pointer);
      this.#settle(error);
    }
    if (this.#state !== 'finalized') this.#state = 'ready';
  }

  finalize(): void {
    if (this.#state === 'finalized') return;
    try {
      this.reset();
    } finally {
      this.#state = 'finalized';
      this.#owner.release(this);
    }
  }

  /** Called by the statement cache: puts it back in use after {@link finalize}. */
  revive(): void {
    const { raw } = this.#owner.sqlite;
    this.#state = 'ready';
    raw.sqlite3_clear_bindings(this.#pointer);
    for (const counter of VISITS) raw.sqlite3_stmt_status(this.#pointer, counter, 1);
  }

  /** Called by the owner: really ends it. */
  destroy(): void {
    const { live } = this.#owner;
    if (live[live.length - 1] === this) live.pop();
    else live.splice(live.lastIndexOf(this), 1);
    this.#owner.sqlite.raw.sqlite3_finalize(this.#pointer);
    this.#parameters.free();
  }

  #end(code: number): void {
    const error = code === Result.done ? this.#owner.refused() : this.#owner.failed(code, this.#before, this.#pointer);
    // Reset at once, not with the next bind: a statement that is done must not hold its locks.
    this.#owner.sqlite.raw.sqlite3_reset(this.#pointer);
    this.#state = 'done';
    this.#settle(error);
  }

  #settle(error: AppError | null): void {
    this.#parameters.release();
    if (error === null) this.#owner.succeeded(this.facts, this.#before);
    else this.#state = 'ready';
    this.#owner.settled();
    if (error !== null) throw error;
  }

  #assertOpen(): void {
    if (this.#state !== 'finalized' && this.#owner.db !== 0) return;
    throw closedError();
  }

  #describe(index: number): ResultColumn {
    const { raw, heap } = this.#owner.sqlite;
    const table = raw.sqlite3_column_table_name(this.#pointer, index);
    const isMain = heap.text(raw.sqlite3_column_database_name(this.#pointer, index)) === 'main';
    return {
      name: heap.text(raw.sqlite3_column_name(this.#pointer, index)),
      declaredType: heap.text(raw.sqlite3_column_decltype(this.#pointer, index)),
      origin: isMain
        ? { table: heap.text(table), column: heap.text(raw.sqlite3_column_origin_name(this.#pointer, index)) }
        : null,
    };
  }
}

// Binds literals from the text of a script without copying their text.

const STATIC = 0;
const QUOTE = 0x27;

/** Returns SQLite's result code. */
function bindLiterals(sqlite: Sqlite, statement: Pointer, literals: Literals): number {
  let code = 0;
  for (let index = 0; index < literals.count && code === 0; index++) code = bindOne(sqlite, statement, literals, index);
  return code;
}

function bindOne(sqlite: Sqlite, statement: Pointer, literals: Literals, index: number): number {
  const { raw } = sqlite;
  const value = literals.numbers[index]!;
  const start = literals.starts[index]!;
  const length = literals.ends[index]! - start;
  switch (literals.kinds[index]) {
    case LiteralKind.integer:
      if ((value | 0) === value) return raw.sqlite3_bind_int(statement, index + 1, value);
      return raw.sqlite3_bind_int64(statement, index + 1, BigInt(value));
    case LiteralKind.real:
      return raw.sqlite3_bind_double(statement, index + 1, value);
    case LiteralKind.longInteger:
      return raw.sqlite3_bind_int64(statement, index + 1, BigInt(asciiAt(sqlite, start, length)));
    case LiteralKind.blob:
      return bindBlob(sqlite, statement, index + 1, start, length);
    case LiteralKind.longReal:
    case LiteralKind.text:
      return raw.sqlite3_bind_text(statement, index + 1, start, length, STATIC);
    case LiteralKind.quotedText:
      return bindUnquoted(sqlite, statement, index + 1, start, length);
    default:
      return raw.sqlite3_bind_null(statement, index + 1);
  }
}

/** A copy without doubled quotes. SQLite frees it. */
function bindUnquoted(sqlite: Sqlite, statement: Pointer, index: number, start: Pointer, length: number): number {
  const copy = sqlite.heap.allocate(length);
  const { bytes } = sqlite.heap;
  let to = copy;
  for (let at = start; at < start + length; at++) {
    bytes[to++] = bytes[at]!;
    if (bytes[at] === QUOTE) at++;
  }
  return sqlite.raw.sqlite3_bind_text(statement, index, copy, to - copy, sqlite.freeFunction);
}

const asciiAt = ({ heap: { bytes } }: Sqlite, start: Pointer, length: number): string =>
  String.fromCharCode(...bytes.subarray(start, start + length));

/** SQLite frees the bytes. */
function bindBlob(sqlite: Sqlite, statement: Pointer, index: number, start: Pointer, length: number): number {
  const size = length / 2;
  // A block of no bytes would be no pointer, and NULL.
  const copy = sqlite.heap.allocate(Math.max(1, size));
  const { bytes } = sqlite.heap;
  for (let at = 0; at < size; at++)
    bytes[copy + at] = (hexDigit(bytes[start + 2 * at]!) << 4) | hexDigit(bytes[start + 2 * at + 1]!);
  return sqlite.raw.sqlite3_bind_blob(statement, index, copy, size, sqlite.freeFunction);
}

/** Letters of both cases have their value in the low bits, after 1. */
const hexDigit = (unit: number): number => (unit & 0x0f) + (unit > 0x40 ? 9 : 0);

// Binds values to a statement's parameters without a copy inside SQLite.

/** Longer values get their own memory, freed as soon as the statement is done. */
const SMALL_BYTES = 16_384;
/** Up to this length a loop over ASCII is faster than a call of the encoder. */
const SHORT_TEXT = 40;

const encoder = new TextEncoder();

/**
 * The parameters of one statement. Small texts and blobs are in memory that belongs to the statement and is reused by the next binding.
 * SQLite is told that it is static, so it must not move or change before the statement is reset.
 */
class Parameters {
  readonly #sqlite: Sqlite;
  readonly #statement: Pointer;
  #memory: Pointer = 0;
  #capacity = 0;
  #used = 0;
  #hasBig = false;

  constructor(sqlite: Sqlite, statement: Pointer) {
    this.#sqlite = sqlite;
    this.#statement = statement;
  }

  /** Binds from 1 on. Returns SQLite's result code. */
  bind(params: readonly Value[]): number {
    const needed = neededBytes(params);
    if (needed > this.#capacity) this.#grow(needed);
    this.#used = 0;
    for (let index = 0; index < params.length; index++) {
      const code = this.#bindOne(index + 1, params[index]!);
      if (code !== 0) return code;
    }
    return 0;
  }

  /** Frees the memory of big values. To be called after a reset. */
  release(): void {
    if (!this.#hasBig) return;
    this.#hasBig = false;
    this.#sqlite.raw.sqlite3_clear_bindings(this.#statement);
  }

  /** Call after `sqlite3_finalize`. */
  free(): void {
    if (this.#memory !== 0) this.#sqlite.heap.free(this.#memory);
    this.#memory = 0;
    this.#capacity = 0;
  }

  #bindOne(index: number, value: Value): number {
    const { raw } = this.#sqlite;
    switch (typeof value) {
      case 'number':
        return this.#bindNumber(index, value);
      case 'string':
        return this.#bindText(index, value);
      case 'bigint':
        assertFits(value);
        return raw.sqlite3_bind_int64(this.#statement, index, value);
      default:
        if (value === null) return raw.sqlite3_bind_null(this.#statement, index);
        if (isReal(value)) return raw.sqlite3_bind_double(this.#statement, index, value.real);
        return isRawText(value) ? this.#bindBytes(index, value.textBytes, true) : this.#bindBytes(index, value, false);
    }
  }

  #bindNumber(index: number, value: number): number {
    const { raw } = this.#sqlite;
    // -0 is only kept as a REAL.
    if ((value | 0) === value && !Object.is(value, -0)) return raw.sqlite3_bind_int(this.#statement, index, value);
    if (Number.isSafeInteger(value) && value !== 0)
      return raw.sqlite3_bind_int64(this.#statement, index, BigInt(value));
    return raw.sqlite3_bind_double(this.#statement, index, value);
  }

  #bindText(index: number, text: string): number {
    const { raw, heap } = this.#sqlite;
    // Decided by the size it could need, as in `neededBytes`, not by its actual size.
    if (text.length * 3 > SMALL_BYTES) return this.#bindBigText(index, text);
    const at = this.#memory + this.#used;
    const bytes = heap.bytes;
    let written = 0;
    if (text.length <= SHORT_TEXT) {
      for (; written < text.length; written++) {
        const unit = text.charCodeAt(written);
        if (unit > 0x7f) break;
        bytes[at + written] = unit;
      }
    }
    if (written < text.length) written = encoder.encodeInto(text, bytes.subarray(at, at + text.length * 3)).written;
    this.#used += written;
    return raw.sqlite3_bind_text(this.#statement, index, at, written, STATIC);
  }

  #bindBigText(index: number, text: string): number {
    const { raw, heap, freeFunction } = this.#sqlite;
    const { pointer, bytes } = heap.allocateText(text);
    this.#hasBig = true;
    return raw.sqlite3_bind_text(this.#statement, index, pointer, bytes, freeFunction);
  }

  #bindBytes(index: number, bytes: Uint8Array, asText: boolean): number {
    const { raw, heap, freeFunction } = this.#sqlite;
    const big = bytes.length > SMALL_BYTES;
    // A NULL pointer would bind NULL, and the address of nothing may be one.
    if (bytes.length === 0 && !asText) return raw.sqlite3_bind_zeroblob(this.#statement, index, 0);
    const at = big ? heap.allocate(bytes.length) : this.#memory + this.#used;
    heap.bytes.set(bytes, at);
    if (big) this.#hasBig = true;
    else this.#used += bytes.length;
    const destructor = big ? freeFunction : STATIC;
    return asText
      ? raw.sqlite3_bind_text(this.#statement, index, at, bytes.length, destructor)
      : raw.sqlite3_bind_blob(this.#statement, index, at, bytes.length, destructor);
  }

  #grow(needed: number): void {
    // Earlier bindings point into the old memory.
    this.#sqlite.raw.sqlite3_clear_bindings(this.#statement);
    this.free();
    const capacity = Math.max(256, 2 ** Math.ceil(Math.log2(needed)));
    this.#memory = this.#sqlite.heap.allocate(capacity);
    this.#capacity = capacity;
  }
}

/** Room for every small text and blob. At least 1 if there is one, because '' needs an address too. */
function neededBytes(params: readonly Value[]): number {
  let bytes = 0;
  for (let index = 0; index < params.length; index++) {
    const value = params[index]!;
    if (typeof value === 'string') bytes += smallSize(value.length * 3) + 1;
    else if (typeof value === 'object' && value !== null && !isReal(value)) {
      bytes += smallSize(isRawText(value) ? value.textBytes.length : value.length) + 1;
    }
  }
  return bytes;
}

function smallSize(bytes: number): number {
  return bytes > SMALL_BYTES ? 0 : bytes;
}
