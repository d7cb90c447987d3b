// Looks at a source file without opening it as a database: is it there, and is it as it was?
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { SourceFileState } from '#shared/protocol/files.ts';
import type { SourcePrint } from '#shared/source-print.ts';
import { isMissing, readError } from './file-errors.ts';

/** Up to here reading it whole takes some ms, and tells a file that was only touched from one that was changed. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

export async function lookAt(path: string, fileName: string): Promise<SourceFileState> {
  try {
    return { found: 'file', print: await printOf(path) };
  } catch (thrown) {
    return isMissing(thrown) ? { found: 'missing' } : { found: 'unreadable', why: readError(fileName, thrown).message };
  }
}

/** Asked after each commit and whenever a window gets the focus: what was read stays good while the files look the same. */
const hashes = new Map<string, { readonly looks: string; readonly hash: string }>();

/** Follows links. Fails as the file system fails. */
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
