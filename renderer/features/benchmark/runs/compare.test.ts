import { expect, test } from 'vitest';
import type { SuiteId } from '#shared/bench/suites.ts';
import { madeResult } from '#shared/bench/made-result.test-suite.ts';
import { compareRuns, verdictOf } from './compare.ts';
import { factsOf, readFacts, titleOf } from './run-facts.ts';

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
