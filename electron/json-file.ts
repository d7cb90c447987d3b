// Small JSON files in the user's profile: a reader that forgives, a writer that never leaves half a file.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { PRIVATE_FILE } from './files/file-access.ts';

/** Null when the file is missing or damaged: everything kept this way can be done without. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch {
    return null;
  }
}

/** Nobody else may read it: most hold paths of files. Leaves the file as it was when the disk is full or read-only: that must keep nobody from starting, working or quitting. */
export function writeJson(path: string, value: unknown): void {
  const temporary = `${path}.new`;
  try {
    rmSync(temporary, { force: true }); // what a crash left keeps the permissions it has
    writeFileSync(temporary, JSON.stringify(value, null, 1), { mode: PRIVATE_FILE, flag: 'wx' });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}
