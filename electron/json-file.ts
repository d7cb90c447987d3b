// Small JSON files in the user's profile: a tolerant reader, and a writer that never leaves a partial file.
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { PRIVATE_FILE } from './files/file-access.ts';

/** The largest is that of 200 connections whose tokens have 64 KB each. */
const MOST_BYTES = 32 << 20;

/** Null if the file is missing, damaged, or too large: nothing stored this way is essential. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path, MOST_BYTES)) as unknown;
  } catch {
    return null;
  }
}

/**
 * Text of a file, cut where it is larger. A pipe or a device, which may have no end, is not read.
 * @throws the error of the file system
 */
export function readText(path: string, mostBytes: number): string {
  // Without it, opening a pipe waits for its other end.
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw Object.assign(new Error('no file'), { code: 'EISDIR' });
    const bytes = Buffer.alloc(Math.min(stats.size, mostBytes));
    return bytes.toString('utf8', 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
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
