import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isUnpacked } from '#shared/archives.ts';
import { isComparisonCopy } from '#shared/protocol/compare.ts';
import { inPlaceId } from '#shared/protocol/in-place.ts';
import { createComparisonCopyFiles, createUnpackedFiles } from './temporary-databases.ts';

let profile: string;
beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'sidelite-temporary-'));
});
afterEach(() => rmSync(profile, { recursive: true }));

test('a temporary database goes with its window, and is nobody else’s', () => {
  const unpacked = createUnpackedFiles(profile);
  const [mine, others] = [{}, {}];
  const { name, path } = unpacked.create(mine);
  const kept = unpacked.create(others);
  for (const file of [path, `${path}-wal`, `${path}-shm`, kept.path]) writeFileSync(file, '');
  expect(isUnpacked(inPlaceId(name))).toBe(true);
  expect(unpacked.pathOf(others, name)).toBeNull();
  unpacked.remove(others, name);
  expect(unpacked.pathOf(mine, name)).toBe(path);
  unpacked.removeAllOf(mine);
  expect(readdirSync(join(profile, 'unpacked'))).toEqual([kept.name]);
  expect(unpacked.pathOf(mine, name)).toBeNull();
});

test.skipIf(process.platform === 'win32')('nobody else may look into its folder', () => {
  expect(statSync(dirname(createUnpackedFiles(profile).create({}).path)).mode & 0o777).toBe(0o700);
});

test('what a killed run left is removed at the start, everything at the end', () => {
  const folder = join(profile, 'comparison-copies');
  const earlier = join(profile, 'twins');
  for (const left of [folder, earlier]) {
    mkdirSync(left);
    writeFileSync(join(left, 'old.sqlite3'), '');
  }
  const comparisonCopies = createComparisonCopyFiles(profile);
  expect([folder, earlier].filter((left) => existsSync(left))).toEqual([]);
  const { name, path } = comparisonCopies.create({});
  expect(isComparisonCopy(inPlaceId(name))).toBe(true);
  writeFileSync(path, '');
  comparisonCopies.removeAll();
  expect(existsSync(folder)).toBe(false);
});
