// sql.js: SQLite in memory, through its own API.
import type { SqlJs, SqlJsDatabase } from 'sql.js';
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import type { BenchDatabase, BenchDriver } from '../driver.ts';
import type { Param } from '../program.ts';
import { notInstalled } from './not-installed.ts';
import { thirdPartyAddress, thirdPartyHash } from './third-party-files.ts';
import { syncDatabase } from './sync-database.ts';
import type { SyncBinding } from './sync-database.ts';

const WASM = 'sql.js/sql-wasm-browser.wasm';

export async function startDriver(engine: EngineDefinition): Promise<BenchDriver> {
  const { default: start } = await import('sql.js');
  const sqlJs = await start({ locateFile: () => thirdPartyAddress(WASM) }).catch((error: unknown) =>
    notInstalled(engine, error),
  );
  const facts = await factsOf(sqlJs);
  return {
    facts,
    create: (_, pragmas, file) => databaseOf(new sqlJs.Database(file), pragmas),
    open: (_, pragmas) => databaseOf(new sqlJs.Database(), pragmas),
    remove: () => undefined,
    heapBytes: () => null,
    end: () => undefined,
  };
}

async function factsOf(sqlJs: SqlJs): Promise<BenchDriver['facts']> {
  const database = new sqlJs.Database();
  const facts = {
    version: String(ask(database, 'SELECT sqlite_version()')),
    sourceId: String(ask(database, 'SELECT sqlite_source_id()')),
    compileOptions: allFirst(database, 'PRAGMA compile_options').map(String),
    sha256: await thirdPartyHash(WASM),
  };
  database.close();
  return facts;
}

function databaseOf(database: SqlJsDatabase, pragmas: Pragmas): BenchDatabase {
  return syncDatabase(bindingOf(database), pragmas, {
    define(functions) {
      for (const { name, arity, call } of functions) database.create_function(name, withArity(arity, call));
    },
    sizeBytes: () => null,
  });
}

function bindingOf(database: SqlJsDatabase): SyncBinding {
  return {
    ask: (sql) => ask(database, sql),
    close: () => database.close(),
    exec: (sql) => void database.run(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run(params) {
          statement.run(params);
          return database.getRowsModified();
        },
        read(params, sink) {
          statement.bind(params);
          while (statement.step()) {
            for (const value of statement.get()) sink.value(value);
            sink.endRow();
          }
        },
        finalize: () => void statement.free(),
      };
    },
  };
}

/** sql.js takes the number of parameters from the function itself. */
function withArity(arity: number, call: (...args: readonly Param[]) => Param): (...args: never[]) => unknown {
  return arity === 1 ? (value: Param) => call(value) : (left: Param, right: Param) => call(left, right);
}

function ask(database: SqlJsDatabase, sql: string): unknown {
  return allFirst(database, sql)[0];
}

function allFirst(database: SqlJsDatabase, sql: string): readonly unknown[] {
  const statement = database.prepare(sql);
  const values: unknown[] = [];
  while (statement.step()) values.push(statement.get()[0]);
  statement.free();
  return values;
}
