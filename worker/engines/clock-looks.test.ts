import { expect, it } from 'vitest';
import { ClockLooks } from './clock-looks.ts';

/** How many come between the looks, each taking `eachMs`. */
function between(looks: ClockLooks, eachMs: number, count: number, from = 0): readonly number[] {
  const batches: number[] = [];
  let unseen = 0;
  for (let index = 1; index <= count; index++) {
    unseen++;
    if (!looks.isDue()) continue;
    looks.looked(from + index * eachMs);
    batches.push(unseen);
    unseen = 0;
  }
  return batches;
}

it('looks at fast ones seldom, and at slow ones one by one', () => {
  const looks = new ClockLooks();
  looks.looked(0);
  const fast = between(looks, 0.001, 200);
  expect(Math.max(...fast)).toBe(16);
  expect(fast.slice(-5)).toEqual([16, 16, 16, 16, 16]);
  const slow = between(looks, 1, 20, 1);
  expect(slow.slice(1)).toEqual(slow.slice(1).map(() => 1));
  expect(looks.isSlow).toBe(true);
  expect(between(looks, 0.001, 100, 21).at(-1)).toBe(16);
});
