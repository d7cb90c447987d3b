// The histories of files in place: in the app's own folder, never beside the files they are about.
import {
  chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync,
} from 'node:fs'; // prettier-ignore
import { join } from 'node:path';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { Histories, isOfComparisonCopy } from '../history/histories.ts';
import type { Clock } from '../sessions/clock.ts';

/** Files of a database or of a copy that was opened. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];
/** Ids of databases have a colon, which no name of a file on Windows may have. */
const [COLON, STANDS_FOR_COLON] = [':', '+'];
const SETTINGS = 'settings.json';
/** Files that are no longer opened leave their history behind: together these may take as much as so many full ones. */
const MAX_FULL_HISTORIES = 4;

interface HistoryParts {
  readonly engine: Pick<Engine, 'open'>;
  readonly clock: Clock;
  /** Whether this process maintains the folder and removes files beyond the limits. False beside an app that does. */
  readonly keeps: boolean;
}

/** @param folder created when it does not exist. It holds content of the user's files, so no other user may read it */
export function openHistoryFiles(folder: string, { engine, clock, keeps }: HistoryParts): Histories {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700); // it may already exist
  const files = new HistoryFiles(folder);
  const histories = new Histories({
    engine: {
      open(location, options) {
        keepPrivate(location, options.create === true);
        return withLog(engine.open(location, options));
      },
    },
    pool: files,
    locationOf: (file) => files.locationOf(file),
    isShared: true,
    clock,
    settings: files,
  });
  if (keeps) files.trim(MAX_FULL_HISTORIES * histories.limits.totalBytes);
  return histories;
}

/** Removes every file of the history of a file in place, which must not be open. @throws system error */
export function removeHistoryFiles(folder: string, database: DatabaseId): void {
  if (!existsSync(folder)) return;
  const files = new HistoryFiles(folder);
  for (const name of files.names()) if (ownerOf(name) === database) files.remove(name);
}

const ownerOf = (name: string): string | undefined =>
  /^\/(?:history|snapshot)-(file:(?:encrypted-)?[0-9a-f]+)/.exec(name)?.[1];

/** Call before SQLite creates it: its log and its journal get the permissions the file has. */
function keepPrivate(location: string, create: boolean): void {
  if (existsSync(location)) chmodSync(location, 0o600); // not opened: closing it would drop locks that SQLite holds on it
  else if (create) attempt(() => closeSync(openSync(location, 'wx', 0o600)));
}

/** A step is one small commit: in a log it costs a write, not the three flushes of a journal. */
function withLog(connection: Connection): Connection {
  connection.run('PRAGMA journal_mode = WAL');
  return connection;
}

class HistoryFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  locationOf(name: string): string {
    return join(this.#folder, name.slice(1).replace(COLON!, STANDS_FOR_COLON!));
  }

  names(): readonly string[] {
    return readdirSync(this.#folder).map((file) => `/${file.replace(STANDS_FOR_COLON!, COLON!)}`);
  }

  /** Succeeds always: there is room for another file. */
  async reserve(): Promise<void> {
    // Nothing to do.
  }

  createWriter(name: string) {
    const path = this.locationOf(name);
    const descriptor = attempt(() => openSync(path, 'w', 0o600));
    let sizeBytes = 0;
    let isOpen = true;
    const close = (): void => {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    };
    return {
      get sizeBytes() {
        return sizeBytes;
      },
      write(bytes: Uint8Array) {
        for (let done = 0; done < bytes.length;)
          done += attempt(() => writeSync(descriptor, bytes, done, bytes.length - done));
        sizeBytes += bytes.length;
      },
      finish() {
        attempt(() => fsyncSync(descriptor));
        close();
      },
      abort() {
        close();
        rmSync(path, { force: true });
      },
    };
  }

  remove(name: string): void {
    for (const suffix of SUFFIXES) rmSync(this.locationOf(name) + suffix, { force: true });
  }

  getState(key: string): string | null {
    return this.#settings[key] ?? null;
  }

  putState(key: string, value: string | null): void {
    const path = join(this.#folder, SETTINGS);
    attempt(() => {
      writeFileSync(`${path}.new`, JSON.stringify({ ...this.#settings, [key]: value ?? undefined }), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    });
  }

  /** Removes the least recently used files first. Call before any history is open. */
  trim(maxBytes: number): void {
    for (const name of this.names()) if (isOfComparisonCopy(name)) this.remove(name);
    const owners = new Map<string, { sizeBytes: number; usedAtMs: number; readonly names: string[] }>();
    for (const name of this.names()) {
      const owner = ownerOf(name);
      const stats = owner && statSync(this.locationOf(name), { throwIfNoEntry: false });
      if (!stats) continue;
      const known = owners.get(owner) ?? { sizeBytes: 0, usedAtMs: 0, names: [] };
      known.sizeBytes += stats.size;
      known.usedAtMs = Math.max(known.usedAtMs, stats.mtimeMs);
      known.names.push(name);
      owners.set(owner, known);
    }
    let total = 0;
    for (const { sizeBytes, names } of [...owners.values()].sort((a, b) => b.usedAtMs - a.usedAtMs)) {
      total += sizeBytes;
      if (total > maxBytes) for (const name of names) this.remove(name);
    }
  }

  get #settings(): Record<string, string> {
    try {
      const path = join(this.#folder, SETTINGS);
      return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>) : {};
    } catch {
      return {}; // unreadable settings count as unset
    }
  }
}

/** @throws AppError `full`, `io` */
function attempt<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw AppError.full('The disk with the folder of the app is full.');
    throw AppError.io(`The folder of the app could not be written to. ${message}`);
  }
}
