import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { closest } from './missing-name.ts';

test('suggests the name with the fewest edits, and none that is far off', () => {
  const names = ['Customer', 'CustomerOrder', 'Employee', 'id', 'Ido'];
  expect(closest('Custmer', names)).toBe('Customer');
  expect(closest('cutsomer', names)).toBe('Customer');
  expect(closest('employees', names)).toBe('Employee');
  expect(closest('di', names)).toBe('id');
  expect(closest('Track', names)).toBeNull();
  expect(closest('x', [])).toBeNull();
});

test('one edit away is always close enough, in names of three letters and more', () => {
  const name = fc.stringMatching(/^[a-z]{3,12}$/);
  fc.assert(
    fc.property(name, fc.nat(11), fc.constantFrom('drop', 'double', 'swap'), (wanted, at, kind) => {
      const index = at % (wanted.length - 1);
      const [first, second] = [wanted[index]!, wanted[index + 1]!];
      const pair = { drop: second, double: first + first + second, swap: second + first }[kind];
      const typed = wanted.slice(0, index) + pair + wanted.slice(index + 2);
      expect(closest(typed, ['zzzzzzzzzzzzzzzzzz', wanted])).toBe(typed === wanted ? null : wanted);
    }),
    { seed: 5, numRuns: seedCount(500) },
  );
});
