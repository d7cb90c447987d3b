import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJson, writeJson } from './json-file.ts';

test('what cannot be written stays as it was, without failing anybody', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-json-'));
  const path = join(folder, 'a.json');
  writeJson(path, { kept: true });
  expect(readJson(path)).toEqual({ kept: true });
  const missing = join(folder, 'nowhere', 'a.json');
  expect(() => writeJson(missing, {})).not.toThrow();
  expect(readJson(missing)).toBeNull();
  expect(existsSync(`${path}.new`)).toBe(false);
  rmSync(folder, { recursive: true });
});

test('nobody else may read it, whatever was there before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-json-'));
  const path = join(folder, 'a.json');
  for (const each of [path, `${path}.new`]) writeFileSync(each, '{}');
  for (const each of [path, `${path}.new`]) chmodSync(each, 0o666);
  writeJson(path, { kept: true });
  expect(readJson(path)).toEqual({ kept: true });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  rmSync(folder, { recursive: true });
});

test.skipIf(process.platform === 'win32')('a pipe, a device, or a huge file takes neither time nor memory', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-json-'));
  const path = join(folder, 'a.json');
  execFileSync('mkfifo', [path]);
  expect(readJson(path)).toBeNull();
  expect(readJson('/dev/zero')).toBeNull();
  rmSync(path);
  writeFileSync(path, '{}');
  expect(readJson(path)).toEqual({});
  truncateSync(path, 3e9);
  expect(readJson(path)).toBeNull();
  rmSync(folder, { recursive: true });
});
