// The product's own path: its engine, its connection with all hooks on, its pool of OPFS files (in a folder of its own) or memory.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Connection, Statement } from '../../engines/engine.ts';
import type { WasmConnection } from '../../engines/wasm/connection.ts';
import type { FilePool } from '../../engines/wasm/storage/file-pool.ts';
import { Result } from '../../engines/wasm/runtime/raw.ts';
import { createWasmEngine, IN_MEMORY, type WasmEngine } from '../../engines/wasm/wasm-engine.ts';
import { runScript } from '../../engines/transaction.ts';
import type { BenchDatabase, BenchDriver, DriverLocation } from '../driver.ts';
import type { ReadStep } from '../program.ts';
import { removeOpfsFolder } from './opfs-folder.ts';
import { syncDatabase, type SyncBinding, type SyncStatement } from './database.ts';
import { hashAt } from './third-party-files.ts';
import { defineInWasm } from './wasm-functions.ts';
import { lastWasm, wasmReadyMs } from './wasm-notes.ts';

/** `sqlite3_deserialize`: the memory is SQLite's. */
const FREE_ON_CLOSE = 1;

export async function startDriver(engine: EngineDefinition, { directory }: DriverLocation): Promise<BenchDriver> {
  const isMemory = engine.storage === 'memory';
  const { engine: product, pool } = await createWasmEngine(isMemory ? {} : { pool: { directory } });
  await pool?.reserve(2);
  let heap: WasmConnection['sqlite']['heap'] | null = null;
  const connect = (name: string, pragmas: Pragmas): WasmConnection => {
    const durability = pragmas.synchronous === 'full' ? 'full' : 'balanced';
    const options = { durability, create: true, untrusted: false } as const;
    const connection = product.open(isMemory ? IN_MEMORY : `/${name}`, options) as WasmConnection;
    heap = connection.sqlite.heap;
    return connection;
  };
  const remove = (name: string): void => pool?.remove(`/${name}`);
  return {
    facts: await factsOf(product),
    create(name, pragmas, file) {
      remove(name);
      if (file && pool) writeFile(pool, `/${name}`, file);
      const connection = connect(name, pragmas);
      const database = productDatabase(connection, pragmas);
      if (file && !pool) deserialize(connection, file);
      return database;
    },
    open: (name, pragmas) => productDatabase(connect(name, pragmas), pragmas),
    remove,
    heapBytes: () => heap?.bytes.length ?? null,
    async end() {
      if (!pool) return;
      pool.close();
      await removeOpfsFolder(directory);
    },
  };
}

async function factsOf(engine: WasmEngine['engine']): Promise<BenchDriver['facts']> {
  const connection = engine.open(IN_MEMORY, { durability: 'balanced', create: true });
  const compileOptions = connection.all('PRAGMA compile_options').map(([option]) => String(option));
  connection.close();
  const { sqliteVersion: version, sqliteSourceId: sourceId } = engine.info;
  // The hash requests the file once more.
  const codeMs = wasmReadyMs();
  const address = lastWasm();
  const sha256 = address === null ? null : await hashAt(address);
  return { version, sourceId, compileOptions, sha256, ...(codeMs !== null && { codeMs }) };
}

function writeFile(pool: FilePool, name: string, bytes: Uint8Array): void {
  const writer = pool.createWriter(name);
  writer.write(bytes);
  writer.finish();
}

export function productDatabase(connection: WasmConnection, pragmas: Pragmas): BenchDatabase {
  const { sqlite, db } = connection;
  const binding: SyncBinding = {
    exec: (sql) => runScript(connection, sql),
    prepare: (sql) => statementOf(connection, connection.prepare(sql)),
    prepareAnew: (sql) => prepareAnew(connection, sql),
    close: () => connection.close(),
  };
  return syncDatabase(binding, pragmas, {
    define: (functions) => defineInWasm(sqlite, db, functions, []),
    defineTables: (tables) => defineInWasm(sqlite, db, [], tables),
    pack: (read, rowsInPiece) => packed(connection, read, rowsInPiece),
    objects: (read) => objectsOf(connection, read),
    sizeBytes: () => connection.fileSizeBytes,
  });
}

function* packed(connection: Connection, read: ReadStep, rowsInPiece: number): Iterable<PackedRows> {
  const statement = connection.prepare(read.sql);
  try {
    const next = (): PackedRowsWriter => new PackedRowsWriter(statement.columnCount, { expectedRows: rowsInPiece });
    let writer = next();
    for (const row of read.params) {
      statement.bind(row);
      while (statement.pack(writer, { maxRows: rowsInPiece - writer.rowCount })) {
        yield writer.finish();
        writer = next();
      }
    }
    if (writer.rowCount > 0) yield writer.finish();
  } finally {
    statement.finalize();
  }
}

function objectsOf(connection: Connection, read: ReadStep): readonly Readonly<Record<string, unknown>>[] {
  const statement = connection.prepare(read.sql);
  const names = statement.columns.map(({ name }) => name);
  const rows: Record<string, unknown>[] = [];
  for (const params of read.params) {
    statement.bind(params);
    while (statement.step()) {
      const row: Record<string, unknown> = {};
      for (let column = 0; column < names.length; column++) row[names[column]!] = plain(statement.value(column));
      rows.push(row);
    }
  }
  statement.finalize();
  return rows;
}

/** Replaces what is in memory by the database in `file`, by way of a connection that no authorizer keeps from taking it in. */
function deserialize({ sqlite, db }: WasmConnection, file: Uint8Array): void {
  const { raw, heap } = sqlite;
  const source = new sqlite.package.oo1.DB(':memory:');
  const main = heap.allocateText('main').pointer;
  try {
    const { length } = file;
    const bytes = heap.allocate(length);
    heap.bytes.set(file, bytes);
    const taken = sqlite.package.capi.sqlite3_deserialize(source, 'main', bytes, length, length, FREE_ON_CLOSE);
    const backup = taken === 0 ? raw.sqlite3_backup_init(db, main, source.pointer as number, main) : 0;
    const copied = backup === 0 ? 0 : raw.sqlite3_backup_step(backup, -1);
    if (backup !== 0) raw.sqlite3_backup_finish(backup);
    if (copied !== Result.done) throw new Error(`The database could not be taken into memory (${taken}, ${copied}).`);
  } finally {
    heap.free(main);
    source.close();
  }
}

/** Bypasses the connection's cache, which would return the previous statement. */
function prepareAnew(connection: WasmConnection, sql: string): SyncStatement {
  const script = connection.script(sql, 'bound');
  return { ...statementOf(connection, script.next()!), finalize: () => script.dispose() };
}

function statementOf({ sqlite, db }: WasmConnection, statement: Statement): SyncStatement {
  return {
    run(params) {
      // The connection's `totalChanges` would be a bigint, because it has 64 bits.
      const before = sqlite.raw.sqlite3_total_changes(db);
      statement.bind(params);
      while (statement.step());
      return sqlite.raw.sqlite3_total_changes(db) - before;
    },
    read(params, sink) {
      const { columnCount } = statement;
      statement.bind(params);
      while (statement.step()) {
        for (let column = 0; column < columnCount; column++) sink.value(statement.value(column));
        sink.endRow();
      }
    },
    finalize: () => statement.finalize(),
  };
}

function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'real' in value ? value.real : value;
}
