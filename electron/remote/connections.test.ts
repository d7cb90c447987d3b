import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RemoteDraft } from '#shared/protocol/remote.ts';
import { Connections, readDraft } from './connections.ts';
import type { KeyStore } from './key-store.ts';

const TOKEN = 'eyJhbGciOi.secret-token.x';

const keys = (isAvailable: boolean): KeyStore => ({
  isAvailable,
  encrypt: (text) => (isAvailable ? Buffer.from(`sealed ${[...text].reverse().join('')}`).toString('base64') : null),
  decrypt: (text) =>
    isAvailable ? [...Buffer.from(text, 'base64').toString().slice('sealed '.length)].reverse().join('') : null,
});

const draft = (part: Partial<RemoteDraft> = {}): RemoteDraft => ({
  database: null,
  name: '',
  address: 'libsql://shop.example.com',
  color: 'red',
  readOnly: false,
  production: true,
  token: TOKEN,
  ...part,
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-connections-'));
  path = join(folder, 'connections.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function save(connections: Connections, part?: Partial<RemoteDraft>) {
  const saved = connections.save(draft(part));
  if (typeof saved === 'string') throw new Error(saved);
  return saved;
}

it('a token is stored encrypted, reaches the process, and no list', () => {
  const { database } = save(new Connections(path, keys(true)));
  const again = new Connections(path, keys(true));
  expect(readFileSync(path, 'utf8')).not.toContain(TOKEN);
  expect(JSON.stringify(again.list)).not.toContain(TOKEN);
  expect(again.list).toMatchObject({
    keepsTokens: true,
    connections: [{ database, name: 'shop', address: 'https://shop.example.com', color: 'red', token: 'known' }],
  });
  expect(again.reach(database)).toMatchObject({ url: 'https://shop.example.com', token: TOKEN, production: true });
});

it('a stored token is for the server that it was entered for, whatever the file says later', () => {
  const { database } = save(new Connections(path, keys(true)));
  const stored = readFileSync(path, 'utf8');
  writeFileSync(path, stored.replace('https://shop.example.com', 'https://other.example.com'));
  const moved = new Connections(path, keys(true));
  expect(moved.list.connections).toMatchObject([{ address: 'https://other.example.com', token: 'forgotten' }]);
  expect(moved.reach(database)?.token).toBeNull();
  // Saved with that address and no other token, it stays unknown there, and at its own server.
  expect(moved.save(draft({ database, address: 'https://shop.example.com', token: null }))).toMatch(/another server/);
  writeFileSync(path, stored.replace('https://shop.example.com', 'https://shop.example.com/other/path'));
  expect(new Connections(path, keys(true)).reach(database)?.token).toBe(TOKEN);
});

it('a token that was sealed without its server reaches none', () => {
  const { database } = save(new Connections(path, keys(true)));
  const stored = readFileSync(path, 'utf8');
  const [{ token }] = JSON.parse(stored) as [{ token: string }];
  writeFileSync(path, stored.replace(token, keys(true).encrypt(TOKEN)!));
  const connections = new Connections(path, keys(true));
  expect(connections.find(database)?.token).toBe('forgotten');
  expect(connections.reach(database)?.token).toBeNull();
});

it('without a key store the token lives as long as the app, and its loss is known', () => {
  const first = new Connections(path, keys(false));
  const { database, token } = save(first);
  expect(token).toBe('session');
  expect(first.reach(database)?.token).toBe(TOKEN);
  expect(readFileSync(path, 'utf8')).not.toContain('secret');
  const next = new Connections(path, keys(false));
  expect(next.reach(database)?.token).toBeNull();
  expect(next.find(database)?.token).toBe('forgotten');
});

it('a token that the key store fails to encrypt is kept for the session, says so, and is stored when it is saved again', () => {
  let fails = true;
  const failing: KeyStore = {
    ...keys(true),
    encrypt: (text) => (fails ? null : keys(true).encrypt(text)),
  };
  const connections = new Connections(path, failing);
  const { database, token } = save(connections);
  expect(token).toBe('session');
  expect(connections.list).toMatchObject({ keepsTokens: true, connections: [{ token: 'session' }] });
  expect(connections.reach(database)?.token).toBe(TOKEN);
  expect(readFileSync(path, 'utf8')).not.toContain('secret');
  fails = false;
  expect(save(connections, { database, token: null }).token).toBe('known');
  expect(new Connections(path, keys(true)).reach(database)?.token).toBe(TOKEN);
});

it('a token that cannot be decrypted today stays when its connection is changed, and never goes to another server', () => {
  const { database } = save(new Connections(path, keys(true)));
  const locked = new Connections(path, keys(false));
  expect(save(locked, { database, name: 'Store', token: null }).token).toBe('forgotten');
  const moved = draft({ database, address: 'https://evil.example.com', token: null });
  expect(locked.save(moved)).toMatch(/another server/);
  expect(new Connections(path, keys(true)).reach(database)).toMatchObject({ name: 'Store', token: TOKEN });
});

it('a token that was encrypted stays so when the key store goes away while the app runs', () => {
  let isAvailable = true;
  const leaving: KeyStore = {
    get isAvailable() {
      return isAvailable;
    },
    encrypt: (text) => keys(isAvailable).encrypt(text),
    decrypt: (text) => keys(isAvailable).decrypt(text),
  };
  const connections = new Connections(path, leaving);
  const { database } = save(connections);
  isAvailable = false;
  expect(save(connections, { database, name: 'Store', token: null }).token).toBe('known');
  expect(new Connections(path, keys(true)).reach(database)).toMatchObject({ name: 'Store', token: TOKEN });
});

it('a token that was left as it is stays, can be removed, and never goes to another server', () => {
  const connections = new Connections(path, keys(true));
  const { database } = save(connections);
  save(connections, { database, name: 'Store', token: null });
  expect(connections.reach(database)).toMatchObject({ name: 'Store', token: TOKEN });
  const moved = draft({ database, address: 'https://evil.example.com', token: null });
  expect(connections.save(moved)).toMatch(/another server/);
  expect(connections.reachDraft(moved)).toMatchObject({ why: expect.stringMatching(/another server/) as string });
  expect(connections.reach(database)?.url).toBe('https://shop.example.com');
  save(connections, { database, token: '' });
  expect(connections.reach(database)?.token).toBeNull();
  expect(connections.find(database)?.token).toBe('none');
});

it('rejects what is no address or no token, and connections that are gone', () => {
  const connections = new Connections(path, keys(true));
  expect(connections.save(draft({ address: 'http://shop.example.com' }))).toMatch(/only to this computer/);
  expect(connections.save(draft({ token: 'two\r\nlines' }))).toMatch(/ASCII/);
  const { database } = save(connections);
  connections.remove(database);
  expect(connections.save(draft({ database }))).toMatch(/no longer exists/);
  expect(connections.list.connections).toEqual([]);
});

it('what a page sends in another form is rejected without repeating it', () => {
  const secret = { ...draft(), token: { toString: TOKEN } };
  expect(() => readDraft(secret)).toThrow(/^A connection was sent in a form that cannot be read\.$/);
  expect(() => readDraft({ ...draft(), color: TOKEN })).toThrow(/^A connection was sent/);
  expect(() => readDraft({ ...draft(), database: '../../x' })).toThrow(/^A connection was sent/);
});

it('a damaged file costs only the connections that are damaged', () => {
  const { database } = save(new Connections(path, keys(true)));
  const stored = JSON.parse(readFileSync(path, 'utf8')) as object[];
  writeFileSync(
    path,
    JSON.stringify([...stored, { database: 'x' }, 7, { ...stored[0], address: 'http://shop.example.com' }]),
  );
  const { connections } = new Connections(path, keys(true)).list;
  expect(connections.map((each) => each.database)).toEqual([database]);
  writeFileSync(path, '{"half');
  expect(new Connections(path, keys(true)).list.connections).toEqual([]);
});

it('the state after the last write reaches the next process, and neither a list nor another server', () => {
  const first = new Connections(path, keys(true));
  const { database } = save(first);
  expect(first.reach(database)?.notOlderThan).toBeNull();
  first.noteWritten(database, '42');
  first.noteWritten(database, '","x":"');
  const again = new Connections(path, keys(true));
  expect(again.reach(database)?.notOlderThan).toBe('42');
  expect(again.list.connections[0]).not.toHaveProperty('written');
  save(again, { database, token: null, name: 'Other name' });
  expect(again.reach(database)?.notOlderThan).toBe('42');
  save(again, { database, address: 'libsql://other.example.com' });
  expect(again.reach(database)?.notOlderThan).toBeNull();
  // Written by a version that did not keep it, or edited by hand.
  for (const written of [undefined, 'soon']) {
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(/,\s*"written": *\w+/, written ? `,"written":"${written}"` : ''),
    );
    expect(new Connections(path, keys(true)).reach(database)).toMatchObject({ database, notOlderThan: null });
  }
});
