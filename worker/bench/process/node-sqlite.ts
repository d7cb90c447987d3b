// node:sqlite, the SQLite that comes with Node.
import type { DatabaseSync } from 'node:sqlite';
import type { EngineDefinition } from '#shared/bench/engines.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { BenchDriver, DriverLocation } from '../driver.ts';
import type { Param, ParamRow } from '../program.ts';
import { sinkRows, sqliteFacts } from '../drivers/database.ts';
import { hashOfFile } from './addon-notes.ts';
import { nodeDriver, type NodeBinding } from './node-driver.ts';

export async function startDriver(engine: EngineDefinition, place: DriverLocation): Promise<BenchDriver> {
  const { DatabaseSync } = await import('node:sqlite').catch(() => {
    throw AppError.unavailable('This version of Node has no built-in SQLite; it was added in Node 22.5.');
  });
  const facts = await sqliteFacts(bindingOf(new DatabaseSync(':memory:')));
  return nodeDriver(engine, place, {
    // SQLite is part of the executable.
    facts: { ...facts, sha256: hashOfFile(process.execPath) },
    open: (path) => bindingOf(new DatabaseSync(path)),
  });
}

function bindingOf(database: DatabaseSync): NodeBinding {
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      return {
        run: (params) => Number(statement.run(...params).changes),
        read: (params, sink) => sinkRows(statement.all(...params), sink),
        finalize: () => undefined,
      };
    },
    define(functions) {
      for (const { name, call } of functions) {
        const options = { deterministic: true, varargs: true } as const;
        database.function(name, options, (...args) => call(...(args as ParamRow)) as Exclude<Param, null>);
      }
    },
    close: () => database.close(),
  };
}
