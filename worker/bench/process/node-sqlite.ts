// node:sqlite, the SQLite that comes with Node.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { RowSink } from '#shared/bench/sink.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { BenchDriver, DriverLocation } from '../driver.ts';
import type { Param, ParamRow } from '../program.ts';
import { nodeDriver } from './node-driver.ts';
import type { NodeBinding } from './node-driver.ts';

export async function startDriver(engine: EngineDefinition, place: DriverLocation): Promise<BenchDriver> {
  const { DatabaseSync } = await import('node:sqlite').catch(() => {
    throw new AppError({
      code: 'unavailable',
      message: 'This version of Node has no built-in SQLite; it was added in Node 22.5.',
    });
  });
  const memory = new DatabaseSync(':memory:');
  const { version, source } = memory
    .prepare('SELECT sqlite_version() AS version, sqlite_source_id() AS source')
    .get() as Record<string, string>;
  const compileOptions = memory
    .prepare('PRAGMA compile_options')
    .all()
    .map((row) => String(row.compile_options));
  memory.close();
  return nodeDriver(engine, place, {
    // SQLite is part of the executable.
    facts: { version: version!, sourceId: source!, compileOptions, sha256: hashOf(process.execPath) },
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
        read: (params, sink) => sinkRows(statement.all(...params) as unknown as readonly (readonly unknown[])[], sink),
        finalize: () => undefined,
      };
    },
    ask: (sql) => Object.values(database.prepare(sql).get() ?? {})[0],
    define(functions) {
      for (const { name, call } of functions) {
        const options = { deterministic: true, varargs: true } as const;
        database.function(name, options, (...args) => call(...(args as ParamRow)) as Exclude<Param, null>);
      }
    },
    close: () => database.close(),
  };
}

/** Rows as arrays, as most bindings of Node give them. */
export function sinkRows(rows: readonly (readonly unknown[])[], sink: RowSink): void {
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    for (let column = 0; column < row.length; column++) sink.value(row[column]);
    sink.endRow();
  }
}

function hashOf(path: string): string | null {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return null;
  }
}
