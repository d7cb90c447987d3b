import {
  chmodSync,
  existsSync,
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
import { printOf } from './source-look.ts';
import { SourceSink } from './source-sink.ts';
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
  await sink.commit();
  return sink.backupName;
}

test('takes the place of the file, keeps its mode and what was there', async () => {
  writeFileSync(at('a.db'), 'old');
  chmodSync(at('a.db'), 0o640);
  expect(await save(at('a.db'), 'new', await printOf(at('a.db')))).toBe('a.db.bak');
  expect(readFileSync(at('a.db'), 'utf8')).toBe('new');
  expect(statSync(at('a.db')).mode & 0o777).toBe(0o640);
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
