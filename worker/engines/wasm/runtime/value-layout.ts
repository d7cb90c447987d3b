// Where SQLite keeps a value in memory (`struct sqlite3_value` in vdbeInt.h). The values of a row lie one after the other, so that a row can
// be read with one call instead of three for each value. The layout is no promise of SQLite: it is compared with what the functions return
// before it is used.
import type { Heap } from './heap.ts';
import { OpenFlag, Result, type Pointer, type RawSqlite } from './raw.ts';

/** Distance between the values of a row. */
export const VALUE_BYTES = 40;

// The parts of a value, in words of 4 bytes from its beginning. A REAL is in the first two.
export const LOW = 0;
export const HIGH = 1;
export const POINTER = 2;
export const LENGTH = 3;
export const FACTS = 4;

/** Bits of the facts: the types a value has, and whether zeros that are not in memory follow it. */
export const TYPE_BITS = 0x43f;
// What of these a value of one type has. SQLite's functions read all others: a blob, and what is of two types.
export const IS_NULL = 0x1;
export const IS_TEXT = 0x2;
export const IS_INTEGER = 0x4;
export const IS_REAL = 0x8;
/** Bits of the facts: the encoding of a text. Other values have anything there. */
export const ENCODING_BITS = 0xff_0000;
export const UTF8 = 0x1_0000;

interface Module {
  readonly raw: RawSqlite;
  readonly heap: Heap;
  /** Room for a pointer. */
  readonly out: Pointer;
}

const PROBE = "SELECT NULL, 'a text', -5, 9007199254740993, 2.5";
const COLUMNS = 5;
const BIG = 9_007_199_254_740_993n;

/** Whether values lie in memory as described here. Opens a database in memory. */
export function isLayoutKnown({ raw, heap, out }: Module): boolean {
  const name = heap.allocateText(':memory:');
  const sql = heap.allocateText(PROBE);
  try {
    const opened = raw.sqlite3_open_v2(name.pointer, out, OpenFlag.readWrite | OpenFlag.create, 0);
    const db = heap.pointerAt(out);
    const prepared = opened === 0 ? raw.sqlite3_prepare_v3(db, sql.pointer, sql.bytes, 0, out, 0) : opened;
    const statement = prepared === 0 ? heap.pointerAt(out) : 0;
    const isKnown =
      statement !== 0 && raw.sqlite3_step(statement) === Result.row && isRowKnown({ raw, heap }, statement);
    raw.sqlite3_finalize(statement);
    raw.sqlite3_close_v2(db);
    return isKnown;
  } finally {
    heap.free(name.pointer);
    heap.free(sql.pointer);
  }
}

function isRowKnown({ raw, heap }: Omit<Module, 'out'>, statement: Pointer): boolean {
  const first = raw.sqlite3_column_value(statement, 0);
  for (let column = 0; column < COLUMNS; column++)
    if (raw.sqlite3_column_value(statement, column) !== first + column * VALUE_BYTES) return false;
  const text = raw.sqlite3_column_text(statement, 1);
  const length = raw.sqlite3_column_bytes(statement, 1);
  const { words, floats } = heap;
  const word = (column: number, part: number): number => words[((first + column * VALUE_BYTES) >> 2) + part]!;
  const types = Array.from({ length: COLUMNS }, (_, column) => word(column, FACTS) & TYPE_BITS);
  return (
    types.join() === [IS_NULL, IS_TEXT, IS_INTEGER, IS_INTEGER, IS_REAL].join() &&
    word(1, POINTER) === text &&
    word(1, LENGTH) === length &&
    (word(1, FACTS) & ENCODING_BITS) === UTF8 &&
    word(2, LOW) === -5 &&
    word(2, HIGH) === -1 &&
    word(3, LOW) === Number(BIG & 0xffff_ffffn) &&
    word(3, HIGH) === Number(BIG >> 32n) &&
    floats[(first + 4 * VALUE_BYTES) >> 3] === 2.5
  );
}
