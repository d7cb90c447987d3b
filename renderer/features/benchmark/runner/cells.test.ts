// Whole runs of fake engines: what is judged, and what is compared.
import { describe, expect, test } from 'vitest';
import { PROFILES } from '#shared/bench/profile.ts';
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import { measured, ofUs, PLAN, unitOf } from './cells-fixture.test-suite.ts';
import { mergeResults, geomeansOf, withRatios } from './cells.ts';
import type { RoundKind } from './target.ts';

describe('a cell', () => {
  test('has its samples, first use, ratio and what was delivered', async () => {
    const cells = await measured(unitOf('insert'), { ms: 3 });
    expect(ofUs(cells)).toMatchObject({
      status: 'ok',
      why: null,
      samples: [3, 3, 3, 3, 3],
      median: 3,
      firstUse: 3,
      rows: 3,
      checksum: 'deepleft',
      ratio: 1.5,
      ratioLow: 1.5,
      ratioHigh: 1.5,
      deliveredRatio: 1.5,
    });
    expect(cells[1]).toMatchObject({ engine: 'native-balanced', ratio: null });
    expect(geomeansOf(cells, PLAN)).toEqual([
      {
        suite: 'wasm-run',
        engine: 'opfs-balanced',
        ratio: expect.closeTo(1.5),
        ratioLow: expect.closeTo(1.5),
        ratioHigh: expect.closeTo(1.5),
        cells: 1,
      },
    ]);
  });

  test('has a ratio but no interval where two rounds were measured', async () => {
    const cells = await measured(unitOf('insert'), { ms: 3 });
    const few = cells.map((cell) => ({ ...cell, samples: cell.samples.slice(3), delivered: cell.delivered.slice(3) }));
    expect(withRatios(few, PLAN)[0]).toMatchObject({ ratio: 1.5, ratioLow: null, ratioHigh: null });
  });

  test.each([
    [
      'other values',
      { sample: (_: string, kind: RoundKind) => (kind === 'deep' ? { read: 'other' } : {}) },
      /read different values than native-balanced/,
    ],
    [
      'other rows',
      { sample: (_: string, kind: RoundKind) => (kind === 'deep' ? { rows: 4 } : {}) },
      /4 rows instead of 3/,
    ],
    ['another end', { sample: () => ({ left: 'else' }) }, /left different data behind/],
    [
      'rounds that differ',
      { sample: (_: string, _kind: RoundKind, call: number) => ({ read: call > 6 ? 'x' : 'deep' }) },
      /the rounds did not all read the same/,
    ],
    [
      'a table of another length',
      { sample: () => ({ wrong: 't has 2 rows instead of 3' }) },
      /t has 2 rows instead of 3/,
    ],
    [
      'less durability',
      { facts: { differences: [{ pragma: 'synchronous' as const, text: 'synchronous is off instead of normal' }] } },
      /durability settings are not as required/,
    ],
  ])('with %s is void, says why and has no ratio', async (_name, change, why) => {
    const cell = ofUs(await measured(unitOf('insert'), { ms: 1, ...change }));
    expect(cell).toMatchObject({ status: 'void', ratio: null, why: expect.stringMatching(why) });
    expect(cell.samples).toHaveLength(5);
  });

  test('with other settings that are no cheating counts, and says so', async () => {
    const cell = ofUs(
      await measured(unitOf('insert'), {
        ms: 1,
        facts: { differences: [{ pragma: 'mmap_size', text: 'mmap_size is unknown instead of 0' }] },
      }),
    );
    expect(cell).toMatchObject({ status: 'ok', why: expect.stringMatching(/other settings: mmap_size/) });
  });

  test('that failed says why, and the other engine goes on', async () => {
    const cells = await measured(unitOf('insert'), { ms: 1, fails: { test: 'insert', fromCall: 1 } });
    expect(ofUs(cells)).toMatchObject({ status: 'failed', why: 'It broke.', median: null });
    expect(cells[1]).toMatchObject({ status: 'ok', median: 2 });
  });

  test('is compared with nobody when the reference has failed', async () => {
    const cells = await measured(unitOf('insert'), { ms: 1 }, { ms: 1, fails: { test: 'insert', fromCall: 1 } });
    expect(ofUs(cells)).toMatchObject({ status: 'ok', ratio: null });
  });
});

describe('what is no time of an engine', () => {
  test('memory has a ratio, and is in no mean of times', async () => {
    const unit = unitOf('insert');
    const cells = await measured({ ...unit, tests: [{ ...unit.tests[0]!, unit: 'bytes' }] }, { ms: 3 });
    expect(ofUs(cells)).toMatchObject({ unit: 'bytes', ratio: 1.5 });
    expect(geomeansOf(cells, PLAN)).toEqual([]);
  });

  test('a figure of the app as a whole has neither, also beside one of another engine', async () => {
    const unit = unitOf('insert');
    const cells = await measured({ ...unit, tests: [{ ...unit.tests[0]!, scope: 'app' }] }, { ms: 3 });
    expect(ofUs(cells)).toMatchObject({ scope: 'app', median: 3, ratio: null, deliveredRatio: null });
    expect(geomeansOf(cells, PLAN)).toEqual([]);
  });
});

test('a cell measured again takes its place, and its ratio and the mean follow', async () => {
  const env = { seed: 1, events: [], engines: [] } as unknown as BenchResult['env'];
  const profile = { name: 'balanced', ...PROFILES.balanced } as const;
  const resultOf = (cells: readonly BenchCell[]): BenchResult => ({
    schema: 1,
    env,
    profile,
    cells,
    geomeans: geomeansOf(cells, PLAN),
  });
  const older = resultOf(await measured(unitOf('insert'), { ms: 3 }));
  const again = (await measured(unitOf('insert'), { ms: 1 })).filter(({ engine }) => engine === 'opfs-balanced');
  const merged = mergeResults(older, resultOf(again));
  expect(merged.cells).toHaveLength(2);
  expect(ofUs(merged.cells)).toMatchObject({ median: 1, ratio: 0.5 });
  expect(merged.geomeans[0]!.ratio).toBeCloseTo(0.5);
});
