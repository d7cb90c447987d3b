// Decides by file times and sizes whether a step's result is still good, so that a second start does no work.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './paths.ts';

/** A digest of names, sizes and times; reading the contents would cost more than the step it saves. */
export function fingerprint(paths: readonly string[], keep: (path: string) => boolean = () => true): string {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesBelow).filter(keep).sort()) {
    const { size, mtimeMs } = statSync(path);
    // A copy of a file keeps its time to the millisecond.
    hash.update(`${relative(ROOT, path)}\0${size}\0${Math.round(mtimeMs)}\n`);
  }
  return hash.digest('hex');
}

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

export function isFresh(stampFile: string, value: string): boolean {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === value;
}

export function writeStamp(stampFile: string, value: string): void {
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, value);
}
