import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { FolderSink, safeName } from './folder-sink.ts';
import { createUnfinishedFiles, PART_SUFFIX } from './unfinished-files.ts';

let folder: string;
const store = (): string => join(folder, 'unfinished.json');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hidden = (): string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(PART_SUFFIX));

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sidelite-folder-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('files appear in their places together, and only when all of them are there', async () => {
  const target = join(folder, 'out');
  mkdirSync(target);
  const sink = new FolderSink(target, createUnfinishedFiles(store()), false);
  await sink.write('a.csv', bytes('one'));
  await sink.write('a.csv', bytes(' two'));
  await sink.write('b.csv', bytes(''));
  expect(readdirSync(target).filter((name) => name.endsWith('.csv'))).toEqual([]);
  await sink.commit(new Set());
  expect(readdirSync(target).sort()).toEqual(['a.csv', 'b.csv']);
  expect(readFileSync(join(target, 'a.csv'), 'utf8')).toBe('one two');
});

test('a file that is there is replaced only where that was agreed to, and otherwise everything of the rest stays away', async () => {
  writeFileSync(join(folder, 'a.csv'), 'old');
  const unfinished = createUnfinishedFiles(store());
  const sink = new FolderSink(folder, unfinished, false);
  expect(sink.taken(['a.csv', 'b.csv'])).toEqual(['a.csv']);
  await sink.write('a.csv', bytes('new'));
  await expect(sink.commit(new Set())).rejects.toMatchObject({ code: 'exists' });
  expect(readFileSync(join(folder, 'a.csv'), 'utf8')).toBe('old');
  expect(hidden()).toEqual([]);
  const again = new FolderSink(folder, unfinished, false);
  await again.write('a.csv', bytes('new'));
  await again.commit(new Set(['a.csv']));
  expect(readFileSync(join(folder, 'a.csv'), 'utf8')).toBe('new');
});

test('a new folder takes its place at the end, never that of another one, and is gone after an abort or a kill', async () => {
  const path = join(folder, 'songs_files');
  const sink = new FolderSink(path, createUnfinishedFiles(store()), true);
  await sink.write('1.bin', bytes('x'));
  expect(existsSync(path)).toBe(false);
  await sink.commit(new Set());
  expect(readdirSync(path)).toEqual(['1.bin']);
  const other = new FolderSink(path, createUnfinishedFiles(store()), true);
  expect(other.taken(['2.bin'])).toEqual(['2.bin']);
  await other.write('2.bin', bytes('x'));
  await expect(other.commit(new Set())).rejects.toMatchObject({ code: 'exists' });
  const aborted = new FolderSink(join(folder, 'more_files'), createUnfinishedFiles(store()), true);
  await aborted.write('2.bin', bytes('x'));
  await aborted.abort();
  const killed = new FolderSink(join(folder, 'most_files'), createUnfinishedFiles(store()), true);
  await killed.write('2.bin', bytes('x'));
  expect(hidden()).toHaveLength(1);
  createUnfinishedFiles(store());
  expect(hidden()).toEqual([]);
  expect(readdirSync(path)).toEqual(['1.bin']);
});

test.skipIf(process.platform === 'win32')(
  'nobody may read more than before: neither what is replaced, nor what comes with it',
  async () => {
    const modeOf = (path: string): number => statSync(path).mode & 0o777;
    const target = join(folder, 'out');
    mkdirSync(target);
    writeFileSync(join(target, 'a.csv'), 'old', { mode: 0o600 });
    const into = new FolderSink(target, createUnfinishedFiles(store()), false);
    for (const name of ['b.csv', 'a.csv', 'c.csv']) await into.write(name, bytes('new'));
    expect(modeOf(join(folder, hidden()[0]!))).toBe(0o700);
    await into.commit(new Set(['a.csv']));
    expect(['a.csv', 'b.csv', 'c.csv'].map((name) => modeOf(join(target, name)))).toEqual([0o600, 0o600, 0o600]);

    const songs = join(folder, 'songs.csv');
    for (const [mode, expected] of [
      [0o600, [0o700, 0o600]],
      [0o640, [0o750, 0o640]],
      [0o666, [0o755, 0o644]],
    ] as const) {
      writeFileSync(songs, '');
      chmodSync(songs, mode);
      const beside = new FolderSink(`${songs}_${mode}`, createUnfinishedFiles(store()), true, songs);
      await beside.write('1.bin', bytes('x'));
      await beside.commit(new Set());
      expect([modeOf(beside.path), modeOf(join(beside.path, '1.bin'))]).toEqual(expected);
    }
  },
);

test('no name leaves the folder', async () => {
  const inside = join(folder, 'inside');
  mkdirSync(inside);
  const before = readdirSync(folder);
  const part = fc.constantFrom('..', '.', '/', '\\', 'a', ' ', ':', 'CON', 'nul.txt', '\0', '~', '%2e', '|', 'é');
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
      async (name) => {
        const sink = new FolderSink(inside, createUnfinishedFiles(join(folder, 'inside', 'store.json')), false);
        await sink.write(name, bytes('x')).then(
          () => sink.commit(new Set([name])),
          (error: unknown) => expect(error).toMatchObject({ code: 'invalid' }),
        );
        await sink.abort();
        expect(readdirSync(folder)).toEqual(before);
      },
    ),
    { seed: 1310, numRuns: seedCount(200) },
  );
  for (const name of ['', '../a', 'a/b', 'a\\b', '..', 'a.', 'COM1', 'lpt9.csv', 'x'.repeat(201), 7])
    expect(() => safeName(name)).toThrow(/not allowed/);
});

test('a link in the folder is not followed: it is replaced, and what it points to stays', async () => {
  writeFileSync(join(folder, 'secret'), 'secret');
  mkdirSync(join(folder, 'in'));
  symlinkSync(join(folder, 'secret'), join(folder, 'in', 'a.csv'));
  const sink = new FolderSink(join(folder, 'in'), createUnfinishedFiles(store()), false);
  await sink.write('a.csv', bytes('new'));
  await sink.commit(new Set(['a.csv']));
  expect(lstatSync(join(folder, 'in', 'a.csv')).isSymbolicLink()).toBe(false);
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('secret');
});
