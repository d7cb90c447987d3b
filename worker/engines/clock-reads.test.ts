import { expect, it } from 'vitest';
import { ClockReads } from './clock-reads.ts';

/** The numbers of items between clock reads, where each item takes `eachMs`. */
function between(reads: ClockReads, eachMs: number, count: number, from = 0): readonly number[] {
  const batches: number[] = [];
  let unread = 0;
  for (let index = 1; index <= count; index++) {
    unread++;
    if (!reads.isDue()) continue;
    reads.noteRead(from + index * eachMs);
    batches.push(unread);
    unread = 0;
  }
  return batches;
}

it('reads the clock seldom between fast items, and after each slow one', () => {
  const reads = new ClockReads();
  reads.noteRead(0);
  const fast = between(reads, 0.001, 200);
  expect(Math.max(...fast)).toBe(16);
  expect(fast.slice(-5)).toEqual([16, 16, 16, 16, 16]);
  const slow = between(reads, 1, 20, 1);
  expect(slow.slice(1)).toEqual(slow.slice(1).map(() => 1));
  expect(reads.isSlow).toBe(true);
  expect(between(reads, 0.001, 100, 21).at(-1)).toBe(16);
});
