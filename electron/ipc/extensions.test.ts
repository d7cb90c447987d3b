// What main answers to a window about the extensions of a file, also while another window opens that file.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ExtensionsReply } from '#shared/extensions.ts';
import type { NativeFile } from '#shared/native-link.ts';
import { encryptedId, inPlaceId } from '#shared/protocol/index.ts';
import { FilesInPlace } from '../files/files-in-place.ts';
import { Extensions } from '../native/extensions.ts';
import type { AppWindow } from '../windows/registry.ts';

const fake = vi.hoisted(() => ({ chosen: '', response: 0, asked: [] as string[], meanwhile: () => undefined as void }));
vi.mock('electron', () => ({
  app: { getPath: () => '/home/none' },
  dialog: {
    showOpenDialog: async () => ({ canceled: false, filePaths: [fake.chosen] }),
    async showMessageBox(_window: unknown, { message }: { readonly message: string }) {
      fake.asked.push(message);
      fake.meanwhile();
      return { response: fake.response };
    },
  },
}));
const { serveExtensions } = await import('./extensions.ts');

const [ONE, TWO] = ['w1', 'w2'].map((windowId) => ({ windowId }) as AppWindow) as [AppWindow, AppWindow];
const FILE = { database: inPlaceId('a1'), locationId: 'a1', fileName: 'shop.db', path: '/a' } as NativeFile;

let folder: string;
let inPlace: FilesInPlace;
let extensions: Extensions;
const answers = new Map<string, (window: AppWindow, argument: unknown) => Promise<ExtensionsReply>>();
const ask = (channel: string, argument: unknown, window = ONE): Promise<ExtensionsReply> =>
  answers.get(`extension.${channel}`)!(window, argument);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-ipc-'));
  Object.assign(fake, { chosen: join(folder, 'vec0.so'), response: 0, asked: [], meanwhile: () => undefined });
  writeFileSync(fake.chosen, 'first');
  inPlace = new FilesInPlace({} as never);
  inPlace.open('w1', FILE);
  extensions = new Extensions(join(folder, 'extensions.json'));
  const ipc = { answer: (channel: string, answer: never) => void answers.set(channel, answer) };
  serveExtensions(ipc as never, extensions, inPlace, { get: () => undefined, set: () => undefined } as never);
});
afterEach(() => rmSync(folder, { recursive: true }));

test('what is chosen and approved is in the list, of an encrypted file too', async () => {
  inPlace.open('w1', { ...FILE, database: encryptedId('b2'), locationId: 'b2' });
  for (const locationId of ['a1', 'b2']) {
    expect(await ask('add', locationId)).toEqual({ changed: true });
    expect(extensions.of(locationId)).toMatchObject([{ fileName: 'vec0.so', why: null }]);
  }
  expect(fake.asked).toEqual(['Load “vec0.so” into “shop.db”?']);
});

test('a window that opens the file while main asks keeps it as it is, which is said', async () => {
  fake.meanwhile = () => void inPlace.open('w2', FILE);
  expect(await ask('add', 'a1')).toEqual({
    why: expect.stringContaining('opened in another window meanwhile') as string,
  });
  expect(extensions.of('a1')).toHaveLength(1);
  const elsewhere = { why: expect.stringContaining('open in another window too') as string };
  for (const channel of ['add', 'retry']) expect(await ask(channel, 'a1', TWO)).toEqual(elsewhere);
  fake.response = 1;
  inPlace.forget('w2', 'a1');
  fake.chosen = join(folder, 'other.so');
  writeFileSync(fake.chosen, 'other');
  // Nothing is said of a change that was not made.
  expect(await ask('add', 'a1')).toEqual({ changed: false });
});

test('a page that trusts a schema needs the answer of the user, and the file open', async () => {
  await ask('add', 'a1');
  fake.asked.length = 0;
  fake.response = 1;
  expect(await ask('trustSchema', { locationId: 'a1', trusts: true })).toEqual({ changed: false });
  expect(fake.asked).toEqual(['Let “shop.db” use all functions of its extensions?']);
  for (const trusts of ['yes', 1, undefined, false])
    expect(await ask('trustSchema', { locationId: 'a1', trusts })).toEqual({ changed: false });
  expect(fake.asked).toHaveLength(1);
  fake.response = 0;
  const notOpen = { why: expect.stringContaining('not open in this window') as string };
  expect(await ask('trustSchema', { locationId: 'a1', trusts: true }, TWO)).toEqual(notOpen);
  expect(extensions.trustsSchema('a1')).toBe(false);
  expect(await ask('trustSchema', { locationId: 'a1', trusts: true })).toEqual({ changed: true });
  expect(extensions.trustsSchema('a1')).toBe(true);
});
