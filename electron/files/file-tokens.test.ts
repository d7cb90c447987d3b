// Files that a window may read: tokens of the ones chosen in it, and the locations and files in place that are remembered.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileContent } from '#shared/archives.ts';
import { bytes, fileTokensFixture, WINDOW } from './file-tokens-fixture.test-suite.ts';
import type { FileTokens } from './file-tokens.ts';
import { FilesInPlace } from './files-in-place.ts';
import { createFileLocations, locationIdFor } from './file-locations.ts';

let folder: string;
let profile: string;
let files: FileTokens;
let refused: readonly string[];
const { ask, inFolder, restart } = fileTokensFixture((made) => {
  ({ folder, profile, files, refused } = made);
});

const textOf = (read: Uint8Array): string => new TextDecoder().decode(read);

test('a file chosen through a link has the location of the file', async () => {
  const path = inFolder('a.db', 'SQLite format 3\0');
  const [link, toFolder] = [join(folder, 'link.db'), join(folder, 'to-folder')];
  symlinkSync(path, link);
  symlinkSync(folder, toFolder);
  const chosen = [path, link, join(toFolder, 'a.db')].map((each) => files.addSource(WINDOW, each));
  expect(chosen.map(({ locationId }) => locationId)).toEqual(chosen.map(() => chosen[0]!.locationId));
  expect(chosen.map(({ fileName }) => fileName)).toEqual(['a.db', 'link.db', 'a.db']);
});

test('a database is told by how it begins, in the window it was chosen in alone', async () => {
  const database = files.addSource(WINDOW, inFolder('rows.csv', 'SQLite format 3\0 and more'));
  const is = (windowId: string, token: string): Promise<FileContent> => files.contentOf(windowId, token);
  expect(await is(WINDOW, database.token)).toBe('database');
  expect(await is('other', database.token)).toBeNull();
  expect(refused).toEqual(['other: rows.csv']);
  for (const content of ['', 'SQLite format 3', 'a,b\n1,2\n', ' SQLite format 3\0'])
    expect(await is(WINDOW, files.addSource(WINDOW, inFolder('a.db', content)).token)).toBeNull();
  expect(await is(WINDOW, files.addSource(WINDOW, inFolder('gone.csv')).token)).toBeNull();
  expect(await is(WINDOW, files.addSink(WINDOW, inFolder('sink.csv')).token)).toBeNull();
  expect(await is(WINDOW, files.addSource(WINDOW, inFolder('rows.txt', 'PK\u0003\u0004')).token)).toBe('archive');
});

test('a source is read with the files beside it; fewer bytes mean the end', async () => {
  const { token, fileName } = files.addSource(WINDOW, inFolder('a b.db', '0123456789'));
  inFolder('a b.db-wal', 'wal');
  expect(fileName).toBe('a b.db');
  expect(await ask('file.info', { token })).toMatchObject({ sizeBytes: 10, walSizeBytes: 3, journalSizeBytes: 0 });
  expect(textOf(await ask('file.read', { token, part: 'main', offset: 4, length: 4 }))).toBe('4567');
  expect(textOf(await ask('file.read', { token, part: 'main', offset: 8, length: 4 }))).toBe('89');
  expect(textOf(await ask('file.read', { token, part: 'wal', offset: 0, length: 99 }))).toBe('wal');
  expect(await ask('file.read', { token, part: 'main', offset: 50, length: 4 })).toHaveLength(0);
});

test('files that a closed window could read are closed, and those of others stay', async () => {
  const paths = [inFolder('mine.csv', 'a'), inFolder('other.csv', 'b')] as const;
  const mine = files.addSource(WINDOW, paths[0]).token;
  const other = files.addSource('other', paths[1]).token;
  const read = (token: string, window: string): Promise<Uint8Array> =>
    ask('file.read', { token, part: 'main', offset: 0, length: 1, window });
  await read(mine, WINDOW);
  await read(other, 'other');
  expect(openAmong(paths)).toEqual(process.platform === 'linux' ? paths : []);
  await files.closeSourcesOf(WINDOW);
  expect(openAmong(paths)).toEqual(process.platform === 'linux' ? [paths[1]] : []);
  await expect(read(mine, WINDOW)).rejects.toMatchObject({ code: 'not-found' });
  expect(textOf(await read(other, 'other'))).toBe('b');
  await files.closeSourcesOf('other');
});

/** Which of the files this process has open, as Linux says. */
function openAmong(paths: readonly string[]): readonly string[] {
  if (process.platform !== 'linux') return [];
  const open = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd));
    } catch {
      return ''; // of the listing itself
    }
  });
  return paths.filter((path) => open.includes(path));
}

test.each([
  ['a missing file', 'gone.db', 'not-found', 'moved, renamed, or deleted'],
  ['a folder', 'sub', 'invalid', 'is a folder'],
])('%s is refused in words', async (_what, name, code, words) => {
  mkdirSync(join(folder, 'sub'));
  const { token } = files.addSource(WINDOW, join(folder, name));
  await expect(ask('file.info', { token })).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
});

test.skipIf(process.platform === 'win32')(
  'a pipe is refused at once, although nothing is at its other end',
  async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const { token } = files.addSource(WINDOW, join(folder, 'pipe'));
    await expect(ask('file.info', { token })).rejects.toMatchObject({
      code: 'invalid',
      message: '“pipe” is a pipe or a device. Nothing was changed. Choose a file.',
    });
  },
);

test('a closed token is dead, and requests that make no sense are refused', async () => {
  const { token } = files.addSource(WINDOW, inFolder('a.db', 'x'));
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

test('a file that was chosen in one window is nothing to another, and stays what it is', async () => {
  const source = files.addSource(WINDOW, inFolder('a.db', 'secret'));
  const sink = files.addSink(WINDOW, inFolder('out.db', 'former'));
  for (const window of ['others', '']) {
    for (const asked of [
      ask('file.info', { token: source.token, window }),
      ask('file.read', { token: source.token, part: 'main', offset: 0, length: 9, window }),
      ask('file.write', { token: sink.token, bytes: bytes('planted'), window }),
    ])
      await expect(asked).rejects.toMatchObject({ code: 'not-found' });
    await ask('file.close', { token: sink.token, commit: true, window });
    await ask('file.close', { token: source.token, commit: false, window });
  }
  expect(files.takeSourcePath('others', source.token)).toBeNull();
  expect(refused).toHaveLength(11);
  expect(refused[0]).toBe('others: a.db');
  expect(textOf(await ask('file.read', { token: source.token, part: 'main', offset: 0, length: 9 }))).toBe('secret');
  await ask('file.write', { token: sink.token, bytes: bytes('new') });
  await ask('file.close', { token: sink.token, commit: true });
  expect(readFileSync(inFolder('out.db'), 'utf8')).toBe('new');
  expect(files.takeSourcePath(WINDOW, source.token)).toBe(inFolder('a.db'));
});

test('locations of files are known again after a restart, by an id that is no path', () => {
  const store = join(profile, 'places.json');
  const id = createFileLocations(store).idOf('/home/me/a.db');
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(createFileLocations(store).pathOf(id)).toBe('/home/me/a.db');
  expect(createFileLocations(store).pathOf('../x')).toBeNull();
  expect(existsSync(`${store}.new`)).toBe(false);
});

test('locations that nothing in the library names are forgotten, what was chosen in this run is not', async () => {
  const store = join(profile, 'places.json');
  const before = createFileLocations(store);
  const [kept, dropped] = [before.idOf('/home/me/kept.db'), before.idOf('/home/me/dropped.db')];
  files = restart();
  const { token } = files.addSource(WINDOW, inFolder('new.db', 'x'));
  const { locationId } = await ask('file.info', { token });
  await ask('source.keepOnly', { copies: [kept], inPlace: [] });
  const after = createFileLocations(store);
  expect([kept, dropped, locationId!].map((id) => after.pathOf(id))).toEqual([
    '/home/me/kept.db',
    null,
    inFolder('new.db'),
  ]);
});

test('a file in place is named by the windows that opened it, and by others as long as the library lists it', async () => {
  const listed = createFileLocations(join(profile, 'in-place.json'));
  const inPlace = new FilesInPlace(listed);
  const path = inFolder('a.db', '12345');
  const locationId = locationIdFor(path);
  const list = (window: string, id = locationId) =>
    Promise.resolve().then(() => inPlace.handlers['inPlace.list']({ locationId: id, window }, undefined as never));
  await expect(list('mine')).rejects.toMatchObject({ code: 'not-found' });
  const named = { database: `file:${locationId}`, fileName: 'a.db', displayPath: '~/a.db', locationId };
  inPlace.open('mine', { ...named, path });
  expect([inPlace.pathOf('mine', locationId), inPlace.pathOf('others', locationId)]).toEqual([path, null]);
  await expect(list('others')).rejects.toMatchObject({ code: 'not-found' });
  expect(await list('mine')).toEqual({ ...named, sizeBytes: 5 });
  expect([inPlace.pathOf('others', locationId), inPlace.pathOfOpened('others', locationId)]).toEqual([path, null]);
  await inPlace.handlers['inPlace.unlist']({ locationId }, undefined as never);
  expect([inPlace.pathOf('mine', locationId), inPlace.pathOf('others', locationId)]).toEqual([path, null]);
  // A copy for a comparison is its window's alone, and in no list.
  inPlace.open('mine', { ...named, locationId: 'copy-1', path });
  await expect(list('mine', 'copy-1')).rejects.toMatchObject({ code: 'not-found' });
  inPlace.forgetWindow('mine');
  expect(inPlace.pathOf('mine', locationId)).toBeNull();
});
