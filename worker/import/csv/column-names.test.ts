import { expect, test, vi } from 'vitest';
import { uniqueNames } from './column-names.ts';

test('names are unique without regard to case, and numbered only where they have to be', () => {
  expect(uniqueNames(['a', 'A', 'a_2', '', 'a', ' b '])).toEqual(['a', 'A_3', 'a_2', 'column4', 'a_4', 'b']);
});

test('many columns of one name are numbered without trying all numbers for each', () => {
  const count = 2000;
  const looked = vi.spyOn(Set.prototype, 'has');
  const names = uniqueNames(Array.from({ length: count }, () => 'n'));
  const { calls } = looked.mock;
  const times = calls.length;
  looked.mockRestore();
  expect(new Set(names).size).toBe(count);
  expect(names.at(-1)).toBe(`n_${count}`);
  expect(times).toBeLessThan(count * 10);
});
