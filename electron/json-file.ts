// Small JSON files in the user's profile: a reader that forgives, a writer that never leaves half a file.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Null when the file is missing or damaged: everything kept this way can be done without. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch {
    return null;
  }
}

/** Leaves the file as it was when the disk is full or read-only: that must keep nobody from starting, working or quitting. */
export function writeJson(path: string, value: unknown): void {
  const temporary = `${path}.new`;
  try {
    writeFileSync(temporary, JSON.stringify(value, null, 1));
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}
