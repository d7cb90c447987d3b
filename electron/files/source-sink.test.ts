import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SourcePrint } from '#shared/source-print.ts';
import { createSourceBackups } from './source-backups.ts';
import { printOf, SourceSink } from './source-sink.ts';
import { createUnfinishedFiles } from './unfinished-files.ts';

let folder: string;
let profile: string;

beforeEach(() => {
  [folder, profile] = [mkdtempSync(join(tmpdir(), 'sidelite-save-')), mkdtempSync(join(tmpdir(), 'sidelite-profile-'))];
});
afterEach(() => {
  for (const path of [folder, profile]) rmSync(path, { recursive: true });
});

const at = (name: string): string => join(folder, name);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const open = (path: string, expected: SourcePrint | null): Promise<SourceSink> =>
  SourceSink.open(
    path,
    expected,
    createSourceBackups(join(profile, 'backups.json')),
    createUnfinishedFiles(join(profile, 'unfinished.json')),
  );

async function save(path: string, text: string, expected: SourcePrint | null): Promise<string | null> {
  const sink = await open(path, expected);
  await sink.write(bytes(text));
  return sink.commit();
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;
const partIn = (where: string): string =>
  join(
    where,
    readdirSync(where).find((name) => name.endsWith('-part'))!,
  );
const inFolder = (): string[] => readdirSync(folder).sort();

test('takes the place of the file, keeps its mode and what was there', async () => {
  writeFileSync(at('a.db'), 'old');
  chmodSync(at('a.db'), 0o640);
  expect(await save(at('a.db'), 'new', await printOf(at('a.db')))).toBe('a.db.bak');
  expect(readFileSync(at('a.db'), 'utf8')).toBe('new');
  expect(modeOf(at('a.db'))).toBe(0o640);
  expect(readFileSync(at('a.db.bak'), 'utf8')).toBe('old');
  expect(readdirSync(folder).sort()).toEqual(['a.db', 'a.db.bak']);
});

test('a backup made here is replaced by the next, one of somebody else never', async () => {
  writeFileSync(at('a.db'), '1');
  writeFileSync(at('a.db.bak'), 'mine');
  expect(await save(at('a.db'), '2', null)).toBe('a.db.bak2');
  expect(await save(at('a.db'), '3', null)).toBe('a.db.bak2');
  expect(readFileSync(at('a.db.bak'), 'utf8')).toBe('mine');
  expect(readFileSync(at('a.db.bak2'), 'utf8')).toBe('2');
});

test('a link stays a link: what it points to is replaced', async () => {
  writeFileSync(at('real.db'), 'old');
  symlinkSync('real.db', at('link.db'));
  expect(await save(at('link.db'), 'new', await printOf(at('link.db')))).toBe('real.db.bak');
  expect(readlinkSync(at('link.db'))).toBe('real.db');
  expect(readFileSync(at('real.db'), 'utf8')).toBe('new');
});

test('a file that is not what was expected is left alone, also when it changes while it is written', async () => {
  writeFileSync(at('a.db'), 'old');
  const expected = await printOf(at('a.db'));
  const sink = await open(at('a.db'), expected);
  await sink.write(bytes('new'));
  writeFileSync(at('a.db'), 'theirs');
  await expect(sink.commit()).rejects.toMatchObject({ code: 'conflict' });
  await expect(open(at('a.db'), expected)).rejects.toMatchObject({ code: 'conflict' });
  expect(readFileSync(at('a.db'), 'utf8')).toBe('theirs');
  expect(readdirSync(folder)).toEqual(['a.db']);
  rmSync(at('a.db'));
  await expect(open(at('a.db'), expected)).rejects.toMatchObject({ code: 'conflict' });
});

test('a file that is gone can be made again when that is wanted', async () => {
  expect(await save(at('gone.db'), 'new', null)).toBeNull();
  expect(readFileSync(at('gone.db'), 'utf8')).toBe('new');
});

test.each([
  ['a.db-wal', 'frames'],
  ['a.db-journal', 'hot'],
])('with %s beside it another program has it open: refused, even when told to replace it', async (name, content) => {
  writeFileSync(at('a.db'), 'old');
  const early = await open(at('a.db'), null);
  await early.write(bytes('new'));
  writeFileSync(at(name), content);
  await expect(early.commit()).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining(name) as string,
  });
  await expect(open(at('a.db'), null)).rejects.toMatchObject({ code: 'locked' });
  expect(readFileSync(at('a.db'), 'utf8')).toBe('old');
  expect(existsSync(at(name))).toBe(true);
});

test.each(['a.db-journal', 'a.db-wal'])('an empty %s is what some programs leave', async (name) => {
  writeFileSync(at('a.db'), 'old');
  writeFileSync(at(name), '');
  expect(await save(at('a.db'), 'new', null)).toBe('a.db.bak');
});

test.each([0o600, 0o640, 0o400])(
  'nobody reads what they could not read before, while it is written (mode %o)',
  async (mode) => {
    const before = process.umask(0);
    try {
      writeFileSync(at('a.db'), 'old', { mode });
      const sink = await open(at('a.db'), null);
      await sink.write(bytes('secret'));
      expect(modeOf(partIn(folder))).toBe(mode);
      expect(await sink.commit()).toBe('a.db.bak');
      expect([modeOf(at('a.db')), modeOf(at('a.db.bak'))]).toEqual([mode, mode]);
    } finally {
      process.umask(before);
    }
  },
);

test('a file that is made private while it is saved stays private', async () => {
  writeFileSync(at('a.db'), 'old', { mode: 0o644 });
  const sink = await open(at('a.db'), null);
  await sink.write(bytes('new'));
  chmodSync(at('a.db'), 0o600);
  await sink.commit();
  expect(modeOf(at('a.db'))).toBe(0o600);
});

test.runIf(process.getuid?.() === 0)('the owner and the group stay, before anything is written', async () => {
  writeFileSync(at('a.db'), 'old', { mode: 0o640 });
  chownSync(at('a.db'), 1234, 2345);
  const sink = await open(at('a.db'), null);
  await sink.write(bytes('new'));
  expect(statSync(partIn(folder))).toMatchObject({ uid: 1234, gid: 2345 });
  await sink.commit();
  expect(statSync(at('a.db'))).toMatchObject({ uid: 1234, gid: 2345 });
});

test('a backup that came while it was written stays, and ours gets another name', async () => {
  writeFileSync(at('a.db'), 'old');
  const sink = await open(at('a.db'), null);
  await sink.write(bytes('new'));
  writeFileSync(at('a.db.bak'), 'theirs');
  expect(await sink.commit()).toBe('a.db.bak2');
  expect(readFileSync(at('a.db.bak'), 'utf8')).toBe('theirs');
  expect(readFileSync(at('a.db.bak2'), 'utf8')).toBe('old');
});

test('a file of somebody else under the name of a former backup of ours is not replaced', async () => {
  writeFileSync(at('a.db'), '1');
  expect(await save(at('a.db'), '2', null)).toBe('a.db.bak');
  rmSync(at('a.db.bak'));
  writeFileSync(at('a.db.bak'), 'theirs');
  expect(await save(at('a.db'), '3', null)).toBe('a.db.bak2');
  expect(readFileSync(at('a.db.bak'), 'utf8')).toBe('theirs');
  // A backup of ours that was written to since is not replaced either: the user is working on it now.
  writeFileSync(at('a.db.bak2'), '2, edited');
  expect(await save(at('a.db'), '4', null)).toBe('a.db.bak3');
  expect(readFileSync(at('a.db.bak2'), 'utf8')).toBe('2, edited');
});

test('a save that fails at the end leaves the backup of the one before', async () => {
  writeFileSync(at('a.db'), '1');
  await save(at('a.db'), '2', null);
  const sink = await open(at('a.db'), null);
  await sink.write(bytes('3'));
  rmSync(partIn(folder));
  await expect(sink.commit()).rejects.toMatchObject({ code: 'not-found' });
  expect(readFileSync(at('a.db'), 'utf8')).toBe('2');
  expect(readFileSync(at('a.db.bak'), 'utf8')).toBe('1');
  expect(inFolder()).toEqual(['a.db', 'a.db.bak']);
  expect(await save(at('a.db'), '4', null)).toBe('a.db.bak');
});

test('another name of the same file keeps what was there: a snapshot made of hard links stays one', async () => {
  writeFileSync(at('a.db'), 'old');
  linkSync(at('a.db'), at('snapshot.db'));
  await save(at('a.db'), 'new', null);
  expect(readFileSync(at('snapshot.db'), 'utf8')).toBe('old');
  expect(readFileSync(at('a.db'), 'utf8')).toBe('new');
});

/** Runs as a user without special rights, even when root runs the tests: root may write anywhere. */
function saveAsNobody(path: string): string {
  const script = `
    import { createSourceBackups } from ${JSON.stringify(join(import.meta.dirname, 'source-backups.ts'))};
    import { SourceSink } from ${JSON.stringify(join(import.meta.dirname, 'source-sink.ts'))};
    const none = { begun() {}, ended() {} };
    if (process.getuid?.() === 0) process.setuid(65534);
    try {
      const sink = await SourceSink.open(process.argv[1], null, createSourceBackups('/nowhere/backups.json'), none);
      await sink.write(new TextEncoder().encode('new'));
      await sink.commit();
      console.log('saved');
    } catch (error) {
      console.log(error.code + ': ' + error.message);
    }`;
  const args = ['--no-warnings', '--input-type=module', '--eval', script, path];
  return execFileSync(process.execPath, args, { encoding: 'utf8', cwd: import.meta.dirname }).trim();
}

test('a folder that cannot be written to, and a file that is read-only, are said and left alone', () => {
  writeFileSync(at('a.db'), 'old', { mode: 0o666 });
  chmodSync(at('a.db'), 0o666);
  chmodSync(folder, 0o555);
  expect(saveAsNobody(at('a.db'))).toMatch(
    /^io: “a\.db” was not saved: no file can be created in its folder \(.*sidelite-save/,
  );
  chmodSync(folder, 0o777);
  chmodSync(at('a.db'), 0o444);
  expect(saveAsNobody(at('a.db'))).toMatch(/^io: “a\.db” is read-only/);
  expect([readFileSync(at('a.db'), 'utf8'), inFolder()]).toEqual(['old', ['a.db']]);
  chmodSync(at('a.db'), 0o666);
  expect(saveAsNobody(at('a.db'))).toBe('saved');
});
