// The connections to servers, in a JSON file of the profile, and their tokens, encrypted with a key of the operating system or in memory only.
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { RemoteTarget } from '#shared/native-link.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { CONNECTION_COLORS, nameOfAddress, readAddress, REMOTE_ID, remoteId } from '#shared/protocol/remote.ts';
import type { RemoteConnection, RemoteDraft, RemoteList } from '#shared/protocol/remote.ts';
import { each, flag, oneOf, size, textOrNull } from '#shared/stored.ts';
import { readJson, writeJson } from '../json-file.ts';
import type { KeyStore } from './key-store.ts';

const MAX_CONNECTIONS = 200;
const MAX_NAME = 200;
const MAX_TOKEN = 64 * 1024;
/** No token contains it. */
const BETWEEN = '\n';
const originOf = (address: string): string => new URL(address).origin;
const REPLICATION_INDEX = /^\d{1,20}$/;

const ADDRESS = v.pipe(
  v.string(),
  v.maxLength(2000),
  v.check((address) => {
    const read = readAddress(address);
    return 'address' in read && read.address === address;
  }),
);
const COLOR = oneOf(CONNECTION_COLORS, 'gray');
const STORED = v.object({
  database: v.pipe(v.string(), v.regex(REMOTE_ID)),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_NAME)),
  address: ADDRESS,
  color: COLOR,
  readOnly: flag(true),
  production: flag(true),
  lastUsedAtMs: size(0),
  /** Encrypted together with the origin it is for, Base64; empty if it could not be encrypted. */
  token: textOrNull,
  /** The state of the server after the last write (`replication_index`), which a replica may not have yet. */
  written: v.fallback(v.nullable(v.pipe(v.string(), v.regex(REPLICATION_INDEX))), null),
});
type Stored = v.InferOutput<typeof STORED>;

/** A draft sent by a page, which is not trusted. */
const DRAFT = v.object({
  database: v.nullable(v.pipe(v.string(), v.regex(REMOTE_ID))),
  name: v.pipe(v.string(), v.maxLength(MAX_NAME)),
  address: v.pipe(v.string(), v.maxLength(2000)),
  color: v.picklist(CONNECTION_COLORS),
  readOnly: v.boolean(),
  production: v.boolean(),
  token: v.nullable(v.pipe(v.string(), v.maxLength(MAX_TOKEN))),
});

/** @throws Error without a word of what was entered: errors are logged, and tokens are not */
export function readDraft(argument: unknown): RemoteDraft {
  const read = v.safeParse(DRAFT, argument);
  if (!read.success) throw new Error('A connection was sent in a form that cannot be read.');
  return read.output;
}

type Reached = Omit<RemoteTarget, 'slot'>;

export class Connections {
  readonly #path: string;
  readonly #keys: KeyStore;
  /** Tokens of this run, by database. */
  readonly #tokens = new Map<DatabaseId, string>();
  #all: readonly Stored[];

  constructor(path: string, keys: KeyStore) {
    this.#path = path;
    this.#keys = keys;
    this.#all = v.parse(each(STORED), readJson(path)).slice(0, MAX_CONNECTIONS);
  }

  get list(): RemoteList {
    return { connections: this.#all.map((stored) => this.#shown(stored)), keepsTokens: this.#keys.isAvailable };
  }

  find(database: DatabaseId): RemoteConnection | null {
    const stored = this.#stored(database);
    return stored ? this.#shown(stored) : null;
  }

  /** Returns the connection, or a sentence about the mistake in the draft. */
  save(draft: RemoteDraft): RemoteConnection | string {
    const known = draft.database === null ? null : this.#stored(draft.database);
    if (draft.database !== null && !known) return 'This connection no longer exists. Save it as a new one.';
    if (!known && this.#all.length >= MAX_CONNECTIONS)
      return `There are already ${MAX_CONNECTIONS} connections. Remove one first.`;
    const read = this.#targetOf(draft);
    if ('why' in read) return read.why;
    const { database, name, url: address, token } = read.target;
    const { color, readOnly, production } = draft;
    if (token === null) this.#tokens.delete(database);
    else this.#tokens.set(database, token);
    const sealed = token === null ? null : this.#seal(token, address);
    // A token that was left as it is stays sealed if there is no key today: the key may be there again tomorrow.
    const isSameServer = known !== null && originOf(known.address) === originOf(address);
    const kept = draft.token === null && isSameServer ? known.token : null;
    const stored: Stored = {
      ...{ database, name, address, color, readOnly, production },
      lastUsedAtMs: known?.lastUsedAtMs ?? Date.now(),
      token: sealed ?? kept ?? (token === null ? null : ''),
      // The index of another server would mean nothing.
      written: known?.address === address ? known.written : null,
    };
    this.#all = known ? this.#all.map((each) => (each === known ? stored : each)) : [...this.#all, stored];
    this.#write();
    return this.#shown(stored);
  }

  remove(database: DatabaseId): void {
    this.#all = this.#all.filter((each) => each.database !== database);
    this.#tokens.delete(database);
    this.#write();
  }

  noteUse(database: DatabaseId): void {
    this.#all = this.#all.map((each) => (each.database === database ? { ...each, lastUsedAtMs: Date.now() } : each));
    this.#write();
  }

  /** @param index of the server, which may be any text */
  noteWritten(database: DatabaseId, index: string): void {
    if (!REPLICATION_INDEX.test(index)) return;
    this.#all = this.#all.map((each) => (each.database === database ? { ...each, written: index } : each));
    this.#write();
  }

  /** Returns the connection with its token; null if there is no such connection. */
  reach(database: DatabaseId): Reached | null {
    const stored = this.#stored(database);
    if (!stored) return null;
    const { name, address: url, readOnly, production, written: notOlderThan } = stored;
    return { database, name, url, readOnly, production, notOlderThan, token: this.#tokenOf(stored) };
  }

  /** The draft as entered, to be tried out. A token that was left as it is goes only to the server that it was stored for. */
  reachDraft(draft: RemoteDraft): { readonly target: Reached } | { readonly why: string } {
    return this.#targetOf(draft);
  }

  #targetOf(draft: RemoteDraft): { readonly target: Reached } | { readonly why: string } {
    const read = readAddress(draft.address);
    if ('why' in read) return read;
    const url = read.address;
    const known = draft.database === null ? null : this.#stored(draft.database);
    const isSameServer = known !== null && originOf(known.address) === originOf(url);
    const kept = isSameServer ? this.#tokenOf(known) : null;
    if (draft.token === null && known && !isSameServer && known.token !== null)
      return { why: 'The address belongs to another server. Enter the token for that server.' };
    const token = draft.token === null ? kept : draft.token.trim();
    if (token !== null && !/^[\x21-\x7e]*$/.test(token))
      return { why: 'A token can contain only printable ASCII characters. Copy it again.' };
    return {
      target: {
        database: draft.database ?? remoteId(randomBytes(16).toString('hex')),
        name: draft.name.trim() || nameOfAddress(url),
        url,
        readOnly: draft.readOnly,
        production: draft.production,
        token: token === '' ? null : token,
      },
    };
  }

  #stored(database: DatabaseId): Stored | null {
    return this.#all.find((each) => each.database === database) ?? null;
  }

  #tokenOf({ database, address, token }: Stored): string | null {
    const session = this.#tokens.get(database);
    if (session !== undefined) return session;
    const [origin, own] = (token ? this.#keys.decrypt(token) : null)?.split(BETWEEN) ?? [];
    // Another program may have changed the address in the file: the token is for the server that it was entered for.
    return own !== undefined && origin === originOf(address) ? own : null;
  }

  #seal(token: string, address: string): string | null {
    return this.#keys.encrypt(`${originOf(address)}${BETWEEN}${token}`);
  }

  #shown(stored: Stored): RemoteConnection {
    const { token, written: _written, ...shown } = stored;
    const isKnown = this.#tokenOf(stored) !== null;
    if (isKnown) return { ...shown, token: token ? 'known' : 'session' };
    return { ...shown, token: token === null ? 'none' : 'forgotten' };
  }

  #write(): void {
    writeJson(this.#path, this.#all);
  }
}
