// Files that a window writes: each replaces its target as a whole, or leaves everything as it was.
import {
  chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs'; // prettier-ignore
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bytes, fileTokensFixture, WINDOW } from './file-tokens-fixture.test-suite.ts';
import type { FileTokens } from './file-tokens.ts';

let folder: string;
let profile: string;
let files: FileTokens;
const { ask, inFolder, start } = fileTokensFixture((made) => {
  ({ folder, profile, files } = made);
});

test('a sink replaces its target at once and takes the former WAL out of the way', async () => {
  const target = inFolder('out.db', 'former');
  inFolder('out.db-wal', 'stale');
  inFolder('out.db-shm', 'stale');
  const { token } = files.addSink(WINDOW, target);
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
  const [given, own] = [
    files.addSink(WINDOW, target),
    files.addTemporarySink(WINDOW, join(profile, 'comparisonCopy.db')),
  ];
  const modes = (): number[] =>
    [folder, profile].map((where) => {
      const part = readdirSync(where).find((name) => name.endsWith('-part'));
      return statSync(join(where, part!)).mode & 0o777;
    });
  for (const { token } of [given, own]) await ask('file.write', { token, bytes: bytes('secret') });
  expect(modes()).toEqual([0o600, 0o600]);
  for (const { token } of [given, own]) await ask('file.close', { token, commit: true });
  expect([target, join(profile, 'comparisonCopy.db')].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o600, 0o600,
  ]);
});

test('what a link points to is replaced, also where that is not there yet', async () => {
  inFolder('real.db', 'former');
  symlinkSync('real.db', inFolder('link.db'));
  symlinkSync('sub/later.db', inFolder('dangling.db'));
  mkdirSync(inFolder('sub'));
  for (const name of ['link.db', 'dangling.db']) {
    const { token, fileName } = files.addSink(WINDOW, inFolder(name));
    expect(fileName).toBe(name);
    await ask('file.write', { token, bytes: bytes('new') });
    await ask('file.close', { token, commit: true });
    expect(lstatSync(inFolder(name)).isSymbolicLink()).toBe(true);
  }
  expect(['real.db', 'sub/later.db'].map((name) => readFileSync(inFolder(name), 'utf8'))).toEqual(['new', 'new']);
});

test('a file that came since the name was chosen is not replaced', async () => {
  const target = inFolder('out.db');
  const { token } = files.addSink(WINDOW, target);
  await ask('file.write', { token, bytes: bytes('new') });
  writeFileSync(target, 'theirs');
  await expect(ask('file.close', { token, commit: true })).rejects.toMatchObject({ code: 'conflict' });
  expect(readFileSync(target, 'utf8')).toBe('theirs');
  expect(readdirSync(folder)).toEqual(['out.db']);
});

test('chunks that are on their way at once land in the order in which they were sent', async () => {
  const [CHUNKS, BYTES] = [200, 64 * 1024];
  const target = inFolder('out.db');
  const { token } = files.addSink(WINDOW, target);
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
  const { token } = files.addSink(WINDOW, inFolder('out.db', 'former'));
  await ask('file.write', { token, bytes: bytes('new') });
  expect(readdirSync(folder)).toHaveLength(2);
  start();
  expect(readdirSync(folder)).toEqual(['out.db']);
});

test('an abandoned sink leaves everything as it was', async () => {
  const target = inFolder('out.db', 'former');
  inFolder('out.db-wal', 'kept');
  const [given, lost] = [files.addSink(WINDOW, target), files.addSink(WINDOW, target)];
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
  const { token } = files.addSink(WINDOW, target);
  await ask('file.write', { token, bytes: bytes('new') });
  await expect(ask('file.close', { token, commit: true })).rejects.toMatchObject({ code: 'io' });
  expect(readdirSync(folder).sort()).toEqual(['out.db', 'out.db-wal']);
});

test('a folder that is gone is named as the reason', async () => {
  const { token } = files.addSink(WINDOW, join(folder, 'nowhere', 'out.db'));
  await expect(ask('file.write', { token, bytes: bytes('x') })).rejects.toMatchObject({ code: 'not-found' });
  await ask('file.close', { token, commit: false });
});

test('where a file was saved is known to its window, and only once it is there', async () => {
  const path = inFolder('rows.csv');
  const { token } = files.addSink(WINDOW, path);
  await ask('file.write', { token, bytes: bytes('a') });
  expect(files.savedPath(WINDOW, token)).toBeNull();
  await ask('file.close', { token, commit: true });
  expect(files.savedPath(WINDOW, token)).toBe(path);
  expect(files.savedPath('other', token)).toBeNull();
  const stopped = files.addSink(WINDOW, inFolder('stopped.csv'));
  await ask('file.write', { token: stopped.token, bytes: bytes('a') });
  await ask('file.close', { token: stopped.token, commit: false });
  expect(files.savedPath(WINDOW, stopped.token)).toBeNull();
});
