import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { hasArchiveHash, wrongInArchive } from './archive.ts';

const work = mkdtempSync(join(tmpdir(), 'sidelite-archive-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const hashed = (text: string): object => ({ algorithm: 'SHA256', hash: hashOf(text) });
const main = (integrity?: object): object => ({ files: { 'main.js': { size: 4, offset: '0', integrity } } });

/** An archive as electron/asar writes it: numbers in front, the header padded to whole words. */
function archive(header: object, content: string): string {
  const text = JSON.stringify(header);
  const padded = Math.ceil(text.length / 4) * 4;
  const numbers = Buffer.alloc(16);
  [4, padded + 8, padded + 4, text.length].forEach((number, at) => numbers.writeUInt32LE(number, at * 4));
  const path = join(work, 'app.asar');
  writeFileSync(path, Buffer.concat([numbers, Buffer.from(text.padEnd(padded, '\0')), Buffer.from(content)]));
  return path;
}

it('a file that was changed, or has no hash, is named', () => {
  expect(wrongInArchive(archive({ files: { dist: main(hashed('main')) } }, 'main'))).toEqual([]);
  expect(wrongInArchive(archive({ files: { dist: main(hashed('main')) } }, 'evil'))).toEqual([
    '/dist/main.js is not what its hash says',
  ]);
  expect(wrongInArchive(archive({ files: { dist: main() } }, 'main'))).toEqual(['/dist/main.js has no hash']);
});

it('the program expects the header as it is', () => {
  const path = archive(main(hashed('main')), 'main');
  const record = join(work, 'Info.plist');
  writeFileSync(record, `<string>${hashOf(JSON.stringify(main(hashed('main'))))}</string>`);
  expect(hasArchiveHash(record, path)).toBe(true);
  archive(main(hashed('evil')), 'evil');
  expect(hasArchiveHash(record, path)).toBe(false);
  expect(hasArchiveHash(join(work, 'missing'), path)).toBe(false);
});
