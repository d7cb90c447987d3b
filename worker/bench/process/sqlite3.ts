// node-sqlite3, through its own API: it answers with callbacks, from its own threads. Its package contains no binary, so to measure it,
// compile it first: `npm run add-engine -- sqlite3`.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { BenchDriver, DriverLocation } from '../driver.ts';
import { asyncDatabase, sqliteFacts, type AsyncBinding } from '../drivers/database.ts';
import { hashOfAddon } from './addon-notes.ts';
import { fileDriver } from './node-driver.ts';

type Done = (error: Error | null) => void;
type Row = Readonly<Record<string, unknown>>;

export interface Sqlite3 {
  readonly Database: new (path: string, done: Done) => Sqlite3Database;
}

interface Sqlite3Database {
  exec(sql: string, done: Done): unknown;
  prepare(sql: string, done: Done): Sqlite3Statement;
  close(done: Done): unknown;
}

interface Sqlite3Statement {
  run(params: readonly unknown[], done: (this: { readonly changes: number }, error: Error | null) => void): unknown;
  all(params: readonly unknown[], done: (error: Error | null, rows: readonly Row[]) => void): unknown;
  finalize(done: Done): unknown;
}

/** A name that only Node resolves: the package is not a dependency. */
const PACKAGE: string = 'sqlite3';

export async function startDriver(engine: EngineDefinition, place: DriverLocation): Promise<BenchDriver> {
  const { default: sqlite3 } = (await import(PACKAGE).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw AppError.unavailable(
      `${engine.label} has no engine in its package: an install script downloads or compiles one, and Sidelite runs none. To add it, run “npm run add-engine -- sqlite3” in Sidelite’s sources, which compiles it, and measure from there (npm start). (${reason})`,
    );
  })) as { readonly default: Sqlite3 };
  return sqlite3Driver(sqlite3, engine, place);
}

export async function sqlite3Driver(
  sqlite3: Sqlite3,
  engine: EngineDefinition,
  place: DriverLocation,
): Promise<BenchDriver> {
  const facts = {
    ...(await sqliteFacts(bindingOf(await opened(sqlite3, ':memory:')))),
    sha256: hashOfAddon(PACKAGE),
  };
  return fileDriver(engine, place, {
    facts,
    connections: 'here',
    open: async (path, pragmas, sizeBytes) =>
      asyncDatabase(bindingOf(await opened(sqlite3, path)), pragmas, { sizeBytes }),
  });
}

function bindingOf(database: Sqlite3Database): AsyncBinding {
  return {
    close: () => called((done) => database.close(done)),
    exec: (sql) => called((done) => database.exec(sql, done)),
    async prepare(sql) {
      let statement!: Sqlite3Statement;
      await called((done) => (statement = database.prepare(sql, done)));
      return {
        run: (params) =>
          new Promise((resolve, reject) => {
            statement.run(params, function (error) {
              if (error) reject(error);
              else resolve(this.changes);
            });
          }),
        async read(params, sink) {
          for (const row of await answered<readonly Row[]>((done) => statement.all(params, done))) {
            // node-sqlite3 returns rows only as objects.
            for (const name in row) sink.value(row[name]);
            sink.endRow();
          }
        },
        finalize: () => called((done) => statement.finalize(done)),
      };
    },
  };
}

async function opened(sqlite3: Sqlite3, path: string): Promise<Sqlite3Database> {
  let database!: Sqlite3Database;
  await called((done) => (database = new sqlite3.Database(path, done)));
  return database;
}

function called(call: (done: Done) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => (error ? reject(error) : resolve()));
  });
}

function answered<Answer>(call: (done: (error: Error | null, answer: Answer) => void) => unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    call((error, answer) => (error ? reject(error) : resolve(answer)));
  });
}
