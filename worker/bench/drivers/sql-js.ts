// sql.js: SQLite in memory, through its own API.
import type { SqlJsDatabase } from 'sql.js';
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import type { BenchDatabase, BenchDriver } from '../driver.ts';
import type { Param } from '../program.ts';
import { notInstalled } from './not-installed.ts';
import { thirdPartyAddress, thirdPartyHash } from './third-party-files.ts';
import { sqliteFacts, syncDatabase, type SyncBinding } from './database.ts';

const WASM = 'sql.js/sql-wasm-browser.wasm';

export async function startDriver(engine: EngineDefinition): Promise<BenchDriver> {
  const { default: start } = await import('sql.js');
  const sqlJs = await start({ locateFile: () => thirdPartyAddress(WASM) }).catch((error: unknown) =>
    notInstalled(engine, error),
  );
  const facts = { ...(await sqliteFacts(bindingOf(new sqlJs.Database()))), sha256: await thirdPartyHash(WASM) };
  return {
    facts,
    create: (_, pragmas, file) => databaseOf(new sqlJs.Database(file), pragmas),
    open: (_, pragmas) => databaseOf(new sqlJs.Database(), pragmas),
    remove: () => undefined,
    heapBytes: () => null,
    end: () => undefined,
  };
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
