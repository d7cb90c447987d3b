// How SQL functions of the wasm build that are written in JavaScript answer SQLite.
import { toAppError } from '#shared/protocol/errors.ts';
import type { Sqlite } from '../runtime/load.ts';
import { Result } from '../runtime/raw.ts';
import type { Pointer } from '../runtime/raw.ts';

/** SQLite copies the result (sqlite.org/c3ref/c_static.html, `SQLITE_TRANSIENT`). */
export const COPIED = -1;

/** Runs the code of a function. What it throws becomes an error of the statement, because nothing may be thrown through SQLite. */
export function answering({ raw, heap }: Sqlite, context: Pointer, answer: () => void): void {
  try {
    answer();
  } catch (error) {
    const { code, message } = toAppError(error);
    if (code === 'stopped') return raw.sqlite3_result_error_code(context, Result.interrupt);
    const { pointer, bytes } = heap.allocateText(message);
    raw.sqlite3_result_error(context, pointer, bytes);
    heap.free(pointer);
  }
}

export function giveText({ raw, heap }: Sqlite, context: Pointer, text: string): void {
  const { pointer, bytes } = heap.allocateText(text);
  raw.sqlite3_result_text(context, pointer, bytes, COPIED);
  heap.free(pointer);
}
