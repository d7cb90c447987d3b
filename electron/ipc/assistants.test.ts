// Which files assistants can propose changes to, and what a window is told and may decide.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AssistantServer, AssistantSession } from '#shared/assistants.ts';
import type { NativeFile } from '#shared/native-link.ts';
import { inPlaceId } from '#shared/protocol/index.ts';
import { readAddress } from '../assistants/protocol.ts';
import { AppLink } from '../command/mcp/app-link.ts';
import { FilesInPlace } from '../files/files-in-place.ts';
import { locationIdFor } from '../files/file-locations.ts';
import { Lifetime } from '../lifetime.ts';

const fake = vi.hoisted(() => ({ profile: '' }));
vi.mock('electron', () => ({ app: { getPath: () => fake.profile, isPackaged: true }, BrowserWindow: {} }));
vi.mock('../command/launch.ts', () => ({ programWords: () => ['/opt/sidelite', '--no-sandbox'] }));
const { serveAssistants } = await import('./assistants.ts');

const NEVER = new AbortController().signal;
const windows = ['w1', 'w2'].map((windowId) => ({
  windowId,
  browserWindow: { on: () => undefined },
  outbox: { tell: async () => null },
}));
const answers = new Map<string, (window: object, argument: unknown) => unknown>();
const ask = <T>(channel: string, argument?: unknown, window = 0): T =>
  answers.get(`assistant.${channel}`)!(windows[window]!, argument) as T;

let inPlace: FilesInPlace;
let lifetime: Lifetime;
let link: AppLink;
let isOn: boolean;
let change: () => void;

function fileAt(path: string, fields: Partial<NativeFile> = {}): NativeFile {
  const locationId = locationIdFor(path);
  return { database: inPlaceId(locationId), locationId, fileName: 'f.db', displayPath: path, path, ...fields };
}

beforeEach(() => {
  fake.profile = mkdtempSync(join(tmpdir(), 'sidelite-ipc-'));
  inPlace = new FilesInPlace({} as never);
  lifetime = new Lifetime();
  isOn = true;
  const settings = { get: () => isOn, onChange: (listener: () => void) => void (change = listener) };
  const ipc = { answer: (channel: string, answer: never) => void answers.set(channel, answer) };
  serveAssistants(ipc as never, { windows: { all: windows, current: windows[1] } as never, lifetime, settings, inPlace } as never); // prettier-ignore
  link = new AppLink(fake.profile, []);
});
afterEach(async () => {
  await link.close();
  lifetime.end();
  rmSync(fake.profile, { recursive: true });
});

const offer = (path: string) => link.offer({ path, sql: 'DELETE FROM t', reason: '' }, 0, NEVER);

test('changes can be proposed to files that a window has open for changes, without extensions', async () => {
  inPlace.open('w1', fileAt('/a'));
  inPlace.open('w1', fileAt('/read-only', { readOnly: true }));
  inPlace.open('w1', fileAt('/extended', { extensions: [{} as never] }));
  for (const path of ['/other', '/read-only', '/extended']) expect(await offer(path)).toBeNull();
  const { proposal } = (await offer('/a')) as { readonly proposal: string };
  expect(ask('begin')).toMatchObject([{ proposals: [{ id: proposal, database: inPlaceId(locationIdFor('/a')) }] }]);
  expect(ask('begin', undefined, 1)).toMatchObject([{ proposals: [{ id: proposal, database: null }] }]);
  expect(ask('read', proposal, 1)).toBeNull();
  expect(ask('read', proposal)).toMatchObject({ sql: 'DELETE FROM t' });
  for (const state of ['kept', 'withdrawn', 'nonsense', null]) expect(ask('settle', { proposal, state })).toBe(false);
  expect(ask('settle', { proposal, state: 'keeping' })).toBe(true);
  // Another page of the window does not know what the one before has committed.
  ask('begin');
  expect(await link.decision(proposal, 0)).toMatchObject({ decision: 'unknown' });
});

test('the window in front shows the proposal, if it has the file open', async () => {
  inPlace.open('w1', fileAt('/a'));
  inPlace.open('w2', fileAt('/a'));
  const { proposal } = (await offer('/a')) as { readonly proposal: string };
  expect([ask('read', proposal), ask('read', proposal, 1)]).toEqual([null, expect.anything()]);
});

test('the other window shows the proposal once the file is closed in the first, and the assistant hears of the last', async () => {
  inPlace.open('w1', fileAt('/a'));
  inPlace.open('w2', fileAt('/a'));
  const offered = link.offer({ path: '/a', sql: 'DELETE FROM t', reason: '' }, 60_000, NEVER);
  const proposalOf = (window: number) => ask<AssistantSession[]>('begin', undefined, window)[0]?.proposals[0]?.database;
  await expect.poll(() => proposalOf(1)).toBe(inPlaceId(locationIdFor('/a')));
  inPlace.forgetWindow('w2');
  expect([proposalOf(0), proposalOf(1)]).toEqual([inPlaceId(locationIdFor('/a')), null]);
  inPlace.forget('w1', locationIdFor('/a'));
  expect(await offered).toMatchObject({ decision: 'closed', written: false });
});

test('the app listens only while the setting is on', async () => {
  expect(readAddress(fake.profile)).not.toBeNull();
  isOn = false;
  change();
  expect(readAddress(fake.profile)).toBeNull();
  expect(await offer('/a')).toBeNull();
});

test('a client starts the same program with the same profile, and only files of the window are named', () => {
  for (const path of ['/my shop.db', '/größe (1).db']) inPlace.open('w1', fileAt(path));
  const serverOf = (path: string, window = 0) => ask<AssistantServer | null>('serverOf', locationIdFor(path), window);
  const args = ['--no-sandbox', `--user-data-dir=${fake.profile}`, 'mcp'];
  expect(serverOf('/my shop.db')).toEqual({ command: '/opt/sidelite', args: [...args, '/my shop.db'] });
  expect(serverOf('/größe (1).db')?.args.slice(-2)).toEqual(['--name', 'database=/größe (1).db']);
  expect([serverOf('/other'), serverOf('/my shop.db', 1)]).toEqual([null, null]);
});
