// Notes which native modules this thread loads and how long that takes: Node calls `process.dlopen` for each of them. It has to be
// imported before what it watches.
import { createHash } from 'node:crypto';
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

/** SHA-256 of the addon that has `name` in its path, as it was really loaded; null when it cannot be determined. */
export function hashOfAddon(name: string): string | null {
  const { sharedObjects = [] } = process.report.getReport() as { readonly sharedObjects?: readonly string[] };
  const path = sharedObjects.find((object) => object.endsWith('.node') && object.replaceAll('-', '_').includes(name));
  return path === undefined ? null : hashOfFile(path);
}

export function hashOfFile(path: string): string | null {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return null;
  }
}
