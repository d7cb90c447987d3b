import { expect, test } from 'vitest';
import { timeLeft } from './use-time-left.ts';

const first = { phase: 'Copying', done: 100, atMs: 1000 };
const at = (nowMs: number, done: number, total: number | null = 1000, phase = 'Copying'): number | null =>
  timeLeft(first, { phase, done, total }, nowMs);

test('goes by the speed since the phase began', () => {
  expect(at(3000, 200)).toBe(16_000);
});

test('says nothing too soon, without an end, at a standstill, of another phase, or when it is as good as done', () => {
  expect(at(1500, 200)).toBeNull();
  expect(at(3000, 200, null)).toBeNull();
  expect(at(3000, 100)).toBeNull();
  expect(at(3000, 200, 1000, 'Checking')).toBeNull();
  expect(at(3000, 999)).toBeNull();
  expect(at(3000, 1100)).toBeNull();
});
