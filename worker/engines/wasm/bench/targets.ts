// The engine, the engine without its change tracking, and the package's own wrapper around the same SQLite, asked alike: for
// `npm run measure engine`, no part of the product.
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engine.ts';
import type { WasmConnection } from '../connection.ts';
import { loadSqlite } from '../runtime/load.ts';
import type { Sqlite } from '../runtime/load.ts';
import { createWasmEngine, IN_MEMORY } from '../wasm-engine.ts';

type Row = readonly Value[];

/** One database of one benchmark target, in memory. */
export interface Bench {
  run(sql: string): void;
  /** Inserts inside one transaction, bound, with one statement. */
  insert(sql: string, rows: readonly Row[]): void;
  /** Every value of every row as JavaScript has it. */
  read(sql: string, take: (row: Row) => void): void;
  /** The rows in the form in which they travel; returns how many. */
  fetch(sql: string): number;
  /** The first row for each key, with one statement. */
  points(sql: string, keys: readonly number[], take: (row: Row) => void): void;
  one(sql: string): Row;
  close(): void;
}

export interface Target {
  readonly name: string;
  open(): Bench;
}

const BUDGET_BYTES = 256 << 20;

export async function wasmTargets(): Promise<readonly Target[]> {
  const { engine } = await createWasmEngine();
  const connect = (): Connection => engine.open(IN_MEMORY, { durability: 'balanced', create: true });
  const sqlite = await loadSqlite();
  return [
    { name: 'sidelite', open: () => new EngineBench(connect()) },
    { name: 'sidelite, history too', open: () => new EngineBench(recording(connect())) },
    { name: 'sidelite, no tracking', open: () => new EngineBench(untracked(connect() as WasmConnection)) },
    { name: 'oo1', open: () => new WrapperBench(sqlite) },
  ];
}

function recording(connection: Connection): Connection {
  const guard = { beforeSchemaChange: () => undefined, overBudget: () => 'drop' as const, covers: () => false };
  connection.record({ budgetBytes: BUDGET_BYTES, guard });
  connection.onCommit(() => undefined);
  return connection;
}

function untracked(connection: WasmConnection): Connection {
  const { raw } = connection.sqlite;
  raw.sqlite3_preupdate_hook(connection.db, 0, 0);
  return connection;
}

class EngineBench implements Bench {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  run(sql: string): void {
    this.#connection.run(sql);
  }

  insert(sql: string, rows: readonly Row[]): void {
    this.run('BEGIN');
    const statement = this.#connection.prepare(sql);
    for (const row of rows) {
      statement.bind(row);
      statement.step();
    }
    statement.finalize();
    this.run('COMMIT');
  }

  read(sql: string, take: (row: Row) => void): void {
    const statement = this.#connection.prepare(sql);
    const { columnCount } = statement;
    while (statement.step()) take(Array.from({ length: columnCount }, (_, column) => statement.value(column)));
    statement.finalize();
  }

  fetch(sql: string): number {
    const statement = this.#connection.prepare(sql);
    const writer = new PackedRowsWriter(statement.columnCount, { expectedRows: 50_000, previewBytes: Infinity });
    while (statement.pack(writer, { maxRows: 50_000 }));
    statement.finalize();
    return writer.finish().rowCount;
  }

  points(sql: string, keys: readonly number[], take: (row: Row) => void): void {
    const statement = this.#connection.prepare(sql);
    const { columnCount } = statement;
    for (const key of keys) {
      statement.bind([key]);
      if (statement.step()) take(Array.from({ length: columnCount }, (_, column) => statement.value(column)));
    }
    statement.finalize();
  }

  one(sql: string): Row {
    return this.#connection.one(sql) ?? [];
  }

  close(): void {
    this.#connection.close();
  }
}

/** The parts of `oo1` that are used. */
interface Wrapper {
  exec(sql: string): void;
  prepare(sql: string): {
    bind(row: Row): { step(): boolean };
    step(): boolean;
    get(into: unknown[]): Row;
    reset(clear?: boolean): unknown;
    finalize(): void;
  };
  selectArray(sql: string): Row | undefined;
  selectArrays(sql: string): readonly Row[];
  close(): void;
}

class WrapperBench implements Bench {
  readonly #db: Wrapper;

  constructor({ package: { oo1 } }: Sqlite) {
    this.#db = new oo1.DB('bench', 'c', 'memdb') as unknown as Wrapper;
  }

  run(sql: string): void {
    this.#db.exec(sql);
  }

  insert(sql: string, rows: readonly Row[]): void {
    this.run('BEGIN');
    const statement = this.#db.prepare(sql);
    for (const row of rows) {
      statement.bind(row).step();
      statement.reset();
    }
    statement.finalize();
    this.run('COMMIT');
  }

  read(sql: string, take: (row: Row) => void): void {
    const statement = this.#db.prepare(sql);
    while (statement.step()) take(statement.get([]));
    statement.finalize();
  }

  fetch(sql: string): number {
    return this.#db.selectArrays(sql).length;
  }

  points(sql: string, keys: readonly number[], take: (row: Row) => void): void {
    const statement = this.#db.prepare(sql);
    for (const key of keys) {
      if (statement.bind([key]).step()) take(statement.get([]));
      statement.reset();
    }
    statement.finalize();
  }

  one(sql: string): Row {
    return this.#db.selectArray(sql) ?? [];
  }

  close(): void {
    this.#db.close();
  }
}
