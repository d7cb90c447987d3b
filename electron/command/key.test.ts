// Where a key comes from, and what is wrong with how it was named.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import type { CipherKey } from '#shared/cipher-key.ts';
import { keyOf } from './key.ts';
import { parse, UsageError } from './parse.ts';

const folder = mkdtempSync(join(tmpdir(), 'sidelite-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.unstubAllEnvs());

function keyFrom(...words: string[]): Promise<CipherKey | null> {
  const parsed = parse(['run', 'a.sql', 'a.db', ...words]);
  if (parsed.kind !== 'command') throw new Error(JSON.stringify(parsed));
  return keyOf(parsed.options, { pathOf: (name) => join(folder, name), signal: new AbortController().signal });
}

const secretFrom = async (...words: string[]): Promise<string> =>
  Buffer.from((await keyFrom(...words))!.secret).toString();

const fileOf = (content: string): readonly string[] => {
  writeFileSync(join(folder, 'key.txt'), content);
  return ['--key-file', 'key.txt'];
};

it('is the first line of a file, without its end, and nothing else is taken off', async () => {
  expect(await secretFrom(...fileOf(' \u00fc pass \r\nmore\n'))).toBe(' \u00fc pass ');
  expect(await secretFrom(...fileOf('pass'))).toBe('pass');
  expect(await secretFrom(...fileOf('pass\r'))).toBe('pass');
});

it('does not begin with a byte order mark, and a file of UTF-16 is refused', async () => {
  expect(await secretFrom(...fileOf('\ufeffpass\r\n'))).toBe('pass');
  await expect(keyFrom(...fileOf('\ufeff\n'))).rejects.toThrow('is empty');
  for (const bytes of [Buffer.from('\ufeffhunter2\r\n', 'utf16le'), Buffer.from('\ufeffhunter2', 'utf16le').swap16()]) {
    writeFileSync(join(folder, 'key.txt'), bytes);
    await expect(keyFrom('--key-file', 'key.txt')).rejects.toThrow('“key.txt” is UTF-16');
  }
});

it('is a variable of the environment, which the engine does not get', async () => {
  vi.stubEnv('A_KEY', 'pass');
  expect(await secretFrom('--key-env', 'A_KEY')).toBe('pass');
  expect(process.env['A_KEY']).toBeUndefined();
});

it('comes with settings of the cipher', async () => {
  const raw = `x'${'5a'.repeat(48)}'`;
  const words = [
    '--cipher',
    'SQLCipher4',
    '--cipher-page-size',
    '8192',
    '--kdf-iterations',
    '1000',
    '--plain-header',
    '32',
  ];
  const { secret, ...settings } = (await keyFrom(...fileOf(raw), ...words))!;
  expect(Buffer.from(secret).toString()).toBe(raw);
  expect(settings).toEqual({ cipher: 'sqlcipher4', pageBytes: 8192, kdfIterations: 1000, plainHeaderBytes: 32 });
  expect(await keyFrom()).toBeNull();
});

it.each([
  [['--key-env', 'NO_SUCH'], 'no environment variable \u201cNO_SUCH\u201d'],
  [fileOf(''), 'is empty'],
  [['--cipher', 'rc4'], 'is about a key'],
  [[...fileOf(''), '--ask-key'], 'only one of'],
  [[...fileOf('pass'), '--cipher', 'rc5'], 'Did you mean rc4?'],
  [[...fileOf('pass'), '--cipher-page-size', '1000'], 'a power of two'],
  [[...fileOf('pass'), '--kdf-iterations', '0.5'], 'a whole number'],
  [[...fileOf('pass'), '--plain-header', '32'], 'raw key'],
])('%j is refused with a sentence that has nothing of the key', async (words, why) => {
  writeFileSync(join(folder, 'key.txt'), why === 'is empty' ? '' : 'hunter2');
  const thrown = await keyFrom(...words).catch((error: unknown) => error as Error);
  expect(thrown).toBeInstanceOf(UsageError);
  expect((thrown as Error).message).toContain(why);
  expect((thrown as Error).message).not.toContain('hunter2');
});

it('is not taken for a raw key when it only looks like one', async () => {
  await expect(keyFrom(...fileOf("x'1234'"))).rejects.toThrow('64 hexadecimal digits');
});

it.skipIf(process.platform === 'win32')('is read no further than its line, and not without end', async () => {
  await expect(keyFrom('--key-file', relative(folder, '/dev/zero'))).rejects.toThrow('is longer than 64 KB');
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const secret = secretFrom('--key-file', 'pipe');
  // Waiting for it keeps nothing else from being done, such as hearing Ctrl+C. It is not closed.
  const other = await open(pipe, 'w');
  await other.write('pass\nmore');
  expect(await secret).toBe('pass');
  await other.close();
});

it('cannot be asked for without a terminal', async () => {
  await expect(keyFrom('--ask-key')).rejects.toBeInstanceOf(UsageError);
});
