import { expect, test } from 'vitest';
import { createRestartBudget } from './restart-budget.ts';

test('three restarts a minute, and again when the minute has passed', () => {
  const mayRestart = createRestartBudget();
  expect([0, 1000, 2000, 3000, 59_999].map(mayRestart)).toEqual([true, true, true, false, false]);
  expect(mayRestart(60_000)).toBe(true);
  expect(mayRestart(60_001)).toBe(false);
});
