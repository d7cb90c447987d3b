// The benchmark as the command line starts it: the real app measures, writes what it found and ends.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readResult } from '../../shared/bench/read-result.ts';
import type { BenchPlan } from '../../shared/bench/shell.ts';
import { expect, test } from '../fixtures.ts';

const PLAN: BenchPlan = {
  suites: ['wasm-run', 'rtt'],
  engines: ['opfs-balanced', 'memory'],
  sizes: [100, 1_000],
  rounds: 3,
  profile: 'balanced',
  quick: false,
  seed: 1,
  tests: ['insert-wal', 'read', 'smalltx-16k', 'scalar-js', 'series-rows', 'insert-number', 'select-number'],
};

test('every engine reads the same, and every cell has its number', async ({ idleApp }) => {
  test.slow();
  const resultFile = join(idleApp.folder, 'result.json');
  const jobFile = join(idleApp.folder, 'job.json');
  writeFileSync(jobFile, JSON.stringify({ plan: PLAN, sql: null, database: null, resultFile }));
  await idleApp.start(`--bench=${jobFile}`);
  await expect.poll(() => existsSync(resultFile), { timeout: 100_000 }).toBe(true);
  const { cells, env } = readResult(JSON.parse(readFileSync(resultFile, 'utf8')));
  expect(cells.filter(({ status }) => status !== 'ok')).toEqual([]);
  // Two that were asked for, and the two they are compared with.
  const engines = ['memory', 'native-balanced', 'native-memory', 'opfs-balanced'];
  expect([...new Set(cells.map(({ engine }) => engine))].sort()).toEqual(engines);
  expect(env.engines.map(({ sourceId }) => sourceId)).toEqual(engines.map(() => env.engines[0]!.sourceId));
  expect(env.engines.every(({ sha256 }) => /^[\da-f]{64}$/.test(sha256 ?? ''))).toBe(true);
  for (const { test: name, engine, ratio, ratioLow, ratioHigh, delivered } of cells) {
    expect(delivered.length, name).toBeGreaterThan(0);
    if (engine.startsWith('native')) continue;
    expect(ratioLow!).toBeLessThanOrEqual(ratio!);
    expect(ratioHigh!).toBeGreaterThanOrEqual(ratio!);
  }
});
