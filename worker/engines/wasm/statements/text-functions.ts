// Registers functions on text that the wasm build lacks with its connections: `regexp`, which is behind REGEXP, and `replace_nocase`.
import { AppError, toAppError } from '#shared/protocol/errors.ts';
import { RegularExpressions } from '#shared/regular-expressions/regular-expressions.ts';
import { replaceInAnyCase } from '#shared/replace-in-any-case.ts';
import type { Sqlite } from '../runtime/load.ts';
import { ColumnType, type Pointer, Result } from '../runtime/raw.ts';

/**
 * UTF-8, deterministic, and not for schemas (sqlite.org/c3ref/c_deterministic.html): what another program's REGEXP finds may differ, and an
 * index or CHECK that used both would be wrong.
 */
const FLAGS = 0x1 | 0x800 | 0x80000;

interface InstalledFunction {
  readonly name: Pointer;
  readonly argumentCount: number;
  readonly callback: Pointer;
}

export class TextFunctions {
  readonly #sqlite: Sqlite;
  readonly #installed: readonly InstalledFunction[];
  readonly #expressions = new RegularExpressions();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** @param isStopped called now and then in long texts: whether the running statement is to be interrupted */
  constructor(sqlite: Sqlite, isStopped: (db: Pointer) => boolean) {
    this.#sqlite = sqlite;
    const install = (
      name: string,
      argumentCount: number,
      answer: (context: Pointer, values: Pointer, tick: () => void) => void,
    ): InstalledFunction => ({
      name: sqlite.heap.allocateText(name).pointer,
      argumentCount,
      callback: sqlite.install('vpip', (context: Pointer, _count: number, values: Pointer) => {
        const db = sqlite.raw.sqlite3_user_data(context);
        answering(sqlite, context, () =>
          answer(context, values, () => {
            if (isStopped(db)) throw AppError.stopped('Stopped.');
          }),
        );
      }),
    });
    this.#installed = [
      install('regexp', 2, (...call) => this.#regexp(...call)),
      install('replace_nocase', 3, (...call) => this.#replace(...call)),
    ];
  }

  /** Call on a connection that was just opened. */
  register(db: Pointer): void {
    for (const { name, argumentCount, callback } of this.#installed)
      this.#sqlite.raw.sqlite3_create_function_v2(db, name, argumentCount, FLAGS, db, callback, 0, 0, 0);
  }

  #regexp(context: Pointer, values: Pointer, tick: () => void): void {
    const { raw } = this.#sqlite;
    const pattern = this.#textAt(values);
    const text = this.#textAt(values + 4);
    if (pattern === null || text === null) raw.sqlite3_result_null(context);
    else raw.sqlite3_result_int(context, this.#expressions.test(pattern, text, tick) ? 1 : 0);
  }

  #replace(context: Pointer, values: Pointer, tick: () => void): void {
    const [text, find, replacement] = [this.#textAt(values), this.#textAt(values + 4), this.#textAt(values + 8)];
    if (text === null || find === null || replacement === null) return this.#sqlite.raw.sqlite3_result_null(context);
    tick();
    giveText(this.#sqlite, context, replaceInAnyCase(text, find, replacement, tick));
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
