import { expect, it } from 'vitest';
import { ClockSampling } from './clock-sampling.ts';

/** How many come between two readings, each taking `eachMs`. */
function between(sampling: ClockSampling, eachMs: number, count: number, from = 0): readonly number[] {
  const batches: number[] = [];
  let unseen = 0;
  for (let index = 1; index <= count; index++) {
    unseen++;
    if (!sampling.isDue()) continue;
    sampling.sampled(from + index * eachMs);
    batches.push(unseen);
    unseen = 0;
  }
  return batches;
}

it('reads the clock seldom for fast ones, and for each slow one', () => {
  const sampling = new ClockSampling();
  sampling.sampled(0);
  const fast = between(sampling, 0.001, 200);
  expect(Math.max(...fast)).toBe(16);
  expect(fast.slice(-5)).toEqual([16, 16, 16, 16, 16]);
  const slow = between(sampling, 1, 20, 1);
  expect(slow.slice(1)).toEqual(slow.slice(1).map(() => 1));
  expect(sampling.isSlow).toBe(true);
  expect(between(sampling, 0.001, 100, 21).at(-1)).toBe(16);
});
