// Binds literals from the text of a script without copying their text.
import { LiteralKind } from '../../repeated/literals.ts';
import type { Literals } from '../../repeated/literals.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';

const STATIC = 0;
const QUOTE = 0x27;

/** Returns SQLite's result code. */
export function bindLiterals(sqlite: Sqlite, statement: Pointer, literals: Literals): number {
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
