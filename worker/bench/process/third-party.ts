// libSQL and Turso in Node: both have better-sqlite3's API. They only serve comparison and are not part of the installed app.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Database } from '../../engines/native/runtime/load.ts';
import type { BenchDriver, DriverLocation } from '../driver.ts';
import { notInstalled } from '../drivers/not-installed.ts';
import { sinkRows, sqliteFacts } from '../drivers/database.ts';
import { hashOfAddon } from './addon-notes.ts';
import { nodeDriver, type NodeBinding } from './node-driver.ts';

type ThirdPartyDatabase = Pick<Database, 'exec' | 'prepare' | 'close'>;

/** By engine, whose name is a part of its addon's. */
const LOADERS: Readonly<Record<string, () => Promise<unknown>>> = {
  libsql: async () => (await import('libsql')).default,
  turso: async () => (await import('@tursodatabase/database/compat')).Database,
};

export async function startDriver(engine: EngineDefinition, place: DriverLocation): Promise<BenchDriver> {
  const loading = LOADERS[engine.id]!() as Promise<new (path: string) => ThirdPartyDatabase>;
  const constructor = await loading.catch((error: unknown) => notInstalled(engine, error));
  const facts = {
    ...(await sqliteFacts(bindingOf(new constructor(':memory:')), false)),
    sha256: hashOfAddon(engine.id),
  };
  return nodeDriver(engine, place, { facts, open: (path) => bindingOf(new constructor(path)) });
}

function bindingOf(database: ThirdPartyDatabase): NodeBinding {
  return {
    exec: (sql) => void database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run: (params) => statement.run(...params).changes,
        read: (params, sink) => sinkRows(statement.raw(true).all(...params), sink),
        finalize: () => undefined,
      };
    },
    close: () => database.close(),
  };
}
