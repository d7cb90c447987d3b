import { expect, test } from 'vitest';
import type { PlanLine } from '#shared/protocol/index.ts';
import { alignPlans } from './plan-lines.ts';

const plan = (...lines: readonly [detail: string, parent?: number][]): PlanLine[] =>
  lines.map(([detail, parent = 0], index) => ({ id: index + 1, parent, detail, cost: null }));

test('equal plans have no mark', () => {
  const lines = plan(['SCAN a'], ['SEARCH b USING INDEX x (c=?)'], ['LIST SUBQUERY 3'], ['SCAN d', 3]);
  expect(alignPlans(lines, lines).map(({ left, right, depth, isSame }) => [left === right, depth, isSame])).toEqual([
    [true, 0, true],
    [true, 0, true],
    [true, 0, true],
    [true, 1, true],
  ]);
});

test('a line that is another stands beside the one it replaces, the rest still meets', () => {
  const left = plan(['SCAN a'], ['SEARCH b USING INDEX x (c=?)'], ['USE TEMP B-TREE FOR ORDER BY']);
  const right = plan(['SCAN a'], ['SCAN b'], ['USE TEMP B-TREE FOR ORDER BY']);
  expect(alignPlans(left, right)).toEqual([
    { left: 'SCAN a', right: 'SCAN a', depth: 0, isSame: true },
    { left: 'SEARCH b USING INDEX x (c=?)', right: 'SCAN b', depth: 0, isSame: false },
    { left: 'USE TEMP B-TREE FOR ORDER BY', right: 'USE TEMP B-TREE FOR ORDER BY', depth: 0, isSame: true },
  ]);
});

test('a line more on one side leaves a gap on the other', () => {
  const rows = alignPlans(plan(['SCAN a']), plan(['SCAN a'], ['USE TEMP B-TREE FOR ORDER BY']));
  expect(rows[1]).toEqual({ left: null, right: 'USE TEMP B-TREE FOR ORDER BY', depth: 0, isSame: false });
  expect(alignPlans([], plan(['SCAN a']))).toEqual([{ left: null, right: 'SCAN a', depth: 0, isSame: false }]);
});
