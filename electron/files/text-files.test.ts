import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TEXT_FILE_BYTES } from '#shared/text-files.ts';
import type { TextFileReply } from '#shared/text-files.ts';
import { TextFiles } from './text-files.ts';
import { createUnfinishedFiles } from './unfinished-files.ts';

let folder: string;
let profile: string;
let path: string;
let files: TextFiles;

const start = (): TextFiles =>
  new TextFiles(join(profile, 'text-files.json'), createUnfinishedFiles(join(profile, 'unfinished.json')));
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const opened = async (windowId = 'one'): Promise<Extract<TextFileReply, { found: 'file' }>> => {
  const reply = await files.open(windowId, path);
  if (reply.found !== 'file') throw new Error(reply.why);
  return reply;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-text-'));
  profile = mkdtempSync(join(tmpdir(), 'sidelite-profile-'));
  path = join(folder, 'report.sql');
  writeFileSync(path, 'SELECT 1;\r\n', { mode: 0o640 });
  files = start();
});
afterEach(() => {
  for (const each of [folder, profile]) rmSync(each, { recursive: true });
});

it('reads what the window does not have yet, and replaces only what the window has read', async () => {
  const { file, content, bytes: read } = await opened();
  expect(file).toMatchObject({ fileName: 'report.sql', displayPath: expect.stringContaining('report.sql') as string });
  expect(new TextDecoder().decode(read!)).toBe('SELECT 1;\r\n');
  expect(await files.read('one', file.token, content)).toMatchObject({ found: 'file', bytes: null });

  const saved = await files.save('one', file.token, bytes('SELECT 2;'), content);
  expect(saved).toMatchObject({ file });
  expect(readFileSync(path, 'utf8')).toBe('SELECT 2;');
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(await files.read('one', file.token, 'content' in saved ? saved.content : '')).toMatchObject({ bytes: null });

  writeFileSync(path, 'theirs');
  expect(await files.save('one', file.token, bytes('mine'), content)).toMatchObject({ isConflict: true });
  expect(readFileSync(path, 'utf8')).toBe('theirs');
  expect(await files.save('one', file.token, bytes('mine'), null)).toMatchObject({ file });
  expect(readFileSync(path, 'utf8')).toBe('mine');
  expect(readdirSync(folder)).toEqual(['report.sql']);
});

it('creates a file again that was removed, and says what cannot be read or written', async () => {
  const { file, content } = await opened();
  rmSync(path);
  expect(await files.read('one', file.token, content)).toMatchObject({ found: 'missing' });
  expect(await files.save('one', file.token, bytes('back'), content)).toMatchObject({ file });
  expect(readFileSync(path, 'utf8')).toBe('back');

  truncateSync(path, TEXT_FILE_BYTES + 1);
  expect(await files.read('one', file.token, null)).toMatchObject({ found: 'too-big' });
  expect(await files.save('one', file.token, bytes('mine'), content)).toMatchObject({ isConflict: true });
  rmSync(path);
  symlinkSync(folder, path);
  expect(await files.read('one', file.token, null)).toMatchObject({ found: 'unreadable' });
});

it.skipIf(process.getuid?.() === 0)('does not replace a file that is read-only', async () => {
  const { file, content } = await opened();
  chmodSync(path, 0o440);
  const reply = await files.save('one', file.token, bytes('mine'), content);
  expect(reply).toMatchObject({ isConflict: false, why: expect.stringContaining('read-only') as string });
  expect(readFileSync(path, 'utf8')).toBe('SELECT 1;\r\n');
});

it('a file belongs to the window it was chosen in, and is known after a restart as long as that window names it', async () => {
  const { file } = await opened();
  expect(await files.read('two', file.token, null)).toMatchObject({ found: 'missing' });
  expect(await files.save('two', file.token, bytes('mine'), null)).toMatchObject({ isConflict: false });
  expect(readFileSync(path, 'utf8')).toBe('SELECT 1;\r\n');
  expect((await opened()).file.token).toBe(file.token);
  expect((await opened('two')).file.token).not.toBe(file.token);
  expect(statSync(join(profile, 'text-files.json')).mode & 0o777).toBe(0o600);

  // Chosen in this run: a closed tab may name it later.
  files.keepOnly('one', []);
  expect(files.pathOf('one', file.token)).toBe(path);
  files = start();
  files.keepOnly('one', [file.token]);
  expect(files.pathOf('one', file.token)).toBe(path);
  files = start();
  files.keepWindows(['one']);
  files.keepOnly('one', []);
  expect(files.pathOf('one', file.token)).toBeNull();
  expect(JSON.parse(readFileSync(join(profile, 'text-files.json'), 'utf8'))).toEqual([]);
});
