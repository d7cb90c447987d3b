import { expect, test } from 'vitest';
import { totalOf } from './live-totals.ts';

const figures = (runs: number, latencyP95Ms: number) => ({
  runs,
  skips: 1,
  unchanged: 0,
  patches: runs,
  bytes: 10,
  latencyP50Ms: 1,
  latencyP95Ms,
});

test('counts add up, of latencies the worst is told', () => {
  expect(totalOf([figures(2, 8), figures(3, 4)])).toEqual({ ...figures(5, 8), skips: 2, bytes: 20 });
  expect(totalOf([])).toEqual({ ...figures(0, 0), skips: 0, bytes: 0, latencyP50Ms: 0 });
});
