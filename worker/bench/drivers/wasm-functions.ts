// Functions and tables of JavaScript inside SQLite's own wasm build, by its C interface (sqlite.org/c3ref/create_function.html,
// sqlite.org/vtab.html): what an app would write, without the package's wrappers.
import type { Sqlite } from '../../engines/wasm/runtime/load.ts';
import { ColumnType, Result } from '../../engines/wasm/runtime/raw.ts';
import type { Pointer, RawSqlite } from '../../engines/wasm/runtime/raw.ts';
import { SHORT_BYTES, shortAscii } from '../../engines/wasm/runtime/short-text.ts';
import { COPIED, giveText } from '../../engines/wasm/statements/text-functions.ts';
import type { Param } from '../program.ts';
import type { ScalarFunction, TableFunction } from '../suite.ts';

const DETERMINISTIC_UTF8 = 0x800 | 1;
const OK = 0;
const EQUAL = 2;

/** The calls that the product itself does not make. */
interface ModuleCalls extends RawSqlite {
  sqlite3_create_module_v2(db: Pointer, name: Pointer, module: Pointer, context: number, destroy: Pointer): number;
  sqlite3_declare_vtab(db: Pointer, sql: Pointer): number;
}

const decoder = new TextDecoder();

/** One function for all databases: places in the wasm table are never released. */
const installed = new WeakMap<ScalarFunction | TableFunction, Pointer>();

export function defineInWasm(
  sqlite: Sqlite,
  db: Pointer,
  functions: readonly ScalarFunction[],
  tables: readonly TableFunction[],
): void {
  const raw = sqlite.raw as unknown as ModuleCalls;
  for (const scalar of functions) {
    const call = installed.get(scalar) ?? installScalar(sqlite, scalar);
    installed.set(scalar, call);
    const name = sqlite.heap.allocateText(scalar.name).pointer;
    raw.sqlite3_create_function_v2(db, name, scalar.arity, DETERMINISTIC_UTF8, 0, call, 0, 0, 0);
    sqlite.heap.free(name);
  }
  for (const table of tables) {
    const module = installed.get(table) ?? installModule(sqlite, table);
    installed.set(table, module);
    const name = sqlite.heap.allocateText(table.name).pointer;
    raw.sqlite3_create_module_v2(db, name, module, 0, 0);
    sqlite.heap.free(name);
  }
}

function installScalar(sqlite: Sqlite, { call, arity }: ScalarFunction): Pointer {
  const { heap } = sqlite;
  return sqlite.install('vpip', (context: Pointer, _count: number, values: Pointer) => {
    if (arity === 1) return setResult(sqlite, context, call(readParam(sqlite, heap.pointerAt(values))));
    const args: Param[] = [];
    for (let index = 0; index < arity; index++) args.push(readParam(sqlite, heap.pointerAt(values + index * 4)));
    setResult(sqlite, context, call(...args));
  });
}

function readParam(sqlite: Sqlite, value: Pointer): Param {
  const { raw } = sqlite;
  switch (raw.sqlite3_value_type(value)) {
    case ColumnType.integer:
    case ColumnType.float:
      return raw.sqlite3_value_double(value);
    case ColumnType.text: {
      const text = raw.sqlite3_value_text(value);
      const length = raw.sqlite3_value_bytes(value);
      const { bytes } = sqlite.heap;
      const short = length <= SHORT_BYTES ? shortAscii(bytes, text, length) : null;
      return short ?? decoder.decode(bytes.subarray(text, text + length));
    }
    case ColumnType.blob: {
      const blob = raw.sqlite3_value_blob(value);
      return sqlite.heap.bytes.slice(blob, blob + raw.sqlite3_value_bytes(value));
    }
    default:
      return null;
  }
}

function setResult(sqlite: Sqlite, context: Pointer, value: Param): void {
  const { raw } = sqlite;
  if (value === null) return raw.sqlite3_result_null(context);
  if (typeof value === 'number') {
    return (value | 0) === value ? raw.sqlite3_result_int(context, value) : raw.sqlite3_result_double(context, value);
  }
  if (typeof value === 'string') return giveText(sqlite, context, value);
  const pointer = sqlite.heap.allocate(value.length + 1);
  sqlite.heap.bytes.set(value, pointer);
  raw.sqlite3_result_blob(context, pointer, value.length, COPIED);
  sqlite.heap.free(pointer);
}

interface Cursor {
  rows: Iterator<readonly Param[]>;
  row: readonly Param[] | null;
  number: number;
}

/** Places in `sqlite3_module`, in words of 4 bytes. */
const Slot = {
  connect: 2, bestIndex: 3, disconnect: 4, open: 6, close: 7, filter: 8, next: 9, eof: 10, column: 11, rowid: 12,
} as const; // prettier-ignore
const MODULE_BYTES = 100;
const VTAB_BYTES = 12;
const CURSOR_BYTES = 4;

type Callback = readonly [signature: string, call: (...args: never[]) => number];

/** A table-valued function: without `xCreate` it exists without being created (sqlite.org/vtab.html#tabfunc2). */
function installModule(sqlite: Sqlite, table: TableFunction): Pointer {
  const { heap } = sqlite;
  const module = allocateZeros(sqlite, MODULE_BYTES);
  const callbacks = { ...tableCallbacks(sqlite, table), ...cursorCallbacks(sqlite, table) };
  for (const [name, [signature, call]] of Object.entries(callbacks)) {
    heap.view.setUint32(module + Slot[name as keyof typeof Slot] * 4, sqlite.install(signature, call), true);
  }
  return module;
}

function tableCallbacks(sqlite: Sqlite, table: TableFunction) {
  const { heap } = sqlite;
  const raw = sqlite.raw as unknown as ModuleCalls;
  const schema = `CREATE TABLE x(${table.columns.join(', ')}, ${table.argument} HIDDEN)`;
  return {
    connect: [
      'ipppppp',
      (db: Pointer, _context: Pointer, _count: number, _words: Pointer, outTable: Pointer) => {
        const sql = heap.allocateText(schema).pointer;
        const code = raw.sqlite3_declare_vtab(db, sql);
        heap.free(sql);
        if (code === OK) heap.view.setUint32(outTable, allocateZeros(sqlite, VTAB_BYTES), true);
        return code;
      },
    ],
    bestIndex: ['ipp', (_table: Pointer, info: Pointer) => takeArgument(sqlite, info, table.columns.length)],
    disconnect: [
      'ip',
      (pointer: Pointer) => {
        heap.free(pointer);
        return OK;
      },
    ],
  } satisfies Record<string, Callback>;
}

function cursorCallbacks(sqlite: Sqlite, table: TableFunction) {
  const { heap } = sqlite;
  const cursors = new Map<Pointer, Cursor>();
  const advance = (cursor: Cursor): number => {
    const { value, done } = cursor.rows.next();
    cursor.row = done === true ? null : (value as readonly Param[]);
    cursor.number++;
    return OK;
  };
  return {
    open: [
      'ipp',
      (_table: Pointer, outCursor: Pointer) => {
        const pointer = allocateZeros(sqlite, CURSOR_BYTES);
        cursors.set(pointer, { rows: [][Symbol.iterator](), row: null, number: 0 });
        heap.view.setUint32(outCursor, pointer, true);
        return OK;
      },
    ],
    close: [
      'ip',
      (pointer: Pointer) => {
        cursors.delete(pointer);
        heap.free(pointer);
        return OK;
      },
    ],
    filter: [
      'ipipip',
      (pointer: Pointer, _number: number, _text: Pointer, count: number, values: Pointer) => {
        const cursor = cursors.get(pointer)!;
        cursor.rows = table.rows(count > 0 ? readParam(sqlite, heap.pointerAt(values)) : null)[Symbol.iterator]();
        cursor.number = 0;
        return advance(cursor);
      },
    ],
    next: ['ip', (pointer: Pointer) => advance(cursors.get(pointer)!)],
    eof: ['ip', (pointer: Pointer) => (cursors.get(pointer)!.row === null ? 1 : 0)],
    column: [
      'ippi',
      (pointer: Pointer, context: Pointer, column: number) => {
        setResult(sqlite, context, cursors.get(pointer)!.row?.[column] ?? null);
        return OK;
      },
    ],
    rowid: [
      'ipp',
      (pointer: Pointer, out: Pointer) => {
        heap.view.setBigInt64(out, BigInt(cursors.get(pointer)!.number), true);
        return OK;
      },
    ],
  } satisfies Record<string, Callback>;
}

function allocateZeros({ heap }: Sqlite, bytes: number): Pointer {
  const pointer = heap.allocate(bytes);
  heap.bytes.fill(0, pointer, pointer + bytes);
  return pointer;
}

/** Tells SQLite to pass the argument (`sqlite3_index_info`; sqlite.org/vtab.html#xbestindex). */
function takeArgument({ heap }: Sqlite, info: Pointer, argument: number): number {
  const { view } = heap;
  const count = view.getInt32(info, true);
  const constraints = view.getUint32(info + 4, true);
  const usages = view.getUint32(info + 16, true);
  for (let index = 0; index < count; index++) {
    const at = constraints + index * 12;
    const isArgument = view.getInt32(at, true) === argument && view.getUint8(at + 4) === EQUAL;
    if (!isArgument) continue;
    if (view.getUint8(at + 5) === 0) return Result.constraint;
    view.setInt32(usages + index * 8, 1, true);
    view.setUint8(usages + index * 8 + 4, 1);
  }
  return OK;
}
