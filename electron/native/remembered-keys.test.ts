import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CipherKey } from '#shared/cipher-key.ts';
import type { KeyStore } from '../remote/key-store.ts';
import { RememberedKeys } from './remembered-keys.ts';

vi.mock('electron', () => ({}));

const SECRET = 'correct horse 4711';
const KEY: CipherKey = {
  ...{
    secret: Buffer.from(SECRET),
    cipher: 'sqlcipher3',
    pageBytes: 2048,
    kdfIterations: null,
    plainHeaderBytes: null,
  },
};
const FILE = { locationId: 'a1', salt: '00ff' };

let folder: string;
let path: string;
let store: KeyStore & { isAvailable: boolean };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-keys-'));
  path = join(folder, 'keys.json');
  const turned = (text: string): string => [...text].reverse().join('');
  store = {
    isAvailable: true,
    encrypt: (text) => (store.isAvailable ? Buffer.from(turned(text)).toString('base64') : null),
    decrypt: (text) => (store.isAvailable ? turned(Buffer.from(text, 'base64').toString()) : null),
  };
});
afterEach(() => rmSync(folder, { recursive: true }));

const again = (): RememberedKeys => new RememberedKeys(path, store);

test('a key is there after a restart, sealed, in a file that only its owner can read', () => {
  expect(again().keep(FILE, KEY)).toBe(true);
  expect(again().find(FILE)).toEqual(KEY);
  expect(readFileSync(path, 'utf8')).not.toContain(SECRET);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o077).toBe(0);
});

test('it is for the file that it was remembered for, and not for another one, at the same place or under its name', () => {
  again().keep(FILE, KEY);
  expect(again().find({ ...FILE, salt: '00fe' })).toBeNull();
  // Another program has moved it to another file.
  const [sealed] = Object.values(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>);
  writeFileSync(path, JSON.stringify({ b2: sealed }));
  expect(again().find({ locationId: 'b2', salt: FILE.salt })).toBeNull();
});

test('without a key store nothing is kept, and what was kept is there again with it', () => {
  again().keep(FILE, KEY);
  store.isAvailable = false;
  expect(again().find(FILE)).toBeNull();
  expect(again().keep({ ...FILE, locationId: 'b2' }, KEY)).toBe(false);
  store.isAvailable = true;
  expect(again().find(FILE)).toEqual(KEY);
  expect(again().find({ ...FILE, locationId: 'b2' })).toBeNull();
});

test('it is forgotten when asked', () => {
  again().keep(FILE, KEY);
  expect(again().forget('a1')).toBe(true);
  expect(again().forget('a1')).toBe(false);
  expect(again().find(FILE)).toBeNull();
});

test.each(['', '[]', '{"a1": 1}', '{"a1": "bm90IGpzb24="}', '{"a1": "e30="}'])(
  'a file of keys with %s in it has none',
  (text) => {
    writeFileSync(path, text);
    expect(again().find(FILE)).toBeNull();
  },
);
