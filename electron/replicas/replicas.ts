// The replicas that windows have named, and the databases restored from them: temporary files of a window, removed when it closes them.
import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { newRestoredName, restoredNameOf } from '#shared/replicas.ts';
import type { Replica, ReplicaMoment, ReplicaMoments } from '#shared/replicas.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../files/file-access.ts';
import { remove } from '../files/temporary-databases.ts';
import { configurationOf, DATABASE_PATH, environmentFor } from './replica-locations.ts';
import type { ReplicaLocation } from './replica-locations.ts';
import type { LitestreamProgram } from './program.ts';
import { runProgram } from './run-program.ts';
import type { Outcome, ProgramRun } from './run-program.ts';

const GONE = 'Sidelite no longer knows this replica. Choose it again.';
const BUSY = 'Sidelite is already working on this replica. Wait until that is done, or stop it.';

/** A file that was restored. */
interface RestoredFile {
  /** Its name without a path: also its id in main. */
  readonly restored: string;
  readonly path: string;
  /** “shop.db as of 2026-11-20 14:00” */
  readonly name: string;
  readonly displayPath: string;
}

interface Named {
  readonly windowId: string;
  readonly location: ReplicaLocation;
  moments: readonly ReplicaMoment[];
  run: ProgramRun | null;
  /** File that is being written. */
  writes: string | null;
}

export class Replicas {
  readonly #folder: string;
  readonly program: LitestreamProgram;
  readonly #log: (line: string) => void;
  readonly #named = new Map<string, Named>();
  /** Window of each restored file. */
  readonly #restored = new Map<string, string>();

  /** Call only in the one running instance: removes what a killed run left in `folder`. */
  constructor(folder: string, program: LitestreamProgram, log: (line: string) => void) {
    this.#folder = folder;
    this.program = program;
    this.#log = log;
    remove(folder);
  }

  name(windowId: string, location: ReplicaLocation): Replica {
    const token = randomUUID();
    this.#named.set(token, { windowId, location, moments: [], run: null, writes: null });
    return { token, name: location.name, displayPath: location.displayPath };
  }

  async moments(windowId: string, token: string): Promise<ReplicaMoments> {
    const named = this.#find(windowId, token);
    if (!named) return { why: GONE };
    const outcome = await this.#run(named, ['ltx', '-level', 'all', '-json']);
    if ('why' in outcome) return outcome;
    if ('stopped' in outcome) return { why: 'Listing the restore points was stopped.' };
    const moments = readMoments(outcome.output);
    if (!moments) return { why: 'Litestream printed a list that Sidelite cannot read. It works with version 0.5.' };
    if (moments.length === 0)
      return { why: `Litestream found nothing to restore in ${named.location.displayPath}. Check the path.` };
    named.moments = moments;
    return { moments };
  }

  async restore(
    windowId: string,
    token: string,
    txid: string,
  ): Promise<RestoredFile | { readonly why: string } | { readonly stopped: true }> {
    const named = this.#find(windowId, token);
    const moment = named?.moments.find((each) => each.txid === txid);
    if (!named || !moment) return { why: GONE };
    if (named.run) return { why: BUSY };
    const restored = newRestoredName(randomUUID());
    const path = join(this.#folder, restored, 'database.sqlite3');
    makePrivate(join(this.#folder, restored));
    this.#restored.set(restored, windowId);
    named.writes = path;
    const outcome = await this.#run(named, ['restore', '-txid', txid, '-o', path]);
    named.writes = null;
    // The window may have been closed in the meantime.
    const isKept = 'output' in outcome && this.#restored.has(restored);
    if (!isKept) this.#remove(restored);
    if ('why' in outcome) return outcome;
    if (!isKept) return { stopped: true };
    const { name, displayPath } = named.location;
    return { restored, path, name: `${name} as of ${localTime(moment.atMs)}`, displayPath };
  }

  /** Bytes that Litestream has written so far: into a file beside the one asked for, which it renames at the end. */
  written(windowId: string, token: string): number {
    const path = this.#find(windowId, token)?.writes;
    if (path == null) return 0;
    const stats = statSync(`${path}.tmp`, { throwIfNoEntry: false }) ?? statSync(path, { throwIfNoEntry: false });
    return stats?.size ?? 0;
  }

  stop(windowId: string, token: string): void {
    this.#find(windowId, token)?.run?.stop();
  }

  leave(windowId: string, token: string): void {
    if (!this.#find(windowId, token)) return;
    this.stop(windowId, token);
    this.#named.delete(token);
  }

  /** Returns the name of the file that was removed; null if there is none of this window. */
  discard(windowId: string, database: string): string | null {
    const restored = restoredNameOf(database);
    if (restored === null || this.#restored.get(restored) !== windowId) return null;
    this.#remove(restored);
    return restored;
  }

  removeAllOf({ windowId }: { readonly windowId: string }): void {
    for (const [token, named] of this.#named) if (named.windowId === windowId) this.leave(windowId, token);
    for (const [restored, owner] of this.#restored) if (owner === windowId) this.#remove(restored);
  }

  removeAll(): void {
    for (const { run } of this.#named.values()) run?.stop();
    this.#named.clear();
    this.#restored.clear();
    remove(this.#folder);
  }

  #find(windowId: string, token: string): Named | null {
    const named = this.#named.get(token);
    return named?.windowId === windowId ? named : null;
  }

  #remove(restored: string): void {
    this.#restored.delete(restored);
    remove(join(this.#folder, restored));
  }

  /** The location goes into a configuration file, because folders with some characters cannot be written as an address of Litestream. */
  async #run(
    named: Named,
    [command = '', ...options]: readonly string[],
  ): Promise<Exclude<Outcome, { failed: string }> | { readonly why: string }> {
    if (named.run) return { why: BUSY };
    const program = await this.program.find();
    if ('why' in program) return program;
    if (named.run) return { why: BUSY };
    const configuration = join(this.#folder, `${randomUUID()}.yml`);
    const { location } = named;
    try {
      makePrivate(this.#folder);
      writeFileSync(configuration, configurationOf(location), { mode: PRIVATE_FILE, flag: 'wx' });
    } catch (error) {
      return { why: failureOf(String(error)) };
    }
    const args = [command, '-config', configuration, '-no-expand-env', ...options, DATABASE_PATH];
    named.run = runProgram(program.path, args, environmentFor(location, process.env));
    const outcome = await named.run.ended;
    named.run = null;
    remove(configuration);
    if (!('failed' in outcome)) return outcome;
    const printed = withoutKeys(outcome.failed, location);
    this.#log(`litestream ${command}: ${printed}`);
    return { why: failureOf(printed) };
  }
}

/** Removes the keys from whatever a program prints. */
const withoutKeys = (printed: string, { keys }: ReplicaLocation): string =>
  keys ? printed.replaceAll(keys.secret, '•••').replaceAll(keys.keyId, '•••') : printed;

const makePrivate = (folder: string): void => void mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });

/** “2026-11-20 14:00”, with seconds unless they are zero. */
function localTime(atMs: number): string {
  const at = new Date(atMs);
  const two = (part: number): string => String(part).padStart(2, '0');
  const seconds = at.getSeconds() === 0 ? '' : `:${two(at.getSeconds())}`;
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}${seconds}`;
}

// Turns Litestream's errors into a sentence for the user: what happened, what was kept, what to do.

const MAX_DETAIL = 300;

/** Patterns and sentences; the first pattern that matches counts. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [
    /no space left on device|not enough space on the disk|disk full|disk quota exceeded/i,
    'The disk is full, so the database was not restored. Nothing was kept. Free some space and try again.',
  ],
  [
    /no matching backup files|timestamp does not exist|transaction not available/i,
    'Litestream cannot restore this restore point: files it needs are missing, or have been merged or removed since the list was made. Nothing was opened. List the restore points again and choose another.',
  ],
  [
    /no such host|connection refused|network is unreachable|i\/o timeout|TLS handshake|certificate/i,
    'The storage could not be reached. Check the address, the endpoint, and the network.',
  ],
  [
    /get credentials|no EC2 IMDS role|static credentials are empty/i,
    'There are no keys for this storage: none were entered, and this computer has no AWS credentials.',
  ],
  [
    /InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied|StatusCode: 40[13]\b|Forbidden/i,
    'The storage rejected the keys. Check them, and check that they allow reading this bucket.',
  ],
  [/NoSuchBucket|StatusCode: 404/i, 'The bucket does not exist. Check the address.'],
  [
    /permission denied|access is denied/i,
    'You do not have permission to read the files of the replica. Nothing was opened.',
  ],
  [
    /decode|decompress|checksum|unexpected EOF|invalid ltx|lz4|corrupt|malformed/i,
    'A file of the replica is damaged, so this restore point cannot be restored. Nothing was opened. Choose another restore point or another replica.',
  ],
  [
    /flag provided but not defined|unknown command/i,
    'This version of Litestream is too old or too new. Sidelite works with version 0.5.',
  ],
];

/** @param printed without secrets */
function failureOf(printed: string): string {
  const known = KNOWN.find(([pattern]) => pattern.test(printed))?.[1];
  if (known !== undefined) return known;
  const last = printed
    .trim()
    .split('\n')
    .at(-1)!
    .replace(/^Error: /, '');
  return `Litestream failed: ${last.length > MAX_DETAIL ? `${last.slice(0, MAX_DETAIL)}…` : last}`;
}

const TXID = /^[0-9a-f]{16}$/;

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
