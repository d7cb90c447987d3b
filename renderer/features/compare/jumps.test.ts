import { expect, test } from 'vitest';
import { positionAmong, targetAfter, targetBefore, targetsOf } from './jumps.ts';

test('rows of one side only come before rows that stand elsewhere', () => {
  expect(targetsOf({ positions: [1, 2, 3], only: { left: [3], right: [1, 3] } })).toEqual([1, 3]);
  expect(targetsOf({ positions: [1, 2], only: { left: [], right: [] } })).toEqual([1, 2]);
  expect(targetsOf({ positions: [1, 2], only: null })).toEqual([1, 2]);
});

test('a row is found among the differences, or is none', () => {
  const targets = [2, 5, 8, 13];
  expect(targets.map((row) => positionAmong(targets, row))).toEqual([0, 1, 2, 3]);
  expect([0, 3, 14].map((row) => positionAmong(targets, row))).toEqual([null, null, null]);
  expect(positionAmong([], 0)).toBeNull();
  expect([-1, 2, 7, 13].map((row) => targetAfter(targets, row))).toEqual([2, 5, 8, null]);
  expect([-1, 2, 7, 99].map((row) => targetBefore(targets, row))).toEqual([null, null, 5, 13]);
});
