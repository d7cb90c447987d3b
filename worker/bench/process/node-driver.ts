// Engines of Node that keep a database in one file, or in memory: where the files are, and how they are made and removed.
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { BenchDatabase, BenchDriver, DriverLocation, Maybe } from '../driver.ts';
import { syncDatabase, type SyncBinding } from '../drivers/database.ts';

/** One open database, as its own users call it. */
export type NodeBinding = SyncBinding & Pick<BenchDatabase, 'define'>;

/** `open` is given a path, or `:memory:`. */
export function nodeDriver(
  engine: EngineDefinition,
  place: DriverLocation,
  { facts, open }: { readonly facts: BenchDriver['facts']; open(path: string): NodeBinding },
): BenchDriver {
  return fileDriver(engine, place, {
    facts,
    open(path, pragmas, sizeBytes) {
      const binding = open(path);
      const { define } = binding;
      return syncDatabase(binding, pragmas, { ...(define && { define }), sizeBytes }, (sql) => {
        try {
          binding.exec(sql);
        } catch {
          // An engine skips settings it does not know; the resulting values are read back and shown.
        }
      });
    },
  });
}

interface FileDriverOptions {
  readonly facts: BenchDriver['facts'];
  /** `threads` when missing. */
  readonly connections?: BenchDriver['connections'];
  open(path: string, pragmas: Pragmas, sizeBytes: () => number | null): Maybe<BenchDatabase>;
  /** Missing: the engine takes no file into memory. */
  openInMemory?(file: Uint8Array, pragmas: Pragmas): BenchDatabase;
}

export function fileDriver(
  { storage, label }: EngineDefinition,
  { directory }: DriverLocation,
  options: FileDriverOptions,
): BenchDriver {
  const isMemory = storage === 'memory';
  if (!isMemory) mkdirSync(directory, { recursive: true });
  const pathOf = (name: string): string => (isMemory ? ':memory:' : join(directory, name));
  const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);
  const remove = (name: string): void => {
    if (isMemory) return;
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(pathOf(name) + suffix, { force: true });
  };
  const open = (name: string, pragmas: Pragmas): Maybe<BenchDatabase> => {
    const path = pathOf(name);
    const sizeBytes = (): number => ['', '-wal', '-journal'].reduce((sum, suffix) => sum + sizeOf(path + suffix), 0);
    return options.open(path, pragmas, isMemory ? () => null : sizeBytes);
  };
  return {
    facts: options.facts,
    ...(!isMemory && { connections: options.connections ?? 'threads' }),
    create(name, pragmas, file) {
      remove(name);
      if (file && isMemory) {
        if (options.openInMemory) return options.openInMemory(file, pragmas);
        throw AppError.unavailable(`${label} takes no file.`);
      }
      if (file) writeFileSync(pathOf(name), file);
      return open(name, pragmas);
    },
    open,
    remove,
    heapBytes: () => null,
    end() {
      if (!isMemory) rmSync(directory, { recursive: true, force: true });
    },
  };
}
