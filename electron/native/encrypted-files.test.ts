// How long main keeps the key of an encrypted file, and the process that has it.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CipherKey } from '#shared/cipher-key.ts';
import type { ChangedKey, KeyOrder, NativeFile } from '#shared/native-link.ts';
import { encryptedId, inPlaceId } from '#shared/protocol/in-place.ts';
import { FilesInPlace } from '../files/files-in-place.ts';
import type { AppWindow } from '../windows/registry.ts';
import type { KeyStore } from '../remote/key-store.ts';
import { EncryptedFiles, mayBeEncrypted } from './encrypted-files.ts';
import { RememberedKeys } from './remembered-keys.ts';
import type { GivenKey } from './typed-key.ts';

interface Parts {
  readonly own: () => { readonly key: CipherKey | null };
  readonly opened: (isOpen: boolean) => void;
}

const fake = vi.hoisted(() => ({
  parts: null as unknown,
  log: [] as string[],
  why: null as string | null,
  /** A key is tried until someone stops that. */
  takesLong: false,
}));
vi.mock('./file-process.ts', () => ({
  FileProcess: class {
    #stopped: (why: string) => void = () => undefined;
    constructor(parts: Parts & { readonly inPlace: FilesInPlace }) {
      fake.parts = parts;
    }
    get #parts(): Parts & { readonly inPlace: FilesInPlace } {
      return fake.parts as never;
    }
    async tryKey(): Promise<string | null> {
      fake.log.push(`tried ${Buffer.from(this.#parts.own().key!.secret).toString()}`);
      return fake.takesLong ? new Promise((resolve) => (this.#stopped = resolve)) : fake.why;
    }
    stopTrying(): void {
      this.#stopped('Stopped.');
    }
    async changeKey({ from, to }: KeyOrder): Promise<ChangedKey> {
      const [before, after] = [from, to].map((key) => (key === null ? 'none' : Buffer.from(key.secret).toString()));
      fake.log.push(`changed ${before} to ${after}`);
      return fake.why === null ? { left: null } : { why: fake.why };
    }
    serve(): null {
      return null;
    }
    async tellOf({ windowId }: AppWindow, file: NativeFile): Promise<boolean> {
      this.#parts.inPlace.open(windowId, file);
      fake.log.push(`told for ${windowId}`);
      return true;
    }
    async stop(): Promise<void> {
      fake.log.push('stopped');
    }
  },
}));

const DATABASE = encryptedId('a1');
const LOCKED = {
  locked: { fileName: 's.db', displayPath: expect.any(String) as string, why: null, canRemember: true },
};
const windowOf = (windowId: string): AppWindow => ({ windowId }) as AppWindow;
const typed = (secret: string, remember = false): GivenKey => ({
  key: {
    ...{ secret: Buffer.from(secret), cipher: null, pageBytes: null, kdfIterations: null, plainHeaderBytes: null },
  },
  remember,
});
const store: KeyStore = {
  isAvailable: true,
  encrypt: (text) => Buffer.from(text).toString('base64'),
  decrypt: (text) => Buffer.from(text, 'base64').toString(),
};

let folder: string;
let FILE: NativeFile;
let inPlace: FilesInPlace;
let files: EncryptedFiles;
const start = (): void => {
  inPlace = new FilesInPlace({} as never);
  files = new EncryptedFiles({ inPlace } as never, new RememberedKeys(join(folder, 'keys.json'), store), () => 0);
};
beforeEach(() => {
  Object.assign(fake, { log: [], why: null, takesLong: false });
  folder = mkdtempSync(join(tmpdir(), 'sidelite-encrypted-'));
  const path = join(folder, 's.db');
  writeFileSync(path, randomBytes(4096));
  FILE = { database: DATABASE, fileName: 's.db', displayPath: path, locationId: 'a1', path };
  start();
});
afterEach(() => rmSync(folder, { recursive: true }));

const opened = (isOpen: boolean): void => (fake.parts as Parts).opened(isOpen);
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('without a key the window is asked for one; a wrong one is forgotten, and the next one is tried', async () => {
  expect(await files.open(windowOf('1'), FILE, null)).toEqual(LOCKED);
  expect(fake.log).toEqual([]);
  fake.why = 'The key does not open it.';
  expect(await files.open(windowOf('1'), FILE, typed('wrong'))).toEqual({
    locked: { ...LOCKED.locked, why: fake.why },
  });
  expect((fake.parts as Parts).own().key).toBeNull();
  fake.why = null;
  expect(await files.open(windowOf('1'), FILE, typed('right'))).toBeNull();
  expect(fake.log).toEqual(['tried wrong', 'stopped', 'tried right', 'told for 1']);
});

test('a window that does not wait for its key stops that, and no other one', async () => {
  const [first, second] = [windowOf('1'), windowOf('2')];
  fake.takesLong = true;
  const opening = files.open(first, FILE, typed('slow'));
  await settled();
  files.stopTrying(second);
  fake.takesLong = false;
  const other = files.open(second, FILE, typed('right'));
  await settled();
  expect(fake.log).toEqual(['tried slow']);
  files.stopTrying(first);
  expect(await opening).toMatchObject({ locked: { why: 'Stopped.' } });
  expect(await other).toBeNull();
  files.stopTrying(second);
  expect(fake.log).toEqual(['tried slow', 'stopped', 'tried right', 'told for 2']);
});

test('the key is kept while any window has the file open, and forgotten once it is closed in all', async () => {
  await files.open(windowOf('1'), FILE, typed('right'));
  opened(true);
  expect(await files.open(windowOf('2'), FILE, null)).toBeNull();
  inPlace.forgetWindow('1');
  files.endUnused();
  await settled();
  expect(fake.log).not.toContain('stopped');
  // The process says so once it has closed the file; the window tells main earlier.
  inPlace.forget('2', 'a1');
  files.endUnused();
  await settled();
  expect(fake.log).not.toContain('stopped');
  opened(false);
  await settled();
  expect(fake.log.at(-1)).toBe('stopped');
  expect((fake.parts as Parts).own().key).toBeNull();
  expect(await files.open(windowOf('2'), FILE, null)).toEqual(LOCKED);
});

test('a file that rests keeps its key', async () => {
  await files.open(windowOf('1'), FILE, typed('right'));
  opened(true);
  opened(false);
  await settled();
  expect((fake.parts as Parts).own().key).not.toBeNull();
});

test('a remembered key opens the file after a restart; another file at its place, or one that has another key, is asked about', async () => {
  expect(await files.open(windowOf('1'), FILE, typed('right', true))).toBeNull();
  start();
  expect(await files.open(windowOf('1'), FILE, null)).toBeNull();
  expect(fake.log.slice(2)).toEqual(['tried right', 'told for 1']);

  start();
  fake.why = 'The key does not open it.';
  expect(await files.open(windowOf('1'), FILE, null)).toEqual({
    locked: { ...LOCKED.locked, why: 'The remembered key was tried. The key does not open it.' },
  });
  fake.why = null;
  writeFileSync(FILE.path, randomBytes(4096));
  expect(await files.open(windowOf('1'), FILE, null)).toEqual(LOCKED);
});

test('a key that is typed without asking to remember it is not remembered, nor is the one before any longer', async () => {
  await files.open(windowOf('1'), FILE, typed('right', true));
  start();
  fake.why = 'The key does not open it.';
  await files.open(windowOf('1'), FILE, null);
  fake.why = null;
  expect(await files.open(windowOf('1'), FILE, typed('new'))).toBeNull();
  start();
  expect(await files.open(windowOf('1'), FILE, null)).toEqual(LOCKED);
});

test('a key is changed when the process has closed the file, and then neither the old nor the remembered one is known', async () => {
  await files.open(windowOf('1'), FILE, typed('old', true));
  fake.why = 'It was not changed.';
  expect(await files.changeKey(FILE, typed('new').key)).toEqual({ why: fake.why });
  fake.why = null;
  // It opens as before.
  expect(await files.open(windowOf('1'), FILE, null)).toBeNull();
  fake.log.length = 0;
  expect(await files.changeKey(FILE, typed('new').key)).toEqual({ left: null });
  expect(fake.log).toEqual(['stopped', 'changed old to new', 'stopped']);
  expect(await files.open(windowOf('1'), FILE, null)).toEqual(LOCKED);
});

test('a plain file gets a key; an encrypted one that no window has opened does not', async () => {
  const plain = { ...FILE, database: inPlaceId('a1') };
  expect(await files.changeKey(plain, typed('new').key)).toEqual({ left: null });
  expect(fake.log).toEqual(['changed none to new', 'stopped']);
  expect(await files.changeKey(FILE, null)).toMatchObject({ why: expect.stringContaining('no longer open') as string });
});

test('a file may be encrypted whose bytes look random, but not one of another format, or that is none', () => {
  const made = (name: string, bytes: Uint8Array | string): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
  const header = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(84)]);
  const random = randomBytes(4096);
  random[0] = 0x0a;
  expect(mayBeEncrypted(made('random.db', random))).toBe(true);
  expect(mayBeEncrypted(made('plain-header.db', Buffer.concat([header, random])))).toBe(true);
  // By chance the encrypted byte is the type that a plain page would have.
  const mixed = Buffer.concat([header.subarray(0, 32), random]);
  mixed[100] = 0x0d;
  expect(mayBeEncrypted(made('leaf-by-chance.db', mixed))).toBe(true);
  expect(mayBeEncrypted(made('leaf.db', Buffer.concat([header, Buffer.of(0x0d), random])))).toBe(false);
  expect(mayBeEncrypted(made('zip.db', Buffer.concat([Buffer.from('PK\x03\x04'), random])))).toBe(false);
  expect(mayBeEncrypted(made('text.db', 'some text'))).toBe(false);
  expect(mayBeEncrypted(made('empty.db', ''))).toBe(false);
  expect(mayBeEncrypted(folder)).toBe(false);
  expect(mayBeEncrypted(join(folder, 'none.db'))).toBe(false);
});
