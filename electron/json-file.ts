// Small JSON files in the user's profile: a tolerant reader, and a writer that never leaves a partial file.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { PRIVATE_FILE } from './files/file-access.ts';

/** Null if the file is missing or damaged: nothing stored this way is essential. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch {
    return null;
  }
}

/**
 * Readable only by its owner: most of these files hold paths. On a full or read-only disk the file is left unchanged; that must not keep
 * the app from starting, working or quitting.
 */
export function writeJson(path: string, value: unknown): void {
  writeText(path, JSON.stringify(value, null, 1));
}

/** Like {@link writeJson}, for a text. */
export function writeText(path: string, text: string): void {
  const temporary = `${path}.new`;
  try {
    rmSync(temporary, { force: true }); // a file left by a crash would keep its permissions
    writeFileSync(temporary, text, { mode: PRIVATE_FILE, flag: 'wx' });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}
