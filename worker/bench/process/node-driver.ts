// Engines of Node that keep a database in one file, or in memory: where the files are, and the loops over the calls of those that answer
// at once.
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { BenchDatabase, BenchDriver, DriverLocation, Maybe, Recorder } from '../driver.ts';
import { performSync } from '../drivers/sync-database.ts';
import type { SyncCalls } from '../drivers/sync-database.ts';
import { readPragmas, setPragmas } from '../pragmas.ts';
import type { SqlStep } from '../program.ts';
import type { ScalarFunction } from '../suite.ts';

/** One open database, as its own users call it. */
export interface NodeBinding extends SyncCalls {
  /** The first value of the first row; undefined when there is none. */
  ask(sql: string): unknown;
  /** Missing: it calls no functions of JavaScript. */
  define?(functions: readonly ScalarFunction[]): void;
  close(): void;
}

/** `open` is given a path, or `:memory:`. */
export function nodeDriver(
  engine: EngineDefinition,
  place: DriverLocation,
  { facts, open }: { readonly facts: BenchDriver['facts']; open(path: string): NodeBinding },
): BenchDriver {
  return fileDriver(engine, place, { facts, open: (path, ...rest) => databaseOf(open(path), ...rest) });
}

/** Driver for an engine with its own loops. */
export function fileDriver(
  engine: EngineDefinition,
  { directory }: DriverLocation,
  options: {
    readonly facts: BenchDriver['facts'];
    /** `threads` when missing. */
    readonly connections?: BenchDriver['connections'];
    open(path: string, pragmas: Pragmas, sizeBytes: () => number | null): Maybe<BenchDatabase>;
  },
): BenchDriver {
  const isMemory = engine.storage === 'memory';
  if (!isMemory) mkdirSync(directory, { recursive: true });
  const pathOf = (name: string): string => (isMemory ? ':memory:' : join(directory, name));
  const filesOf = (name: string): readonly string[] =>
    isMemory ? [] : ['', '-wal', '-shm', '-journal'].map((suffix) => pathOf(name) + suffix);
  const remove = (name: string): void => {
    for (const file of filesOf(name)) rmSync(file, { force: true });
  };
  const open = (name: string, pragmas: Pragmas): Maybe<BenchDatabase> =>
    options.open(pathOf(name), pragmas, () =>
      isMemory ? null : filesOf(name).reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0),
    );
  return {
    facts: options.facts,
    ...(!isMemory && { connections: options.connections ?? 'threads' }),
    create(name, pragmas, file) {
      if (file && isMemory) throw new AppError({ code: 'unavailable', message: `${engine.label} takes no file.` });
      remove(name);
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

function databaseOf(binding: NodeBinding, pragmas: Pragmas, sizeBytes: () => number | null): BenchDatabase {
  setPragmas({ exec: (sql) => tolerate(() => binding.exec(sql)), ask: (sql) => binding.ask(sql) }, pragmas);
  const { define } = binding;
  return {
    perform: (step: SqlStep, recorder: Recorder) => performSync(binding, step, recorder),
    prepare: (sql: string) => binding.prepare(sql),
    pragmas: () => readPragmas((sql) => binding.ask(sql)),
    ...(define && { define: (functions: readonly ScalarFunction[]) => define(functions) }),
    sizeBytes,
    close: () => binding.close(),
  };
}

/** An engine skips settings it does not know; the resulting values are read back and shown. */
function tolerate(run: () => void): void {
  try {
    run();
  } catch {
    // Read back.
  }
}
