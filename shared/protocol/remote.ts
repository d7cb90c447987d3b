// Databases on a server: the ids of their connections, and what is known of one.
import { trimmedEnd } from '../trimmed.ts';
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { ErrorData } from './errors.ts';

const PREFIX = 'remote-';

/** True for a database on a server, which a process of its own serves. */
export const isRemote = (database: DatabaseId): boolean => database.startsWith(PREFIX);

/** @param unique lowercase hexadecimal digits */
export const remoteId = (unique: string): DatabaseId => PREFIX + unique;

export const REMOTE_ID = /^remote-[0-9a-f]{32}$/;

export const CONNECTION_COLORS = ['gray', 'green', 'blue', 'purple', 'orange', 'red'] as const;
export type ConnectionColor = (typeof CONNECTION_COLORS)[number];

/** A connection without its token, which no window ever gets. */
export interface RemoteConnection {
  readonly database: DatabaseId;
  readonly name: string;
  /** Address as returned by {@link readAddress}. */
  readonly address: string;
  readonly color: ConnectionColor;
  /** The user does not want to write to it. */
  readonly readOnly: boolean;
  /** Asks before each write. */
  readonly production: boolean;
  /**
   * `session`: it could not be stored and is kept until Sidelite ends. `forgotten`: there was one, which was kept only until Sidelite ended,
   * or can no longer be decrypted.
   */
  readonly token: 'none' | 'known' | 'session' | 'forgotten';
  readonly lastUsedAtMs: number;
}

/** A connection as the user has entered it. */
export interface RemoteDraft {
  /** Null for a new connection. */
  readonly database: DatabaseId | null;
  readonly name: string;
  readonly address: string;
  readonly color: ConnectionColor;
  readonly readOnly: boolean;
  readonly production: boolean;
  /** Null: the token that is stored, if any, stays. Empty: there is none. */
  readonly token: string | null;
}

export interface RemoteList {
  readonly connections: readonly RemoteConnection[];
  /** Tokens outlive the app, encrypted with a key of the operating system. False: they are forgotten when the app ends. */
  readonly keepsTokens: boolean;
}

/** Facts that a working connection has reported. */
export interface RemoteFacts {
  readonly sqliteVersion: string;
  readonly tables: number;
  /** Why nothing can be written; null if writing can be tried. */
  readonly whyReadOnly: string | null;
}

/** `token`: what is wrong with the token, if that is why. */
export type RemoteTest =
  | { readonly facts: RemoteFacts }
  | { readonly why: string; readonly token?: TokenProblem | undefined };
export type RemoteSaved = { readonly connection: RemoteConnection } | { readonly why: string };

export interface RemoteOperations {
  /** Speaks with the server within the open transaction, if any, so that it is not ended for being idle. */
  'remote.keepTransaction': Op<{ readonly database: DatabaseId }, null>;
}

export interface RemoteEvents {
  /** The open transaction of this window has ended other than by its COMMIT or ROLLBACK: why, whichever request noticed. */
  'remote.transactionLost': { readonly database: DatabaseId; readonly why: string };
  /** Rows that the server has read and written for this connection since it was opened, all windows together. */
  'remote.rowsCounted': { readonly database: DatabaseId; readonly read: number; readonly written: number };
}

/** Set in the `detail` of an error: the server rejected the request because of the token, which is one of {@link TokenProblem}. */
export const TOKEN_PROBLEM = 'token';

/** `forbids`: the server knows the token, which does not allow what was asked for. */
const TOKEN_PROBLEMS = ['missing', 'expired', 'rejected', 'forbids'] as const;
export type TokenProblem = (typeof TOKEN_PROBLEMS)[number];

/** Problem with the token that an error reports; null if it is about something else. */
export const tokenProblemOf = ({ detail }: Pick<ErrorData, 'detail'>): TokenProblem | null =>
  TOKEN_PROBLEMS.find((problem) => problem === detail?.[TOKEN_PROBLEM]) ?? null;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The address of a server as it is stored, or what is wrong with what was typed. */
export type Address = { readonly address: string } | { readonly why: string };

/** Accepts `libsql:`, `https:`, and for this computer `http:`. A name without a scheme is a `libsql:` address. */
export function readAddress(typed: string): Address {
  const text = typed.trim();
  if (text === '') return { why: 'Enter the address of the server.' };
  let url: URL;
  try {
    // `URL` does not split addresses with schemes it does not know.
    url = new URL(
      withScheme(text)
        .replace(/^(libsql|wss):/i, 'https:')
        .replace(/^ws:/i, 'http:'),
    );
  } catch {
    return { why: 'This is not an address. An example: libsql://shop-acme.turso.io' };
  }
  if (url.username !== '' || url.password !== '')
    return { why: 'Leave out the user name and password. The server expects a token.' };
  if (url.search !== '' && url.search !== '?tls=0')
    return { why: 'Leave out everything from “?” on. A token belongs in the field “Token”.' };
  if (url.hash !== '') return { why: 'Leave out everything from “#” on.' };
  const isHere = LOOPBACK.test(url.hostname);
  if (url.search === '?tls=0') url.protocol = 'http:';
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { why: 'An address begins with libsql:// or https://.' };
  if (url.protocol === 'http:' && !isHere)
    return { why: 'Without encryption, Sidelite connects only to this computer. Use libsql:// or https://.' };
  if (url.hostname === CLOUDFLARE && !isD1(url.href))
    return { why: `The address of a D1 database has this form: ${D1_FORM}` };
  return { address: `${url.protocol}//${url.host}${trimmedEnd(url.pathname, '/')}` };
}

function withScheme(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  const [host = ''] = text.split(/[/:]/, 1);
  return `${LOOPBACK.test(host) ? 'http' : 'https'}://${text}`;
}

const CLOUDFLARE = 'api.cloudflare.com';
const D1_FORM = `${CLOUDFLARE}/client/v4/accounts/ACCOUNT/d1/database/ID`;
/** Limits that users have to know, wherever they may look for them. */
export const D1_LIMITS =
  'It has no transactions across requests, so imports, publishing, and changes in the table designer do not work, and it does not report changes that others make.';
const OF_D1 = /\/accounts\/[^/]+\/d1\/database\/([^/]+)\/?$/;

/** True for the address of a Cloudflare D1 database, which is spoken to in another way. */
export const isD1 = (address: string): boolean => OF_D1.test(address);

/** Shown instead of a name that was left empty: the first part of the host, or of the id of a D1 database. */
export function nameOfAddress(address: string): string {
  const [, d1] = OF_D1.exec(address) ?? [];
  if (d1 !== undefined) return `D1 ${d1.slice(0, 8)}`;
  const { hostname, host } = new URL(address);
  return LOOPBACK.test(hostname) ? host : (hostname.split('.')[0] ?? hostname);
}
