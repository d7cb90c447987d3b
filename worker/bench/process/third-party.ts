// libSQL and Turso in Node: both have better-sqlite3's API. They only serve comparison and are not part of the installed app.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { BenchDriver, DriverLocation } from '../driver.ts';
import { notInstalled } from '../drivers/not-installed.ts';
import { hashOfAddon } from './addon-hash.ts';
import { nodeDriver } from './node-driver.ts';
import type { NodeBinding } from './node-driver.ts';
import { sinkRows } from './node-sqlite.ts';

/** The part of better-sqlite3's interface that both packages have. */
interface ThirdPartyDatabase {
  exec(sql: string): void;
  prepare(sql: string): ThirdPartyStatement;
  close(): void;
}

interface ThirdPartyStatement {
  raw(on: boolean): ThirdPartyStatement;
  run(...params: readonly unknown[]): { readonly changes: number };
  all(...params: readonly unknown[]): readonly (readonly unknown[])[];
}

type ThirdPartyConstructor = new (path: string) => ThirdPartyDatabase;

const ADDONS: Readonly<Record<string, { readonly addon: string; load(): Promise<ThirdPartyConstructor> }>> = {
  libsql: {
    addon: 'libsql',
    load: async () => (await import('libsql')).default as unknown as ThirdPartyConstructor,
  },
  turso: {
    addon: 'turso',
    load: async () => (await import('@tursodatabase/database/compat')).Database as unknown as ThirdPartyConstructor,
  },
};

export async function startDriver(engine: EngineDefinition, place: DriverLocation): Promise<BenchDriver> {
  const { addon, load } = ADDONS[engine.id]!;
  const constructor = await load().catch((error: unknown) => notInstalled(engine, error));
  const memory = bindingOf(new constructor(':memory:'));
  const facts = {
    version: String(memory.ask('SELECT sqlite_version()')),
    sourceId: textOrNull(() => memory.ask('SELECT sqlite_source_id()')),
    compileOptions: [],
    sha256: hashOfAddon(addon),
  };
  memory.close();
  return nodeDriver(engine, place, { facts, open: (path) => bindingOf(new constructor(path)) });
}

function bindingOf(database: ThirdPartyDatabase): NodeBinding {
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run: (params) => statement.run(...params).changes,
        read: (params, sink) => sinkRows(statement.raw(true).all(...params), sink),
        finalize: () => undefined,
      };
    },
    ask: (sql) => database.prepare(sql).raw(true).all()[0]?.[0],
    close: () => database.close(),
  };
}

function textOrNull(ask: () => unknown): string | null {
  try {
    return String(ask());
  } catch {
    return null;
  }
}
