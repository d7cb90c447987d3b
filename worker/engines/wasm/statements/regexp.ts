// Registers the function behind REGEXP with connections of the wasm build, which has none.
import { AppError, toAppError } from '#shared/protocol/errors.ts';
import { RegularExpressions } from '#shared/regular-expressions/regular-expressions.ts';
import type { Sqlite } from '../runtime/load.ts';
import { ColumnType, Result } from '../runtime/raw.ts';
import type { Pointer } from '../runtime/raw.ts';

/**
 * UTF-8, deterministic, and not for schemas (sqlite.org/c3ref/c_deterministic.html): what another program's REGEXP finds may differ, and an
 * index or CHECK that used both would be wrong.
 */
const FLAGS = 0x1 | 0x800 | 0x80000;

export class RegexpFunction {
  readonly #sqlite: Sqlite;
  readonly #name: Pointer;
  readonly #callback: Pointer;
  readonly #expressions = new RegularExpressions();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** @param isStopped called now and then in long texts: whether the running statement is to be interrupted */
  constructor(sqlite: Sqlite, isStopped: (db: Pointer) => boolean) {
    this.#sqlite = sqlite;
    this.#name = sqlite.heap.allocateText('regexp').pointer;
    this.#callback = sqlite.install('vpip', (context: Pointer, _count: number, values: Pointer) => {
      const db = sqlite.raw.sqlite3_user_data(context);
      this.#answer(context, values, () => {
        if (isStopped(db)) throw new AppError({ code: 'stopped', message: 'Stopped.' });
      });
    });
  }

  /** Call on a connection that was just opened. */
  register(db: Pointer): void {
    this.#sqlite.raw.sqlite3_create_function_v2(db, this.#name, 2, FLAGS, db, this.#callback, 0, 0, 0);
  }

  /** Nothing may be thrown through SQLite. */
  #answer(context: Pointer, values: Pointer, tick: () => void): void {
    const { raw, heap } = this.#sqlite;
    try {
      const pattern = this.#textAt(values);
      const text = this.#textAt(values + 4);
      if (pattern === null || text === null) raw.sqlite3_result_null(context);
      else raw.sqlite3_result_int(context, this.#expressions.test(pattern, text, tick) ? 1 : 0);
    } catch (error) {
      const { code, message } = toAppError(error);
      if (code === 'stopped') return raw.sqlite3_result_error_code(context, Result.interrupt);
      const { pointer, bytes } = heap.allocateText(message);
      raw.sqlite3_result_error(context, pointer, bytes);
      heap.free(pointer);
    }
  }

  #textAt(address: Pointer): string | null {
    const { raw, heap } = this.#sqlite;
    const value = heap.pointerAt(address);
    switch (raw.sqlite3_value_type(value)) {
      case ColumnType.null:
        return null;
      case ColumnType.integer:
        return raw.sqlite3_value_int64(value).toString();
      // A REAL as SQLite writes it, which makes a text of it first.
      default: {
        const pointer = raw.sqlite3_value_blob(value);
        return this.#decoder.decode(heap.bytes.subarray(pointer, pointer + raw.sqlite3_value_bytes(value)));
      }
    }
  }
}
