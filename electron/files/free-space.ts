// The space that a temporary file may take: other programs need some, too.
import { promises } from 'node:fs';

const ROOM_USED = 0.9;

/** Infinity where Node cannot tell (before 18.15), or the file system does not. */
export async function roomIn(folder: string): Promise<number> {
  const { statfs } = promises as Partial<typeof promises>;
  if (!statfs) return Infinity;
  const { bavail, blocks, bsize } = await statfs(folder);
  return blocks === 0 ? Infinity : Math.floor(ROOM_USED * bavail * bsize);
}
