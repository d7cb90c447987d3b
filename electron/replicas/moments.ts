// The list of files that Litestream prints for a replica, as the moments that can be restored.
import * as v from 'valibot';
import type { ReplicaMoment } from '#shared/replicas.ts';

export const TXID = /^[0-9a-f]{16}$/;

const FILES = v.array(
  v.object({
    min_txid: v.pipe(v.string(), v.regex(TXID)),
    max_txid: v.pipe(v.string(), v.regex(TXID)),
    timestamp: v.pipe(v.string(), v.isoTimestamp()),
  }),
);
type File = v.InferOutput<typeof FILES>[number];

/**
 * Newest first. Each file holds the pages that transactions `min_txid` to `max_txid` wrote; one that begins with transaction 1 holds the
 * whole database. So a state can be restored if files lead to exactly its last transaction, from a whole database on. Litestream merges the
 * files of recent transactions step by step and removes old ones: merged transactions can no longer be restored one by one.
 * @returns null if this is not such a list
 */
export function readMoments(printed: string): readonly ReplicaMoment[] | null {
  const files = filesOf(printed);
  if (!files) return null;
  /** The same state may end files of several levels; the first was written when it was committed. */
  const times = new Map<string, number>();
  for (const { max_txid: txid, timestamp } of files)
    times.set(txid, Math.min(times.get(txid) ?? Infinity, Date.parse(timestamp)));
  // Sort by the last transaction, so that every file comes after those it may follow. Fixed-width hexadecimal sorts as text.
  const inOrder = [...files].sort((a, b) => compare(a.max_txid, b.max_txid));
  let last = 0n;
  const moments: ReplicaMoment[] = [];
  for (const { min_txid: min, max_txid: txid } of inOrder) {
    const [from, to] = [BigInt(`0x${min}`), BigInt(`0x${txid}`)];
    const follows = from === 1n || (last > 0n && from <= last + 1n);
    if (to === last || !follows) continue;
    last = to;
    moments.push({ txid, atMs: times.get(txid)! });
  }
  return moments.reverse();
}

function filesOf(printed: string): readonly File[] | null {
  try {
    const read = v.safeParse(v.nullable(FILES), JSON.parse(printed));
    return read.success ? (read.output ?? []) : null;
  } catch {
    return null;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
