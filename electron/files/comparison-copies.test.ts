import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isComparisonCopy } from '#shared/protocol/compare.ts';
import { createComparisonCopyFiles } from './comparison-copies.ts';

let profile: string;
let folder: string;
beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'sidelite-comparisonCopies-'));
  folder = join(profile, 'comparison-copies');
});
afterEach(() => rmSync(profile, { recursive: true }));

test('a comparison copy goes with its window, and is nobody else’s', () => {
  const comparisonCopies = createComparisonCopyFiles(profile);
  const [mine, others] = [{}, {}];
  const { comparisonCopy, path } = comparisonCopies.create(mine);
  const kept = comparisonCopies.create(others);
  for (const file of [path, `${path}-wal`, `${path}-shm`, kept.path]) writeFileSync(file, '');
  expect(isComparisonCopy(comparisonCopy)).toBe(true);
  expect(comparisonCopies.pathOf(others, comparisonCopy)).toBeNull();
  comparisonCopies.remove(others, comparisonCopy);
  expect(comparisonCopies.pathOf(mine, comparisonCopy)).toBe(path);
  comparisonCopies.removeAllOf(mine);
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([kept.path]);
  expect(comparisonCopies.pathOf(mine, comparisonCopy)).toBeNull();
});

test('what a killed run left is removed at the start, everything at the end', () => {
  const earlier = join(profile, 'twins');
  for (const left of [folder, earlier]) {
    mkdirSync(left);
    writeFileSync(join(left, 'old.sqlite3'), '');
  }
  const comparisonCopies = createComparisonCopyFiles(profile);
  expect([folder, earlier].filter((left) => existsSync(left))).toEqual([]);
  writeFileSync(comparisonCopies.create({}).path, '');
  comparisonCopies.removeAll();
  expect(existsSync(folder)).toBe(false);
});
