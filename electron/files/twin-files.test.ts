import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isTwin } from '#shared/protocol/compare.ts';
import { createTwinFiles } from './twin-files.ts';

let profile: string;
let folder: string;
beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'sidelite-twins-'));
  folder = join(profile, 'twins');
});
afterEach(() => rmSync(profile, { recursive: true }));

test('a twin goes with its window, and is nobody else’s', () => {
  const twins = createTwinFiles(folder);
  const [mine, others] = [{}, {}];
  const { twin, path } = twins.create(mine);
  const kept = twins.create(others);
  for (const file of [path, `${path}-wal`, `${path}-shm`, kept.path]) writeFileSync(file, '');
  expect(isTwin(twin)).toBe(true);
  expect(twins.pathOf(others, twin)).toBeNull();
  twins.remove(others, twin);
  expect(twins.pathOf(mine, twin)).toBe(path);
  twins.removeAllOf(mine);
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([kept.path]);
  expect(twins.pathOf(mine, twin)).toBeNull();
});

test('what a killed run left is removed at the start, everything at the end', () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'twin-old.sqlite3'), '');
  const twins = createTwinFiles(folder);
  expect(existsSync(folder)).toBe(false);
  writeFileSync(twins.create({}).path, '');
  twins.removeAll();
  expect(existsSync(folder)).toBe(false);
});
