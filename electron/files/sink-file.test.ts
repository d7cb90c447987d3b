// Files that a window writes: each replaces its target as a whole, or leaves everything as it was.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs'; // prettier-ignore
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { bytes, fileTokensFixture, WINDOW } from './file-tokens-fixture.test-suite.ts';
import type { FileTokens } from './file-tokens.ts';

let folder: string;
let profile: string;
let files: FileTokens;
const { ask, inFolder, start } = fileTokensFixture((made) => {
  ({ folder, profile, files } = made);
});

const DATABASE = 'SQLite format 3\0and more';
/** No magic number of another format begins so. */
const ENCRYPTED = Buffer.concat([Buffer.of(0x0a), randomBytes(4095)]);
/** Beginnings of a WAL, its index, and a journal. */
const SIDES = { '-wal': '377f0682', '-shm': '18e22d00', '-journal': 'd9d505f920a163d7' } as const;

test.each([
  ['a database', Buffer.from(DATABASE)],
  ['an encrypted database', ENCRYPTED],
])('%s replaces its target at once and takes the former WAL and journal out of the way', async (_, content) => {
  const target = inFolder('out.db', 'former');
  for (const [suffix, beginning] of Object.entries(SIDES))
    writeFileSync(target + suffix, Buffer.from(`${beginning}00`, 'hex'));
  const { token } = files.addSink(WINDOW, target);
  await ask('file.write', { token, bytes: content.subarray(0, 5) });
  await ask('file.write', { token, bytes: content.subarray(5) });
  expect(readFileSync(target, 'utf8')).toBe('former');
  await ask('file.close', { token, commit: true });
  expect(readFileSync(target)).toEqual(content);
  expect(readdirSync(folder)).toEqual(['out.db']);
});

test.each(Object.entries(SIDES))(
  'nothing is written over, or in place of, %s of a database',
  async (suffix, beginning) => {
    // An encrypted one in the last case only.
    writeFileSync(inFolder('shop.db'), suffix === '-journal' ? ENCRYPTED : DATABASE);
    const target = inFolder(`shop.db${suffix}`);
    for (const content of [null, Buffer.from(`${beginning}00`, 'hex')]) {
      if (content !== null) writeFileSync(target, content);
      const { token } = files.addSink(WINDOW, target);
      const write = async (): Promise<void> => {
        await ask('file.write', { token, bytes: bytes('id,name') });
        await ask('file.close', { token, commit: true });
      };
      await expect(write()).rejects.toMatchObject({ code: 'exists', message: expect.stringContaining('“shop.db”') });
      await ask('file.close', { token, commit: false }).catch(() => undefined);
      if (content !== null) expect(readFileSync(target)).toEqual(content);
      expect(readdirSync(folder)).toEqual(content === null ? ['shop.db'] : ['shop.db', `shop.db${suffix}`]);
    }
  },
);

test('other files whose names SQLite would use stay: text is written beside them, a database is not', async () => {
  const target = inFolder('notes', 'former');
  inFolder('notes-wal', 'my notes on the wall');
  mkdirSync(inFolder('notes-journal'));
  const write = async (content: string): Promise<unknown> => {
    const { token } = files.addSink(WINDOW, target);
    await ask('file.write', { token, bytes: bytes(content) });
    return ask('file.close', { token, commit: true });
  };
  await write('id,name');
  expect(readFileSync(target, 'utf8')).toBe('id,name');
  await expect(write(DATABASE)).rejects.toMatchObject({
    code: 'exists',
    message: expect.stringMatching(/^“notes-wal” has/) as unknown,
  });
  writeFileSync(inFolder('notes-wal'), '');
  await expect(write(DATABASE)).rejects.toMatchObject({
    code: 'exists',
    message: expect.stringMatching(/^“notes-journal” has/) as unknown,
  });
  expect(readFileSync(target, 'utf8')).toBe('id,name');
  expect(readdirSync(folder).sort()).toEqual(['notes', 'notes-journal', 'notes-wal']);
});

test.skipIf(process.platform !== 'linux')('a database that another program has open is not replaced', async () => {
  const target = inFolder('open.db');
  const program = `const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(process.argv[1]);
    db.exec('PRAGMA journal_mode = wal; CREATE TABLE t (a)');
    console.log('open');
    process.stdin.resume();`;
  const other = spawn(process.execPath, ['-e', program, target], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
  const { token } = files.addSink(WINDOW, target);
  await ask('file.write', { token, bytes: bytes('id,name') });
  await expect(ask('file.close', { token, commit: true })).rejects.toMatchObject({ code: 'locked' });
  expect(readFileSync(target).subarray(0, 6).toString()).toBe('SQLite');
  expect(readdirSync(folder).sort()).toEqual(['open.db', 'open.db-shm', 'open.db-wal']);
  other.kill('SIGKILL');
  await once(other, 'exit');
});

test.skipIf(process.platform !== 'linux').each([
  ['an encrypted database', false, ENCRYPTED],
  ['another file', true, Buffer.from('former')],
])('%s for whose number a lock is listed is replaced: %s', async (_, isReplaced, former) => {
  const target = inFolder('rows.csv');
  writeFileSync(target, former);
  const other = spawn('flock', ['--no-fork', target, 'sleep', '60'], { stdio: 'ignore' });
  onTestFinished(() => void other.kill('SIGKILL'));
  const { ino } = statSync(target);
  await expect.poll(() => readFileSync('/proc/locks', 'utf8')).toContain(`:${ino} `);
  const { token } = files.addSink(WINDOW, target);
  await ask('file.write', { token, bytes: bytes('id,name') });
  const closing = ask('file.close', { token, commit: true });
  if (isReplaced) await closing;
  else await expect(closing).rejects.toMatchObject({ code: 'locked' });
  expect(readFileSync(target)).toEqual(isReplaced ? Buffer.from('id,name') : former);
  other.kill('SIGKILL');
  await once(other, 'exit');
});

test.skipIf(process.platform === 'win32')('a pipe is written into, in order, and is still a pipe', async () => {
  const pipe = inFolder('pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
  const { token } = files.addSink(WINDOW, pipe);
  const read = text(reader.stdout);
  await Promise.all(['one ', 'two ', 'three'].map((part) => ask('file.write', { token, bytes: bytes(part) })));
  await ask('file.close', { token, commit: true });
  expect(await read).toBe('one two three');
  expect(lstatSync(pipe).isFIFO()).toBe(true);
  expect(readdirSync(folder)).toEqual(['pipe']);
});

test.skipIf(process.platform === 'win32')('a device stays what it is', async () => {
  const { token, fileName } = files.addSink(WINDOW, '/dev/null');
  await ask('file.write', { token, bytes: bytes('gone') });
  await ask('file.close', { token, commit: true });
  expect([fileName, lstatSync('/dev/null').isCharacterDevice()]).toEqual(['null', true]);
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
  await expect(ask('file.close', { token, commit: true })).rejects.toMatchObject({
    code: 'invalid',
    message: '“out.db” is a folder. Choose another name.',
  });
  expect(readdirSync(folder).sort()).toEqual(['out.db', 'out.db-wal']);
});

test('a folder that is none is named as the reason', async () => {
  inFolder('file', '');
  const { token } = files.addSink(WINDOW, join(folder, 'file', 'out.db'));
  await expect(ask('file.write', { token, bytes: bytes('x') })).rejects.toMatchObject({ code: 'not-found' });
  await ask('file.close', { token, commit: false });
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

test.each(['x'.repeat(251), '文'.repeat(83), '🗄'.repeat(62)])(
  'a file may have a name as long as names can be (%#)',
  async (name) => {
    const target = inFolder(`${name}.csv`);
    const { token } = files.addSink(WINDOW, target);
    await ask('file.write', { token, bytes: bytes('id') });
    await ask('file.close', { token, commit: true });
    expect(readFileSync(target, 'utf8')).toBe('id');
    expect(readdirSync(folder)).toHaveLength(1);
  },
);
