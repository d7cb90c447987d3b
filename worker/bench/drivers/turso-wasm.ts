// Turso in wasm over OPFS, through its own API: the engine here, its files in a worker of its own, each access a message to it.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import type { BenchDatabase, BenchDriver, DriverLocation } from '../driver.ts';
import { asyncDatabase, sinkRows, sqliteFacts, type AsyncBinding } from './database.ts';
import { removeOpfsFile } from './opfs-folder.ts';
import { importThirdParty, thirdPartyHash } from './third-party-files.ts';

interface TursoModule {
  connect(name: string): Promise<TursoDatabase>;
}

interface TursoDatabase {
  exec(sql: string): Promise<void>;
  prepare(sql: string): TursoStatement;
  close(): Promise<void>;
}

interface TursoStatement {
  raw(on: boolean): TursoStatement;
  run(...params: readonly unknown[]): Promise<{ readonly changes: number }>;
  all(...params: readonly unknown[]): Promise<readonly (readonly unknown[])[]>;
  close(): void;
}

const SUFFIXES = ['', '-wal'] as const;

export async function startDriver(engine: EngineDefinition, { directory }: DriverLocation): Promise<BenchDriver> {
  const { connect } = await importThirdParty<TursoModule>(engine, 'turso-wasm/index.js');
  const facts = await sqliteFacts(bindingOf(await connect(':memory:')), false);
  // Turso has no folders: its files lie beside everything else of the origin.
  const fileOf = (name: string): string => `${directory.replaceAll('/', '-')}-${name}`;
  const names = new Set<string>();
  const open = async (name: string, pragmas: Pragmas): Promise<BenchDatabase> => {
    names.add(name);
    return asyncDatabase(bindingOf(await connect(fileOf(name))), pragmas, {
      async sizeBytes() {
        let bytes = 0;
        for (const suffix of SUFFIXES) bytes += await sizeOf(fileOf(name) + suffix);
        return bytes;
      },
    });
  };
  const remove = async (name: string): Promise<void> => {
    for (const suffix of SUFFIXES) await removeOpfsFile(fileOf(name) + suffix);
    names.delete(name);
  };
  return {
    facts: { ...facts, sha256: await thirdPartyHash('turso-wasm/turso.wasm32-wasi.wasm') },
    async create(name, pragmas, file) {
      await remove(name);
      if (file) await writeFile(fileOf(name), file);
      return open(name, pragmas);
    },
    open,
    remove,
    // Turso does not expose its memory.
    heapBytes: () => null,
    async end() {
      for (const name of names) await remove(name);
    },
  };
}

function bindingOf(database: TursoDatabase): AsyncBinding {
  return {
    close: () => database.close(),
    exec: (sql) => database.exec(sql),
    async prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run: async (params) => (await statement.run(...params)).changes,
        read: async (params, sink) => sinkRows(await statement.raw(true).all(...params), sink),
        finalize: async () => statement.close(),
      };
    },
  };
}

async function writeFile(name: string, bytes: Uint8Array): Promise<void> {
  const root = await navigator.storage.getDirectory();
  const writable = await (await root.getFileHandle(name, { create: true })).createWritable();
  await writable.write(bytes.slice());
  await writable.close();
}

async function sizeOf(name: string): Promise<number> {
  const root = await navigator.storage.getDirectory();
  return (await (await root.getFileHandle(name)).getFile()).size;
}
