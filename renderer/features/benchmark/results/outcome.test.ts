import { expect, it } from 'vitest';
import { outcomeOf } from './findings.ts';
import type { Mean, SuiteRow } from './table-model.ts';

const suite = (means: Readonly<Record<string, Mean>>): SuiteRow => ({
  kind: 'suite',
  key: 'rtt',
  suite: 'rtt',
  means,
  published: [],
});
const mean = (value: number, low: number | null, high: number | null): Mean => ({ value, low, high, cells: 12 });
const FASTER = mean(0.5, 0.4, 0.6);
const SLOWER = mean(1.5, 1.4, 1.6);
const SAME = mean(1.01, 0.97, 1.05);
const of = (...rows: SuiteRow[]): string | null => outcomeOf({ rows }, 'balanced');

it('one suite: the fastest engine, the reference, or no difference, with how much', () => {
  expect(of(suite({ 'opfs-balanced': SLOWER, 'node-sqlite-balanced': FASTER }))).toBe(
    'node:sqlite, file, balanced won: 0.50× the time of better-sqlite3, file, balanced (0.40 to 0.60, geometric mean of 12 tests).',
  );
  expect(of(suite({ 'opfs-balanced': SLOWER }))).toBe(
    'better-sqlite3, file, balanced won: Sidelite, OPFS, balanced comes next, with 1.50× the time (1.40 to 1.60, geometric mean of 12 tests).',
  );
  expect(of(suite({ 'opfs-balanced': mean(0.996, 0.994, 0.998) }))).toMatch(
    / won: 99.6% of the time of .* \(99.4% to 99.8%, /,
  );
  expect(of(suite({ 'opfs-balanced': mean(1.004, 1.002, 1.006) }))).toMatch(/ comes next, with 100.4% of the time /);
  expect(of(suite({ 'opfs-balanced': SAME }))).toMatch(/^No difference between .* 0.97 to 1.05, includes 1/);
  expect(of(suite({ 'opfs-balanced': mean(0.9, null, null) }))).toMatch(/too few to name a winner/);
});

it('several suites: in how many each is the fastest, and by how much', () => {
  const rows = [FASTER, mean(0.4, 0.3, 0.5), SLOWER, SAME].map((each) => suite({ 'opfs-balanced': each }));
  expect(of(...rows)).toBe(
    'Fastest of 4 suites, by geometric means: Sidelite, OPFS, balanced in 2 (0.40× to 0.50× the time of better-sqlite3, file, balanced), better-sqlite3, file, balanced in 1 (the next took 1.50× the time), no difference in 1.',
  );
  const single = suite({ 'opfs-balanced': mean(0.9, null, null) });
  expect(of(single, single)).toBe('Fastest of 2 suites, by geometric means: too few samples in 2.');
});

it('says nothing of engines that have another reference, or of none', () => {
  expect(of(suite({ memory: FASTER }))).toBeNull();
  expect(of()).toBeNull();
});
