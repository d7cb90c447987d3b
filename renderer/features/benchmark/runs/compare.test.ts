import { describe, expect, test } from 'vitest';
import type { BenchResult } from '#shared/bench/result.ts';
import type { SuiteId } from '#shared/bench/suites.ts';
import { madeCell, madeResult } from '#shared/bench/made-result.test-suite.ts';
import { createRandom } from '#shared/random.ts';
import type { Random } from '#shared/random.ts';
import { compareRuns, verdictOf, factsOf, readFacts, titleOf } from './run-facts.ts';

const suite: SuiteId = 'wasm-run';
const BEFORE = madeResult([
  { suite, test: 'insert', size: 1_000, times: { memory: 10 } },
  { suite, test: 'read', size: 1_000, times: { memory: 10 } },
  { suite, test: 'agg', size: 1_000, times: { memory: 10 } },
  { suite, test: 'join', size: 1_000, times: { memory: 10 } },
]);
const NOW = madeResult(
  [
    { suite, test: 'insert', size: 1_000, times: { memory: 15 } },
    { suite, test: 'read', size: 1_000, times: { memory: 5 } },
    { suite, test: 'agg', size: 1_000, times: { memory: 10.6 } },
    { suite, test: 'series', size: 1_000, times: { memory: 1 } },
  ],
  2,
);

test('what changed comes first, with its interval; what is in one run only is not comparable', () => {
  const { cells, counts } = compareRuns(BEFORE, NOW, 0.1);
  expect(counts).toEqual({ regressed: 1, improved: 1, same: 1, 'not-comparable': 2 });
  expect(cells.map(({ key, verdict }) => [key.split('/')[1], verdict])).toEqual([
    ['insert', 'regressed'],
    ['read', 'improved'],
    ['agg', 'same'],
    ['join', 'not-comparable'],
    ['series', 'not-comparable'],
  ]);
  expect(cells[0]!.change!.low).toBeGreaterThan(1.4);
  expect(cells[3]!.why).toBe('Only in the earlier run.');
});

test('a lower threshold counts a smaller change, but never one whose interval spans 1', () => {
  expect(compareRuns(BEFORE, NOW, 0.03).counts.regressed).toBe(2);
  expect(verdictOf({ value: 1.5, low: 0.9, high: 2 }, 0.1)).toBe('same');
  expect(verdictOf({ value: 1 / 1.1, low: 0.8, high: 0.95 }, 0.1)).toBe('improved');
});

describe('runs in which something else took the processor', () => {
  /** A sample of a run: with some noise, and in `paused` of 1,000 samples up to 400 times as long. */
  const takes = (time: number, random: Random, paused: number): number =>
    time * (1 + noise(random) * 0.03) + (random.next() * 1_000 < paused ? time * (20 + random.next() * 380) : 0);
  /** Noise with a standard deviation of 1. */
  const noise = (random: Random): number => [...Array(12)].reduce((sum: number) => sum + random.next(), -6);

  function run(cells: number, rounds: number, perRound: number, seed: number, time: number, paused = 0): BenchResult {
    const random = createRandom(seed);
    const made = Array.from({ length: cells }, (_, at) => {
      const samples = Array.from({ length: rounds * perRound }, () => takes(time, random, paused));
      return madeCell({ test: `test-${at}`, samples, perRound });
    });
    return { ...BEFORE, cells: made };
  }

  const withPause = (result: BenchResult, at: number, factor: number): BenchResult => ({
    ...result,
    cells: result.cells.map((cell) => ({
      ...cell,
      samples: cell.samples.map((sample, index) => (index === at ? sample * factor : sample)),
    })),
  });

  test.each([
    [3, 1],
    [3, 5],
    [5, 1],
    [7, 20],
    [20, 1],
  ])('a regression is seen in %i rounds of %i samples, with one pause in each run', (rounds, perRound) => {
    const before = withPause(run(8, rounds, perRound, 1, 1), 0, 400);
    const now = withPause(run(8, rounds, perRound, 2, 50), rounds * perRound - 1, 10);
    expect(compareRuns(before, now, 0.1).counts).toMatchObject({ regressed: 8 });
    expect(compareRuns(now, before, 0.1).counts).toMatchObject({ improved: 8 });
    const slightly = withPause(run(8, rounds, perRound, 3, 1.5), 0, 400);
    expect(compareRuns(before, slightly, 0.1).counts).toMatchObject({ regressed: 8 });
  });

  test.each([
    [7, 1, 0, 0],
    // One round in ten is interrupted, and now and then most rounds of a cell: 1 of 400 cells was called improved.
    [7, 20, 5, 2],
    [20, 1, 50, 0],
  ])(
    'the same work twice is the same: %i rounds of %i samples, %i of 1,000 interrupted',
    (rounds, per, paused, most) => {
      const [one, other] = [run(200, rounds, per, 4, 1, paused), run(200, rounds, per, 5, 1, paused)];
      const { regressed, improved } = compareRuns(one, other, 0.1).counts;
      expect(regressed + improved).toBeLessThanOrEqual(most);
    },
  );

  test('nothing is said when most rounds of a run were interrupted', () => {
    const cell = (samples: readonly number[]): BenchResult => ({ ...BEFORE, cells: [madeCell({ samples })] });
    expect(compareRuns(cell([1, 1.01, 1.02]), cell([1.03, 70, 90]), 0.1).counts.regressed).toBe(1);
    expect(compareRuns(cell([1, 1.04, 30]), cell([1.03, 70, 90]), 0.1).counts.same).toBe(1);
  });
});

test('a run compared with itself has no change', () => {
  expect(compareRuns(BEFORE, BEFORE, 0).counts).toMatchObject({ regressed: 0, improved: 0, same: 4 });
});

test('other work and other machines are said', () => {
  const other = { ...BEFORE, env: { ...BEFORE.env, cpu: 'Another', commit: 'abc' } };
  expect(compareRuns(other, BEFORE, 0.1).differences).toEqual([
    'Processor: Another before, A processor now',
    'Commit: abc before, unknown now',
  ]);
  const more = { ...BEFORE, cells: BEFORE.cells.map((cell) => ({ ...cell, rows: 5 })) };
  expect(compareRuns(more, BEFORE, 0.1).counts['not-comparable']).toBe(4);
});

test('what a list shows of a run survives being kept, whatever was kept', () => {
  expect(readFacts(JSON.stringify(factsOf(NOW)))).toEqual(factsOf(NOW));
  for (const stored of ['', 'null', '[]', '{"suites":5,"cells":"x"}'])
    expect(readFacts(stored)).toMatchObject({ suites: [], cells: 0 });
  expect(titleOf(NOW)).toBe('Wasm vs. native basics: Sidelite, memory, balanced');
});
