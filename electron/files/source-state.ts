// Examines a source file without opening it as a database: whether it exists, and whether it has changed.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { SourceFileState } from '#shared/protocol/files.ts';
import type { SourcePrint } from '#shared/source-print.ts';
import { isMissing, readError } from './file-errors.ts';

/** Up to this size, reading the whole file takes a few ms and tells a touched file from a changed one. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

export async function lookAt(path: string, fileName: string): Promise<SourceFileState> {
  try {
    return { found: 'file', print: await printOf(path) };
  } catch (thrown) {
    return isMissing(thrown) ? { found: 'missing' } : { found: 'unreadable', why: readError(fileName, thrown).message };
  }
}

/** The state is requested after each commit and on window focus: a hash stays valid while the file's metadata is the same. */
const hashes = new Map<string, { readonly looks: string; readonly hash: string }>();

/** Follows links. Fails with file system errors. */
export async function printOf(path: string): Promise<SourcePrint> {
  const main = await stat(path);
  if (!main.isFile()) throw Object.assign(new Error('no file'), { code: 'EISDIR' });
  const wal = await stat(`${path}-wal`).catch(() => null);
  const looks = {
    sizeBytes: main.size,
    modifiedAtMs: main.mtimeMs,
    fileId: `${main.dev}:${main.ino}`,
    walSizeBytes: wal?.size ?? 0,
    walModifiedAtMs: wal && wal.size > 0 ? wal.mtimeMs : 0,
  };
  if (looks.sizeBytes + looks.walSizeBytes > MAX_READ_BYTES) return { ...looks, content: null };
  const key = JSON.stringify({ ...looks, changedAtMs: main.ctimeMs });
  const known = hashes.get(path);
  const content = known?.looks === key ? known.hash : await hashOf(path, looks.walSizeBytes > 0);
  hashes.set(path, { looks: key, hash: content });
  return { ...looks, content };
}

async function hashOf(path: string, withWal: boolean): Promise<string> {
  const hash = createHash('sha256').update(await readFile(path));
  if (withWal) hash.update(await readFile(`${path}-wal`));
  return hash.digest('hex');
}
