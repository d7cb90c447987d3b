// Binds values to a statement's parameters without a copy inside SQLite.
import { AppError } from '#shared/protocol/errors.ts';
import { isRawText, isReal } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';

/** Longer values get their own memory, freed as soon as the statement is done. */
const SMALL_BYTES = 16_384;
/** Up to this length a loop over ASCII is faster than a call of the encoder. */
const SHORT_TEXT = 40;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const STATIC = 0;

const encoder = new TextEncoder();

/**
 * The parameters of one statement. Small texts and blobs are in memory that belongs to the statement and is reused by the next binding.
 * SQLite is told that it is static, so it must not move or change before the statement is reset.
 */
export class Parameters {
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
        if (value < INT64_MIN || value > INT64_MAX) throw tooBigInteger(value);
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

function tooBigInteger(value: bigint): AppError {
  return AppError.tooBig(
    `${value} is too big for SQLite: integers have 64 bits, from ${INT64_MIN} to ${INT64_MAX}. Nothing was changed.`,
  );
}
