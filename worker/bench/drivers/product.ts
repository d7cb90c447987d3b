// The product's own path: its engine, its connection with all hooks on, its pool of OPFS files (in a folder of its own) or memory.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import type { RowSink } from '#shared/bench/sink.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Connection, Statement } from '../../engines/engine.ts';
import type { WasmConnection } from '../../engines/wasm/connection.ts';
import type { FilePool } from '../../engines/wasm/storage/file-pool.ts';
import { Result } from '../../engines/wasm/runtime/raw.ts';
import { createWasmEngine, IN_MEMORY } from '../../engines/wasm/wasm-engine.ts';
import type { WasmEngine } from '../../engines/wasm/wasm-engine.ts';
import type { BenchDatabase, BenchDriver, DriverLocation, Recorder } from '../driver.ts';
import { readPragmas, setPragmas } from '../pragmas.ts';
import type { ParamRow, ReadStep, SqlStep } from '../program.ts';
import type { ScalarFunction, TableFunction } from '../suite.ts';
import { removeOpfsFolder } from './opfs-folder.ts';
import { performSync } from './sync-database.ts';
import type { SyncCalls, SyncStatement } from './sync-database.ts';
import { defineInWasm } from './wasm-functions.ts';
import { wasmFacts } from './wasm-facts.ts';

/** `sqlite3_deserialize`: the memory is SQLite's. */
const FREE_ON_CLOSE = 1;

export async function startDriver(engine: EngineDefinition, { directory }: DriverLocation): Promise<BenchDriver> {
  const isMemory = engine.storage === 'memory';
  const running = await createWasmEngine(isMemory ? {} : { pool: { directory } });
  await running.pool?.reserve(2);
  return new ProductDriver(running, await factsOf(running), { isMemory, directory });
}

async function factsOf({ engine }: WasmEngine): Promise<BenchDriver['facts']> {
  const connection = engine.open(IN_MEMORY, { durability: 'balanced', create: true });
  const options = connection.all('PRAGMA compile_options').map(([option]) => String(option));
  connection.close();
  const { sqliteVersion, sqliteSourceId } = engine.info;
  return wasmFacts(sqliteVersion, sqliteSourceId, options);
}

class ProductDriver implements BenchDriver {
  readonly facts: BenchDriver['facts'];
  readonly #running: WasmEngine;
  readonly #isMemory: boolean;
  readonly #directory: string;
  #heap: WasmConnection['sqlite']['heap'] | null = null;

  constructor(running: WasmEngine, facts: BenchDriver['facts'], options: { isMemory: boolean; directory: string }) {
    this.facts = facts;
    this.#running = running;
    this.#isMemory = options.isMemory;
    this.#directory = options.directory;
  }

  create(name: string, pragmas: Pragmas, file?: Uint8Array): BenchDatabase {
    this.remove(name);
    if (file && this.#running.pool) writeFile(this.#running.pool, `/${name}`, file);
    const database = this.open(name, pragmas);
    if (file && !this.#running.pool) (database as ProductDatabase).deserialize(file);
    return database;
  }

  open(name: string, pragmas: Pragmas): BenchDatabase {
    const location = this.#isMemory ? IN_MEMORY : `/${name}`;
    const durability = pragmas.synchronous === 'full' ? 'full' : 'balanced';
    const connection = this.#running.engine.open(location, { durability, create: true, untrusted: false });
    this.#heap = (connection as WasmConnection).sqlite.heap;
    return new ProductDatabase(connection, pragmas);
  }

  remove(name: string): void {
    this.#running.pool?.remove(`/${name}`);
  }

  heapBytes(): number | null {
    return this.#heap?.bytes.length ?? null;
  }

  async end(): Promise<void> {
    if (!this.#running.pool) return;
    this.#running.pool.close();
    await removeOpfsFolder(this.#directory);
  }
}

function writeFile(pool: FilePool, name: string, bytes: Uint8Array): void {
  const writer = pool.createWriter(name);
  writer.write(bytes);
  writer.finish();
}

class ProductDatabase implements BenchDatabase {
  readonly #connection: Connection;
  readonly #calls: SyncCalls;

  constructor(connection: Connection, pragmas: Pragmas) {
    this.#connection = connection;
    this.#calls = {
      exec: (sql) => runScript(connection, sql),
      prepare: (sql) => new ProductStatement(connection as WasmConnection, connection.prepare(sql)),
      prepareAnew: (sql) => prepareAnew(connection as WasmConnection, sql),
    };
    setPragmas({ exec: (sql) => void connection.all(sql), ask: (sql) => connection.one(sql)?.[0] }, pragmas);
  }

  perform(step: SqlStep, recorder: Recorder): void {
    performSync(this.#calls, step, recorder);
  }

  prepare(sql: string): SyncStatement {
    return this.#calls.prepare(sql);
  }

  pragmas(): Partial<Pragmas> {
    return readPragmas((sql) => this.#connection.one(sql)?.[0]);
  }

  define(functions: readonly ScalarFunction[]): void {
    const { sqlite, db } = this.#connection as WasmConnection;
    defineInWasm(sqlite, db, functions, []);
  }

  defineTables(tables: readonly TableFunction[]): void {
    const { sqlite, db } = this.#connection as WasmConnection;
    defineInWasm(sqlite, db, [], tables);
  }

  *pack(read: ReadStep, rowsInPiece: number): Iterable<PackedRows> {
    const statement = this.#connection.prepare(read.sql);
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

  objects(read: ReadStep): readonly Readonly<Record<string, unknown>>[] {
    const statement = this.#connection.prepare(read.sql);
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
  deserialize(file: Uint8Array): void {
    const { sqlite, db } = this.#connection as WasmConnection;
    const { raw, heap } = sqlite;
    const source = new sqlite.package.oo1.DB(':memory:');
    const main = heap.allocateText('main').pointer;
    try {
      const bytes = heap.allocate(file.length);
      heap.bytes.set(file, bytes);
      const taken = sqlite.package.capi.sqlite3_deserialize(
        source,
        'main',
        bytes,
        file.length,
        file.length,
        FREE_ON_CLOSE,
      );
      const backup = taken === 0 ? raw.sqlite3_backup_init(db, main, source.pointer as number, main) : 0;
      const copied = backup === 0 ? 0 : raw.sqlite3_backup_step(backup, -1);
      if (backup !== 0) raw.sqlite3_backup_finish(backup);
      if (copied !== Result.done) throw new Error(`The database could not be taken into memory (${taken}, ${copied}).`);
    } finally {
      heap.free(main);
      source.close();
    }
  }

  sizeBytes(): number {
    return this.#connection.fileSizeBytes;
  }

  close(): void {
    this.#connection.close();
  }
}

function runScript(connection: Connection, sql: string): void {
  const script = connection.script(sql);
  try {
    for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
  } finally {
    script.dispose();
  }
}

/** Bypasses the connection's cache, which would return the previous statement. */
function prepareAnew(connection: WasmConnection, sql: string): SyncStatement {
  const script = connection.script(sql, 'bound');
  const statement = new ProductStatement(connection, script.next()!);
  return {
    run: (params) => statement.run(params),
    read: (params, sink) => statement.read(params, sink),
    finalize: () => script.dispose(),
  };
}

class ProductStatement implements SyncStatement {
  readonly #connection: WasmConnection;
  readonly #statement: Statement;

  constructor(connection: WasmConnection, statement: Statement) {
    this.#connection = connection;
    this.#statement = statement;
  }

  run(params: ParamRow): number {
    const { sqlite, db } = this.#connection;
    // The connection's `totalChanges` would be a bigint, because it has 64 bits.
    const before = sqlite.raw.sqlite3_total_changes(db);
    this.#statement.bind(params);
    while (this.#statement.step());
    return sqlite.raw.sqlite3_total_changes(db) - before;
  }

  read(params: ParamRow, sink: RowSink): void {
    const statement = this.#statement;
    const { columnCount } = statement;
    statement.bind(params);
    while (statement.step()) {
      for (let column = 0; column < columnCount; column++) sink.value(statement.value(column));
      sink.endRow();
    }
  }

  finalize(): void {
    this.#statement.finalize();
  }
}

function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'real' in value ? value.real : value;
}
