// How much of the wasm memory one connection holds.
import type { Sqlite } from './load.ts';
import type { Pointer } from './raw.ts';

/** Page caches (those of TEMP tables too), schema, statements: sqlite.org/c3ref/c_dbstatus_options.html. */
const HELD = [1, 2, 3] as const;

/** Bytes of its page caches, its schema, and its statements. */
export function heldInMemory({ raw, heap, out }: Sqlite, db: Pointer): number {
  return HELD.reduce((sum, what) => {
    raw.sqlite3_db_status(db, what, out, out + 4, 0);
    return sum + heap.pointerAt(out);
  }, 0);
}
