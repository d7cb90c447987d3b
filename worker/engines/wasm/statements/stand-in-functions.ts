// Registers the functions that stand in for those of other programs with connections of the wasm build.
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import type { StandIn, StandInState } from '#shared/stand-ins.ts';
import type { Connection } from '../../engine.ts';
import { defineStandIns, type Definable, type PreparedStandIn } from '../../stand-ins/define.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';
import { COPIED, answering, giveText } from './text-functions.ts';
import { readSqlValue } from './row.ts';

/** sqlite.org/c3ref/c_deterministic.html */
const Flag = { utf8: 0x1, deterministic: 0x800, directOnly: 0x80000, innocuous: 0x200000 } as const;
/** SQLite keeps the number of a group there. */
const GROUP_BYTES = 4;

/** The connection that gets them. */
export interface StandInTarget extends Pick<Connection, 'all'> {
  readonly db: Pointer;
}

interface Defined {
  readonly db: Pointer;
  readonly code: Definable['code'];
}

export class StandInFunctions {
  readonly #sqlite: Sqlite;
  readonly #isStopped: (db: Pointer) => boolean;
  readonly #call: Pointer;
  readonly #step: Pointer;
  readonly #final: Pointer;
  /** By the number that SQLite passes back. */
  readonly #defined = new Map<number, Defined>();
  #numbers = 0;
  #groups = 0;

  /** @param isStopped whether the running statement is to be interrupted */
  constructor(sqlite: Sqlite, isStopped: (db: Pointer) => boolean) {
    this.#sqlite = sqlite;
    this.#isStopped = isStopped;
    this.#call = sqlite.install('vpip', (context: Pointer, count: number, values: Pointer) =>
      this.#answering(context, ({ code }, stops) =>
        this.#give(context, code.call(this.#valuesAt(values, count), stops)),
      ),
    );
    this.#step = sqlite.install('vpip', (context: Pointer, count: number, values: Pointer) =>
      this.#answering(context, ({ code }, stops) => {
        const group = this.#groupOf(context);
        code.step([group, ...this.#valuesAt(values, count)], stops);
      }),
    );
    this.#final = sqlite.install('vp', (context: Pointer) =>
      this.#answering(context, ({ code }, stops) => {
        // A group without rows has no memory; its number is used for no other.
        const memory = sqlite.raw.sqlite3_aggregate_context(context, 0);
        const group = memory === 0 ? 0 : sqlite.heap.pointerAt(memory);
        try {
          this.#give(context, code.call([group], stops));
        } finally {
          code.forget(group);
        }
      }),
    );
  }

  /** Call on a connection that was just opened. Returns what became of each. */
  define(connection: StandInTarget, standIns: readonly PreparedStandIn[]): readonly StandInState[] {
    const names = connection.all('PRAGMA function_list').map(([name]) => String(name));
    return defineStandIns(standIns, names, ({ standIn, code }) => this.#register(connection.db, standIn, code));
  }

  /** Call after the connection is closed. */
  forget(db: Pointer): void {
    for (const [number, defined] of this.#defined) if (defined.db === db) this.#defined.delete(number);
  }

  #register(db: Pointer, standIn: StandIn, code: Definable['code']): string | null {
    const { raw, heap } = this.#sqlite;
    const number = ++this.#numbers;
    const name = heap.allocateText(standIn.name).pointer;
    const isAggregate = standIn.kind === 'aggregate';
    const result = raw.sqlite3_create_function_v2(
      db,
      name,
      standIn.argumentCount,
      flagsOf(standIn),
      number,
      isAggregate ? 0 : this.#call,
      isAggregate ? this.#step : 0,
      isAggregate ? this.#final : 0,
      0,
    );
    heap.free(name);
    if (result !== 0) return `SQLite did not accept it (result ${result}).`;
    this.#defined.set(number, { db, code });
    return null;
  }

  #answering(context: Pointer, work: (defined: Defined, isStopped: () => boolean) => void): void {
    answering(this.#sqlite, context, () => {
      const defined = this.#defined.get(this.#sqlite.raw.sqlite3_user_data(context))!;
      work(defined, () => this.#isStopped(defined.db));
    });
  }

  #groupOf(context: Pointer): number {
    const { raw, heap } = this.#sqlite;
    const memory = raw.sqlite3_aggregate_context(context, GROUP_BYTES);
    const known = heap.pointerAt(memory);
    if (known !== 0) return known;
    this.#groups = (this.#groups % 0x7fff_ffff) + 1;
    heap.view.setUint32(memory, this.#groups, true);
    return this.#groups;
  }

  #valuesAt(values: Pointer, count: number): readonly Value[] {
    return Array.from({ length: count }, (_, at) =>
      readSqlValue(this.#sqlite, this.#sqlite.heap.pointerAt(values + at * 4)),
    );
  }

  #give(context: Pointer, value: Value): void {
    const { raw, heap } = this.#sqlite;
    if (value === null) return raw.sqlite3_result_null(context);
    if (typeof value === 'bigint') return raw.sqlite3_result_int64(context, value);
    if (typeof value === 'number') {
      const isInteger = Number.isSafeInteger(value) && !Object.is(value, -0);
      return isInteger ? raw.sqlite3_result_int64(context, BigInt(value)) : raw.sqlite3_result_double(context, value);
    }
    if (typeof value === 'string') return giveText(this.#sqlite, context, value);
    if (isReal(value)) return raw.sqlite3_result_double(context, value.real);
    // A sandbox gives no text that is not valid UTF-8.
    const bytes = isRawText(value) ? value.textBytes : value;
    const pointer = heap.allocate(bytes.length + 1);
    heap.bytes.set(bytes, pointer);
    raw.sqlite3_result_blob(context, pointer, bytes.length, COPIED);
    heap.free(pointer);
  }
}

const flagsOf = ({ deterministic, innocuous }: StandIn): number =>
  Flag.utf8 | (deterministic ? Flag.deterministic : 0) | (innocuous ? Flag.innocuous : Flag.directOnly);
