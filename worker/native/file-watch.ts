// Watches one file in place, or one that is attached to it: reports when another program has committed, and when the file is no longer the one that was opened.
import { statSync, type BigIntStats } from 'node:fs';
import { quoteName } from '#shared/ddl/names.ts';
import type { Connection } from '../engines/engine.ts';
import type { Clock } from '../sessions/clock.ts';

const UNREACHABLE =
  'The disk of this file does not respond: a network drive may be disconnected, or a disk removed. Committed changes are in the file. When the disk is back, Sidelite continues; if it does not, open the file again.';

/** The log of a file in WAL mode (sqlite.org/wal.html#the_wal_file). */
const LOG = '-wal';
/** Stands for the time of a missing file. */
const NOTHING = 'none';
/** Two checks of the file’s times cost some 10 µs, and querying the version of one with a log 30. */
const LOOK_EVERY_MS = 50;
const LOCKED_REST_MS = 400;
const GONE =
  'The file was moved or deleted while it was open here. Its last contents are shown; export them to keep them.';
const REPLACED =
  'The file that is open here was replaced by another one. The previous contents are shown: close this database and open the file again to see the new ones.';

export interface FileEvents {
  /** Another program has committed something. */
  readonly changed: (schema: boolean) => void;
  /** Why the file cannot be written to now; null: it can again. */
  readonly held: (why: string | null) => void;
}

export class FileWatch {
  readonly #path: string;
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #events: FileEvents;
  /** Before the name of a PRAGMA: the schema that is read from the file. */
  readonly #schemaPart: string;
  readonly #identity: string | null;
  #stamp = '';
  #version: string | null;
  #schema: string | null;
  #callOff: () => void;

  /** @param attachedAs the name under which the file is attached to the connection; absent for its own file */
  constructor(path: string, connection: Connection, clock: Clock, events: FileEvents, attachedAs?: string) {
    this.#path = path;
    this.#schemaPart = attachedAs === undefined ? '' : `${quoteName(attachedAs)}.`;
    this.#connection = connection;
    this.#clock = clock;
    this.#events = events;
    this.#identity = identityOf(path);
    this.#version = this.#read('data_version');
    this.#schema = this.#read('schema_version');
    this.#stamp = this.#readStamp();
    this.#callOff = clock.after(0, () => this.#look());
  }

  /** Call before the file is closed: also reports commits since the last check. */
  end(): void {
    this.#look();
    this.#callOff();
  }

  #look(): void {
    this.#callOff();
    this.#callOff = this.#clock.after(LOOK_EVERY_MS, () => this.#look());
    const identity = identityOf(this.#path);
    if (identity !== this.#identity) return this.#events.held(whyNot(identity));
    this.#events.held(this.#connection.whyReadOnly ?? null);
    const stamp = this.#readStamp();
    // Another program writes and syncs its commit to the log first, then publishes it in shared memory, which has no time.
    const mayFollow = !stamp.endsWith(NOTHING);
    if (stamp === this.#stamp && !(mayFollow && this.#read('data_version') !== this.#version)) return;
    if ((this.#connection.lockedBy?.('read') ?? null) !== null) return this.#rest();
    // Our own commits do not change `data_version`. While another program has the file locked, it is read again at the next check.
    const [version, schema] = [this.#read('data_version'), this.#read('schema_version')];
    if (version === null || schema === null) return this.#rest();
    this.#stamp = stamp;
    if (version !== this.#version) this.#events.changed(schema !== this.#schema);
    [this.#version, this.#schema] = [version, schema];
  }

  /** Another program has the file locked: its commits are noticed when it is done. */
  #rest(): void {
    this.#callOff();
    this.#callOff = this.#clock.after(LOCKED_REST_MS, () => this.#look());
  }

  #readStamp(): string {
    return ['', LOG].map((suffix) => stampOf(this.#path + suffix)).join(' ');
  }

  #read(pragma: 'data_version' | 'schema_version'): string | null {
    try {
      return String(this.#connection.one(`PRAGMA ${this.#schemaPart}${pragma}`)?.[0]);
    } catch {
      return null;
    }
  }
}

const CUT_OFF = 'cut off';

function whyNot(identity: string | null): string {
  if (identity === null) return GONE;
  return identity === CUT_OFF ? UNREACHABLE : REPLACED;
}

function identityOf(path: string): string | null {
  const stats = statsOf(path);
  return stats === null || stats === CUT_OFF ? stats : `${stats.dev}:${stats.ino}`;
}

function stampOf(path: string): string {
  const stats = statsOf(path);
  return stats === null || stats === CUT_OFF ? NOTHING : `${stats.size}:${stats.mtimeNs}`;
}

/** Null: no file of that name exists. */
function statsOf(path: string): BigIntStats | typeof CUT_OFF | null {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true }) ?? null;
  } catch {
    return CUT_OFF;
  }
}
