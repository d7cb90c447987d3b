import { expect, it } from 'vitest';
import type { RemoteConnection } from '#shared/protocol/index.ts';
import {
  draftOf,
  factsText,
  problemOf,
  savingNote,
  serverNote,
  suggestedName,
  tokenNote,
  toSend,
} from './connection-draft.ts';

const connection = (token: RemoteConnection['token']): RemoteConnection => ({
  database: `remote-${'0'.repeat(32)}`,
  name: 'Shop',
  address: 'https://shop.example.com',
  color: 'red',
  readOnly: false,
  production: false,
  token,
  lastUsedAtMs: 0,
});

it('says where the token is kept, in every state it can be in', () => {
  expect(tokenNote('new', true)).toMatch(/^Stored encrypted/);
  expect(tokenNote('new', false)).toMatch(/no key store .* only until Sidelite ends/);
  expect(tokenNote(connection('none'), true)).toBe(tokenNote('new', true));
  expect(tokenNote(connection('known'), true)).toBe('A token is stored. Leave the field empty to keep it.');
  expect(tokenNote(connection('session'), true)).toMatch(/key store .* reported an error.*only until Sidelite ends/);
  expect(tokenNote(connection('session'), false)).toMatch(/in use.*no key store/);
  expect(tokenNote(connection('forgotten'), true)).toMatch(/Enter it again/);
  expect(tokenNote(connection('forgotten'), false)).toMatch(/only until Sidelite ended/);
});

it('says after saving that the key store failed, and only then', () => {
  expect(savingNote(connection('session'), true)).toBe(
    'The key store of the operating system reported an error, so the token of “Shop” is kept only until Sidelite ends.',
  );
  expect(savingNote(connection('session'), false)).toBeNull();
  expect(savingNote(connection('known'), true)).toBeNull();
  expect(savingNote(connection('none'), true)).toBeNull();
});

it('an empty token field keeps the token of a connection, and is no token for a new one', () => {
  const edited = connection('known');
  expect(draftOf(edited).token).toBe('');
  expect(toSend(draftOf(edited), edited).token).toBeNull();
  expect(toSend({ ...draftOf(edited), dropsToken: true }, edited).token).toBe('');
  expect(toSend({ ...draftOf(edited), token: ' abc ' }, edited).token).toBe('abc');
  expect(toSend({ ...draftOf('new'), address: 'x' }, 'new')).toMatchObject({ database: null, token: '' });
});

it('finds nothing wrong with an address that was not typed yet', () => {
  expect(problemOf(draftOf('new'))).toBeNull();
  expect(problemOf({ ...draftOf('new'), address: 'http://shop.example.com' })).toMatch(/only to this computer/);
  expect(suggestedName({ ...draftOf('new'), address: 'libsql://shop-acme.turso.io' })).toBe('shop-acme');
});

it('says that D1 is experimental once its address is typed, and shows its facts without a version', () => {
  expect(serverNote(draftOf('new'))).toMatch(/libSQL server .* experimentally, Cloudflare D1/);
  const d1 = { ...draftOf('new'), address: 'https://api.cloudflare.com/client/v4/accounts/a/d1/database/b' };
  expect(problemOf({ ...draftOf('new'), address: 'api.cloudflare.com' })).toMatch(/has this form: api.*database\/ID/);
  expect(serverNote(d1)).toMatch(/^Cloudflare D1 is experimental: .*no transactions/);
  expect(factsText({ sqliteVersion: '', tables: 2, whyReadOnly: null })).toBe('Connected: 2 tables.');
  expect(factsText({ sqliteVersion: '3.45.1', tables: 1, whyReadOnly: null })).toBe(
    'Connected: SQLite 3.45.1, 1 table.',
  );
});
