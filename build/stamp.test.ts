import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fingerprint, isFresh, writeStamp } from './stamp.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-stamp-'));
  mkdirSync(join(folder, 'inner'));
  writeFileSync(join(folder, 'inner', 'a.ts'), 'one');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('changes with a file that is written, added, removed or renamed', () => {
  const seen = new Set([fingerprint([folder])]);
  utimesSync(join(folder, 'inner', 'a.ts'), 1, 1);
  seen.add(fingerprint([folder]));
  writeFileSync(join(folder, 'b.ts'), 'two');
  seen.add(fingerprint([folder]));
  rmSync(join(folder, 'inner', 'a.ts'));
  seen.add(fingerprint([folder]));
  expect(seen.size).toBe(4);
});

test('stays the same for files it is told to leave out, and for paths that are missing', () => {
  const keep = (path: string): boolean => !path.endsWith('.test.ts');
  const before = fingerprint([folder], keep);
  writeFileSync(join(folder, 'a.test.ts'), 'x');
  expect(fingerprint([folder, join(folder, 'missing')], keep)).toBe(before);
});

test('a stamp is fresh for its own value only', () => {
  const stamp = join(folder, 'deep', 'stamp');
  expect(isFresh(stamp, 'v1')).toBe(false);
  writeStamp(stamp, 'v1');
  expect(isFresh(stamp, 'v1')).toBe(true);
  expect(isFresh(stamp, 'v2')).toBe(false);
});
