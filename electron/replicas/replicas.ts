// The replicas that windows have named, and the databases restored from them: temporary files of a window, removed when it closes them.
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newRestoredName, restoredNameOf } from '#shared/replicas.ts';
import type { Replica, ReplicaMoment, ReplicaMoments } from '#shared/replicas.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../files/file-access.ts';
import { failureOf } from './failures.ts';
import { readMoments } from './moments.ts';
import { configurationOf, DATABASE_PATH, environmentFor } from './replica-locations.ts';
import type { ReplicaLocation } from './replica-locations.ts';
import type { LitestreamProgram } from './program.ts';
import { runProgram } from './run-program.ts';
import type { Outcome, ProgramRun } from './run-program.ts';

const GONE = 'Sidelite no longer knows this replica. Choose it again.';
const BUSY = 'Sidelite is already working on this replica. Wait until that is done, or stop it.';

/** A file that was restored. */
export interface RestoredFile {
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

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Still open (Windows), or the disk is read-only now: the next start tries again.
  }
}

/** “2026-11-20 14:00”, with seconds unless they are zero. */
function localTime(atMs: number): string {
  const at = new Date(atMs);
  const two = (part: number): string => String(part).padStart(2, '0');
  const seconds = at.getSeconds() === 0 ? '' : `:${two(at.getSeconds())}`;
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}${seconds}`;
}
