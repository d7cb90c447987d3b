// better-sqlite3 as its own users call it: what every ratio is measured against, so nothing of the product stands in its way.
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import type { RowSink } from '#shared/bench/sink.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { loadBetterSqlite } from '../../engines/native/runtime/load.ts';
import type { Database, DatabaseConstructor, PreparedStatement } from '../../engines/native/runtime/load.ts';
import { packRow } from '../../engines/native/statements/row.ts';
import type { NativeRow } from '../../engines/native/statements/row.ts';
import { performSync } from '../drivers/sync-database.ts';
import type { SyncCalls, SyncStatement } from '../drivers/sync-database.ts';
import type { BenchDatabase, BenchDriver, DriverLocation, Recorder } from '../driver.ts';
import { readPragmas, setPragmas } from '../pragmas.ts';
import type { ParamRow, ReadStep, SqlStep } from '../program.ts';
import type { ScalarFunction, TableFunction } from '../suite.ts';
import { hashOfAddon } from './addon-hash.ts';
import { addonsMs } from './addon-notes.ts';

export async function startDriver(engine: EngineDefinition, { directory }: DriverLocation): Promise<BenchDriver> {
  const constructor = await loadBetterSqlite();
  const memory = new constructor(':memory:', {});
  const codeMs = addonsMs();
  const one = (sql: string): unknown => memory.prepare(sql).pluck(true).get();
  const facts = {
    version: String(one('SELECT sqlite_version()')),
    sourceId: String(one('SELECT sqlite_source_id()')),
    compileOptions: memory
      .prepare('PRAGMA compile_options')
      .raw(true)
      .all()
      .map((row) => String((row as unknown[])[0])),
    sha256: hashOfAddon('better_sqlite3'),
    ...(codeMs !== undefined && { codeMs }),
  };
  memory.close();
  return new BetterSqliteDriver(constructor, facts, engine.storage === 'memory' ? null : directory);
}

class BetterSqliteDriver implements BenchDriver {
  readonly facts: BenchDriver['facts'];
  readonly connections?: 'threads';
  readonly #open: DatabaseConstructor;
  /** Null: in memory. */
  readonly #folder: string | null;

  constructor(open: DatabaseConstructor, facts: BenchDriver['facts'], folder: string | null) {
    this.facts = facts;
    this.#open = open;
    this.#folder = folder;
    if (folder === null) return;
    this.connections = 'threads';
    mkdirSync(folder, { recursive: true });
  }

  create(name: string, pragmas: Pragmas, file?: Uint8Array): BenchDatabase {
    this.remove(name);
    if (file && this.#folder === null)
      return new BetterSqliteDatabase(new this.#open(Buffer.from(file), {}), null, pragmas);
    if (file) writeFileSync(this.#path(name), file);
    return this.open(name, pragmas);
  }

  open(name: string, pragmas: Pragmas): BenchDatabase {
    const path = this.#path(name);
    return new BetterSqliteDatabase(new this.#open(path, {}), this.#folder === null ? null : path, pragmas);
  }

  remove(name: string): void {
    if (this.#folder === null) return;
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(this.#path(name) + suffix, { force: true });
  }

  heapBytes(): number | null {
    return null;
  }

  end(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  }

  #path(name: string): string {
    return this.#folder === null ? ':memory:' : join(this.#folder, name);
  }
}

class BetterSqliteDatabase implements BenchDatabase {
  readonly #db: Database;
  readonly #path: string | null;
  readonly #calls: SyncCalls;

  constructor(db: Database, path: string | null, pragmas: Pragmas) {
    this.#db = db;
    this.#path = path;
    this.#calls = {
      exec: (sql) => void db.exec(sql),
      prepare: (sql) => {
        const statement = db.prepare(sql);
        return new BetterSqliteStatement(statement.reader ? statement.raw(true) : statement);
      },
    };
    // Defensive mode, which its users have, refuses to work without a journal.
    const isDefensive = pragmas.journal_mode !== 'off';
    if (!isDefensive) db.unsafeMode(true);
    setPragmas({ exec: (sql) => void db.exec(sql), ask: (sql) => this.#ask(sql) }, pragmas);
    if (!isDefensive) db.unsafeMode(false);
  }

  perform(step: SqlStep, recorder: Recorder): void {
    performSync(this.#calls, step, recorder);
  }

  prepare(sql: string): SyncStatement {
    return this.#calls.prepare(sql);
  }

  pragmas(): Partial<Pragmas> {
    return readPragmas((sql) => this.#ask(sql));
  }

  define(functions: readonly ScalarFunction[]): void {
    for (const { name, call } of functions) this.#db.function(name, { deterministic: true }, call as never);
  }

  defineTables(tables: readonly TableFunction[]): void {
    for (const { name, columns, argument, rows } of tables) {
      this.#db.table(name, {
        columns,
        parameters: [argument],
        *rows(given: never) {
          yield* rows(given);
        },
      });
    }
  }

  *pack(read: ReadStep, rowsInPiece: number): Iterable<PackedRows> {
    const statement = this.#db.prepare(read.sql).raw(true).safeIntegers(true);
    const columnCount = statement.columns().length;
    const next = (): PackedRowsWriter => new PackedRowsWriter(columnCount, { expectedRows: rowsInPiece });
    let writer = next();
    for (const params of read.params) {
      // Reads all at once: fetching one row after the other costs more.
      const rows = statement.all(params) as readonly NativeRow[];
      for (let at = 0; at < rows.length; at++) {
        if (writer.rowCount === rowsInPiece) {
          yield writer.finish();
          writer = next();
        }
        packRow(rows[at]!, columnCount, writer);
      }
    }
    if (writer.rowCount > 0) yield writer.finish();
  }

  objects(read: ReadStep): readonly Readonly<Record<string, unknown>>[] {
    const statement = this.#db.prepare(read.sql);
    return read.params.flatMap((params) => statement.all(params) as Record<string, unknown>[]);
  }

  sizeBytes(): number | null {
    const path = this.#path;
    if (path === null) return null;
    return ['', '-wal', '-journal']
      .filter((suffix) => existsSync(path + suffix))
      .reduce((sum, suffix) => sum + statSync(path + suffix).size, 0);
  }

  close(): void {
    this.#db.close();
  }

  #ask(sql: string): unknown {
    return this.#db.prepare(sql).pluck(true).get();
  }
}

class BetterSqliteStatement implements SyncStatement {
  readonly #statement: PreparedStatement;

  constructor(statement: PreparedStatement) {
    this.#statement = statement;
  }

  run(params: ParamRow): number {
    return this.#statement.run(params).changes;
  }

  read(params: ParamRow, sink: RowSink): void {
    const rows = this.#statement.all(params) as readonly (readonly unknown[])[];
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      for (let column = 0; column < row.length; column++) sink.value(row[column]);
      sink.endRow();
    }
  }

  finalize(): void {
    // The statements end with the garbage collector: there is no other way.
  }
}
