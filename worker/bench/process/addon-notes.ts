// Notes which native modules this thread loads and how long that takes: Node calls `process.dlopen` for each of them. It has to be
// imported before what it watches.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { EngineCode } from '#shared/bench/result.ts';

interface LoadedAddon {
  readonly path: string;
  readonly ms: number;
}

const loaded: LoadedAddon[] = [];
const { dlopen } = process;

process.dlopen = (...args: Parameters<typeof dlopen>) => {
  const began = performance.now();
  dlopen.apply(process, args);
  loaded.push({ path: args[1], ms: performance.now() - began });
};

/** Milliseconds for everything that was loaded last; undefined when there is none. */
export const addonsMs = (): number | undefined =>
  loaded.length === 0 ? undefined : loaded.reduce((sum, { ms }) => sum + ms, 0);

/** Null when nothing was loaded: the engine is a part of the executable. */
export function addonCode(): EngineCode | null {
  if (loaded.length === 0) return null;
  const paths = [...new Set(loaded.map(({ path }) => path))];
  const files = paths.map((path) => readFileSync(path));
  return {
    files: paths.map((path) => basename(path)),
    bytes: files.reduce((sum, { length }) => sum + length, 0),
    gzipBytes: files.reduce((sum, file) => sum + gzipSync(file).length, 0),
    compileMs: null,
    instantiateMs: addonsMs()!,
  };
}
