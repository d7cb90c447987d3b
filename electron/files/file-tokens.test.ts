import {
  chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs'; // prettier-ignore
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FileOperations } from '#shared/protocol/files.ts';
import { createFileTokens } from './file-tokens.ts';
import type { FileTokens } from './file-tokens.ts';
import { createSourceBackups } from './source-backups.ts';
import { createSourcePlaces } from './source-places.ts';
import { createUnfinishedFiles } from './unfinished-files.ts';

let folder: string;
let profile: string;
let files: FileTokens;

const start = (): FileTokens =>
  createFileTokens(
    createSourcePlaces(join(profile, 'places.json')),
    createUnfinishedFiles(join(profile, 'unfinished.json')),
    createSourceBackups(join(profile, 'backups.json')),
  );

beforeEach(() => {
  [folder, profile] = [
    mkdtempSync(join(tmpdir(), 'sidelite-files-')),
    mkdtempSync(join(tmpdir(), 'sidelite-profile-')),
  ];
  files = start();
});
afterEach(async () => {
  await files.abortSinks();
  for (const path of [folder, profile]) rmSync(path, { recursive: true });
});

function ask<K extends keyof FileOperations>(
  op: K,
  params: FileOperations[K]['params'],
): Promise<FileOperations[K]['reply']> {
  const handler = files.handlers[op] as unknown as (params: unknown) => Promise<FileOperations[K]['reply']>;
  return Promise.resolve().then(() => handler(params));
}

const inFolder = (name: string, content?: string): string => {
  const path = join(folder, name);
  if (content !== undefined) writeFileSync(path, content);
  return path;
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (read: Uint8Array): string => new TextDecoder().decode(read);

test('a source is read with the files beside it; fewer bytes mean the end', async () => {
  const { token, fileName } = files.addSource(inFolder('a b.db', '0123456789'));
  inFolder('a b.db-wal', 'wal');
  expect(fileName).toBe('a b.db');
  expect(await ask('file.info', { token })).toMatchObject({ sizeBytes: 10, walSizeBytes: 3, journalSizeBytes: 0 });
  expect(textOf(await ask('file.read', { token, part: 'main', offset: 4, length: 4 }))).toBe('4567');
  expect(textOf(await ask('file.read', { token, part: 'main', offset: 8, length: 4 }))).toBe('89');
  expect(textOf(await ask('file.read', { token, part: 'wal', offset: 0, length: 99 }))).toBe('wal');
  expect(await ask('file.read', { token, part: 'main', offset: 50, length: 4 })).toHaveLength(0);
});

test.each([
  ['a missing file', 'gone.db', 'not-found', 'moved, renamed or deleted'],
  ['a folder', 'sub', 'invalid', 'is a folder'],
])('%s is refused in words', async (_what, name, code, words) => {
  mkdirSync(join(folder, 'sub'));
  const { token } = files.addSource(join(folder, name));
  await expect(ask('file.info', { token })).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
});

test('a closed token is dead, and requests that make no sense are refused', async () => {
  const { token } = files.addSource(inFolder('a.db', 'x'));
  for (const wrong of [
    { offset: -1, length: 1 },
    { offset: 0, length: 2 ** 40 },
    { offset: 0.5, length: 1 },
  ]) {
    await expect(ask('file.read', { token, part: 'main', ...wrong })).rejects.toMatchObject({ code: 'invalid' });
  }
  await expect(ask('file.write', { token, bytes: bytes('x') })).rejects.toMatchObject({ code: 'not-found' });
  await ask('file.close', { token, commit: true });
  await expect(ask('file.info', { token })).rejects.toMatchObject({ code: 'not-found' });
  expect(readFileSync(join(folder, 'a.db'), 'utf8')).toBe('x');
});

test('a sink replaces its target at once and takes the former WAL out of the way', async () => {
  const target = inFolder('out.db', 'former');
  inFolder('out.db-wal', 'stale');
  inFolder('out.db-shm', 'stale');
  const { token } = files.addSink(target);
  await ask('file.write', { token, bytes: bytes('new ') });
  await ask('file.write', { token, bytes: bytes('content') });
  expect(readFileSync(target, 'utf8')).toBe('former');
  await ask('file.close', { token, commit: true });
  expect(readFileSync(target, 'utf8')).toBe('new content');
  expect(readdirSync(folder)).toEqual(['out.db']);
});

test('the file it replaces says who may read it, a temporary one is nobody else’s', async () => {
  const target = inFolder('out.db', 'former');
  chmodSync(target, 0o600);
  const [given, own] = [files.addSink(target), files.addTemporarySink(join(profile, 'twin.db'))];
  const modes = (): number[] =>
    [folder, profile].map((where) => {
      const part = readdirSync(where).find((name) => name.endsWith('-part'));
      return statSync(join(where, part!)).mode & 0o777;
    });
  for (const { token } of [given, own]) await ask('file.write', { token, bytes: bytes('secret') });
  expect(modes()).toEqual([0o600, 0o600]);
  for (const { token } of [given, own]) await ask('file.close', { token, commit: true });
  expect([target, join(profile, 'twin.db')].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
});

test('what a link points to is replaced, also where that is not there yet', async () => {
  inFolder('real.db', 'former');
  symlinkSync('real.db', inFolder('link.db'));
  symlinkSync('sub/later.db', inFolder('dangling.db'));
  mkdirSync(inFolder('sub'));
  for (const name of ['link.db', 'dangling.db']) {
    const { token, fileName } = files.addSink(inFolder(name));
    expect(fileName).toBe(name);
    await ask('file.write', { token, bytes: bytes('new') });
    await ask('file.close', { token, commit: true });
    expect(lstatSync(inFolder(name)).isSymbolicLink()).toBe(true);
  }
  expect(['real.db', 'sub/later.db'].map((name) => readFileSync(inFolder(name), 'utf8'))).toEqual(['new', 'new']);
});

test('a file that came since the name was chosen is not replaced', async () => {
  const target = inFolder('out.db');
  const { token } = files.addSink(target);
  await ask('file.write', { token, bytes: bytes('new') });
  writeFileSync(target, 'theirs');
  await expect(ask('file.close', { token, commit: true })).rejects.toMatchObject({ code: 'conflict' });
  expect(readFileSync(target, 'utf8')).toBe('theirs');
  expect(readdirSync(folder)).toEqual(['out.db']);
});

test('chunks that are on their way at once land in the order in which they were sent', async () => {
  const [CHUNKS, BYTES] = [200, 64 * 1024];
  const target = inFolder('out.db');
  const { token } = files.addSink(target);
  const chunk = (index: number): Uint8Array => new Uint8Array(BYTES).fill(index);
  await Promise.all(Array.from({ length: CHUNKS }, (_, index) => ask('file.write', { token, bytes: chunk(index) })));
  await ask('file.close', { token, commit: true });
  const written = readFileSync(target);
  expect(Array.from({ length: CHUNKS }, (_, index) => written[index * BYTES])).toEqual(
    Array.from({ length: CHUNKS }, (_, index) => index),
  );
  expect(written).toHaveLength(CHUNKS * BYTES);
});

test('what a killed run was writing is removed at the next start', async () => {
  const { token } = files.addSink(inFolder('out.db', 'former'));
  await ask('file.write', { token, bytes: bytes('new') });
  expect(readdirSync(folder)).toHaveLength(2);
  start();
  expect(readdirSync(folder)).toEqual(['out.db']);
});

test('an abandoned sink leaves everything as it was', async () => {
  const target = inFolder('out.db', 'former');
  inFolder('out.db-wal', 'kept');
  const [given, lost] = [files.addSink(target), files.addSink(target)];
  await ask('file.write', { token: given.token, bytes: bytes('new') });
  await ask('file.write', { token: lost.token, bytes: bytes('new') });
  await ask('file.close', { token: given.token, commit: false });
  await files.abortSinks();
  await expect(ask('file.write', { token: lost.token, bytes: bytes('x') })).rejects.toMatchObject({
    code: 'not-found',
  });
  expect(readFileSync(target, 'utf8')).toBe('former');
  expect(readdirSync(folder).sort()).toEqual(['out.db', 'out.db-wal']);
});

test('a target that cannot be replaced keeps its WAL, and nothing is left behind', async () => {
  const target = join(folder, 'out.db');
  mkdirSync(target);
  writeFileSync(join(target, 'inside'), '');
  inFolder('out.db-wal', 'kept');
  const { token } = files.addSink(target);
  await ask('file.write', { token, bytes: bytes('new') });
  await expect(ask('file.close', { token, commit: true })).rejects.toMatchObject({ code: 'io' });
  expect(readdirSync(folder).sort()).toEqual(['out.db', 'out.db-wal']);
});

test('a folder that is gone is named as the reason', async () => {
  const { token } = files.addSink(join(folder, 'nowhere', 'out.db'));
  await expect(ask('file.write', { token, bytes: bytes('x') })).rejects.toMatchObject({ code: 'not-found' });
  await ask('file.close', { token, commit: false });
});

test('places of sources are known again after a restart, by an id that is no path', () => {
  const store = join(profile, 'places.json');
  const id = createSourcePlaces(store).idOf('/home/me/a.db');
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(createSourcePlaces(store).pathOf(id)).toBe('/home/me/a.db');
  expect(createSourcePlaces(store).pathOf('../x')).toBeNull();
  expect(existsSync(`${store}.new`)).toBe(false);
});
