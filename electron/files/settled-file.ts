// Reads a small file once the program that writes it has finished: many programs empty a file and then write it in pieces.
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_AFTER_MS = 150;
/** Some file systems keep times in steps of two seconds. */
const RECENT_MS = 3000;
/** A file that never rests is read as it is; a watch on the file reports the next change. */
const WAIT_AT_MOST_MS = 5000;

interface Look {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

/**
 * Null if the file is larger than `maxBytes`. Fails with file system errors.
 * @param whileWaiting called before each further look
 */
export async function readSettled(
  path: string,
  maxBytes: number,
  whileWaiting = (): Promise<unknown> => pause(LOOK_AFTER_MS),
): Promise<Buffer | null> {
  const until = Date.now() + WAIT_AT_MOST_MS;
  let look = await lookAtFile(path);
  let isSettled = Math.abs(Date.now() - look.mtimeMs) > RECENT_MS;
  for (;;) {
    if (!isSettled) {
      await whileWaiting();
      const next = await lookAtFile(path);
      isSettled = isSame(look, next) || Date.now() > until;
      look = next;
      continue;
    }
    if (look.size > maxBytes) return null;
    const bytes = await readFile(path);
    const after = await lookAtFile(path);
    if (isSame(look, after) || Date.now() > until) return bytes;
    look = after;
    isSettled = false;
  }
}

/** Reading a pipe or a device may never end. */
async function lookAtFile(path: string): Promise<Look> {
  const stats = await stat(path);
  if (!stats.isFile()) throw Object.assign(new Error('no file'), { code: 'EISDIR' });
  return stats;
}

const isSame = (one: Look, other: Look): boolean =>
  one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino;
