// The engine for databases on servers that speak Hrana (libSQL's own, and Turso), and for Cloudflare D1. README.md says what is different there.
import type { Worker } from 'node:worker_threads';
import { DATABASE_KINDS } from '#shared/protocol/database-kinds.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { isD1 } from '#shared/protocol/remote.ts';
import type { EngineInfo } from '#shared/protocol/session.ts';
import type { Connection, Engine } from '../engine.ts';
import { loadBetterSqlite, type DatabaseConstructor } from '../native/runtime/load.ts';
import { D1Client } from './d1/d1-client.ts';
import { D1Session } from './d1/d1-session.ts';
import { HranaClient } from './hrana/hrana-client.ts';
import { decodeValue } from './hrana/values.ts';
import { BlockingHttp, type Listening } from './network/blocking-http.ts';
import type { Server } from './network/checked-reply.ts';
import { isLostConnection } from './network/network-error.ts';
import { RemoteConnection } from './remote-connection.ts';
import { RemoteSchema } from './schema/remote-schema.ts';
import { HranaSession } from './session/hrana-session.ts';
import type { ServerSession } from './session/server-session.ts';
import { leadingWords } from '#shared/split-statements.ts';
import { trimmedEnd } from '#shared/trimmed.ts';

export interface Reached {
  /** The URL that the person entered. */
  readonly url: string;
  /** Read again for each request. It goes only to the address that the connection was opened with. */
  readonly token: string | null;
  readonly readOnly: boolean;
  /** The state after the last known write of an earlier run: reads must not be older. */
  readonly notOlderThan?: string | null;
  /** Called every few milliseconds while waiting for the server; an error it throws ends the wait. */
  readonly look?: () => void;
}

/** How long a replica is given to catch up with an earlier run. The server may have been set up again, and never get there. */
const CATCH_UP_MS = 10_000;
const AS_ASKED = 'This connection is read-only, as requested.';
const FACTS = `SELECT sqlite_version(), sqlite_source_id(), (SELECT page_count * page_size FROM temp.pragma_page_count, temp.pragma_page_size)`;

interface RemoteParts {
  readonly startNetwork: () => Worker;
  /** A new, empty database on this computer, which is deleted when it is closed. */
  readonly openNear?: (() => Connection) | undefined;
}

/**
 * @param reach where the database of a location is
 * @param parts.startNetwork starts a thread that calls `serveNetworkThread`
 * @throws AppError `unavailable` with the reason
 */
export async function createRemoteEngine(
  reach: (location: string) => Reached,
  { startNetwork, openNear }: RemoteParts,
): Promise<Engine> {
  return new RemoteEngine(await loadBetterSqlite(), reach, { startNetwork, openNear });
}

class RemoteEngine implements Engine {
  info: EngineInfo;
  readonly #Database: DatabaseConstructor;
  readonly #reach: (location: string) => Reached;
  readonly #http: BlockingHttp;
  readonly #openNear: RemoteParts['openNear'];
  /** The last state known to the last connection to each location, after it was closed. */
  readonly #left = new Map<string, string>();

  constructor(
    constructor: DatabaseConstructor,
    reach: (location: string) => Reached,
    { startNetwork, openNear }: RemoteParts,
  ) {
    this.#Database = constructor;
    this.#openNear = openNear;
    this.#reach = reach;
    this.#http = new BlockingHttp(startNetwork);
    this.info = {
      kind: 'remote',
      // Version of the server's SQLite, once a server has answered.
      sqliteVersion: '',
      sqliteSourceId: '',
      capabilities: DATABASE_KINDS.server.capabilities,
    };
  }

  /** @throws AppError `invalid`, `unavailable`, `refused`, `not-found` with sentences that can be shown next to the address */
  open(location: string): Connection {
    const { url, readOnly, notOlderThan, look: lookAtOpening } = this.#reach(location);
    const reach = this.#reach;
    const openNear = this.#openNear;
    let progress: (() => boolean) | null = null;
    let isOpen = false;
    const look = (): void => {
      if (!isOpen) lookAtOpening?.();
      if (progress?.() === true) throw stopped();
    };
    const server: Server = {
      url: serverAddress(url),
      get token() {
        const now = reach(location);
        return now.url === url ? now.token : null;
      },
    };
    const { session, listen, facts } = isD1(server.url.href)
      ? beginD1(new D1Client(this.#http, server, look))
      : begin(new HranaClient(this.#http, server, look), this.#left.get(location) ?? notOlderThan ?? null);
    const { version: sqliteVersion, source: sqliteSourceId, sizeBytes } = facts;
    this.info = { ...this.info, sqliteVersion, sqliteSourceId };
    isOpen = true;
    return new RemoteConnection({
      location,
      session,
      schema: new RemoteSchema(this.#Database, session),
      whyReadOnly: readOnly ? AS_ASKED : null,
      fileSizeBytes: sizeBytes,
      look,
      listen,
      openNear: openNear && (() => asOldAs(sqliteVersion, openNear())),
      setProgress: (handler) => void (progress = handler),
      closed: () => {
        if (session.index !== null) this.#left.set(location, session.index);
      },
    });
  }
}

interface Begun {
  readonly session: ServerSession;
  readonly listen: (table: string) => Listening;
  readonly facts: { readonly version: string; readonly source: string; readonly sizeBytes: number };
}

/** The first read waits for the state that it must not be older than, but not forever. */
function begin(client: HranaClient, notOlderThan: string | null): Begun {
  const listen = (table: string): Listening => client.listen(table);
  const ask = (session: ServerSession): Begun => ({ session, listen, facts: factsOf(session) });
  if (notOlderThan === null) return ask(new HranaSession(client));
  try {
    return client.within(CATCH_UP_MS, () => ask(new HranaSession(client, notOlderThan)));
  } catch (error) {
    if (!isLostConnection(error) || error.detail?.['why'] !== 'SILENT') throw error;
    return ask(new HranaSession(client));
  }
}

function factsOf(session: ServerSession): Begun['facts'] {
  const { rows } = session.run({ sql: FACTS, args: [], wantRows: true }, 'read');
  const [version, source, size] = rows[0]?.map(decodeValue) ?? [];
  if (typeof version !== 'string' || typeof source !== 'string') throw notSqlite();
  return { version, source, sizeBytes: typeof size === 'number' ? size : 0 };
}

/** D1 does not report its version of SQLite, and offers no events. */
function beginD1(client: D1Client): Begun {
  const session = new D1Session(client);
  session.run({ sql: 'SELECT 1', args: [], wantRows: true }, 'read');
  const listen = (): Listening => ({ state: 'refused', heard: 0, end: () => undefined });
  return { session, listen, facts: { version: '', source: '', sizeBytes: session.sizeBytes } };
}

function stopped(): AppError {
  return AppError.stopped('Stopped.', { sqlite: { result: 9, extended: 9, offset: -1 } });
}

const notSqlite = (): AppError =>
  AppError.unavailable(
    'The server does not respond like SQLite. Check whether the address is that of a libSQL server.',
  );

/** Since then ALTER TABLE changes NOT NULL and constraints (sqlite.org/releaselog/3_53_0.html). */
const CHANGES_CONSTRAINTS = [3, 53] as const;
const NEWER = ['ALTER COLUMN', 'ADD CONSTRAINT', 'ADD CHECK', 'DROP CONSTRAINT'] as const;

/** The connection on which changes of the schema are tried, made to reject what a server whose SQLite is of an older version would reject. */
function asOldAs(version: string, near: Connection): Connection {
  if (isSince(version, CHANGES_CONSTRAINTS)) return near;
  const run = near.run.bind(near);
  near.run = (sql, params) => {
    if (changesConstraint(sql)) throw AppError.sql(`SQLite ${version} has no such ALTER TABLE.`);
    return run(sql, params);
  };
  return near;
}

function isSince(version: string, [major, minor]: readonly [number, number]): boolean {
  const [its = 0, itsMinor = 0] = version.split('.').map(Number);
  return its > major || (its === major && itsMinor >= minor);
}

/** `ALTER TABLE [schema.]name` and the two words after it. */
function changesConstraint(sql: string): boolean {
  const words = leadingWords(sql, 0, 7);
  const at = words[3] === '.' ? 5 : 3;
  const action = words.slice(at, at + 2).join(' ');
  return words[0] === 'ALTER' && words[1] === 'TABLE' && NEWER.some((newer) => newer === action);
}

// Addresses that a database server may have: HTTPS anywhere, plain HTTP only on this computer, where nothing travels over a network.

/** `libsql:` is the scheme of libSQL's own addresses and stands for HTTPS; `ws:` and `wss:` are the same servers. */
const SCHEMES: Readonly<Record<string, 'https:' | 'http:'>> = {
  'https:': 'https:',
  'libsql:': 'https:',
  'wss:': 'https:',
  'http:': 'http:',
  'ws:': 'http:',
};

/**
 * The base of all requests, ending with a slash.
 *
 * @throws AppError `invalid` with a sentence that can be shown next to the address
 */
export function serverAddress(text: string): URL {
  const url = parse(text.trim());
  const scheme = SCHEMES[url.protocol];
  if (scheme === undefined || url.hostname === '')
    throw AppError.invalid(
      `“${url.protocol}” is not the address of a database server. Such an address begins with “libsql:” or “https:”.`,
    );
  if (url.username !== '' || url.password !== '')
    throw AppError.invalid('The address contains a user name or a password. Enter a token instead.');
  // The scheme of a special URL cannot be replaced by assignment.
  const base = new URL(`${scheme}//${url.host}${trimmedEnd(url.pathname, '/')}/`);
  if (scheme === 'http:' && !isLoopback(base.hostname))
    throw AppError.invalid(
      'The connection would not be encrypted. Only a server on this computer may use “http:”; use “https:”.',
    );
  return base;
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw AppError.invalid('This is not an address. An example: libsql://name.example.com');
  }
}

/** Expects host names as the URL standard writes them: IPv4 addresses in four decimal parts, IPv6 in brackets. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
