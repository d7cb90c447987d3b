import { expect, test } from 'vitest';
import { sortLabel, sortedBy } from './sort-terms.ts';

const asc = (column: string) => ({ column, descending: false });
const desc = (column: string) => ({ column, descending: true });

test('a click sorts up, down, not at all; with a modifier beside the others', () => {
  expect(sortedBy([], 'a', false)).toEqual([asc('a')]);
  expect(sortedBy([asc('a')], 'a', false)).toEqual([desc('a')]);
  expect(sortedBy([desc('a')], 'a', false)).toEqual([]);
  expect(sortedBy([asc('a')], 'b', false)).toEqual([asc('b')]);
  expect(sortedBy([asc('a')], 'b', true)).toEqual([asc('a'), asc('b')]);
  expect(sortedBy([asc('a'), asc('b')], 'a', true)).toEqual([desc('a'), asc('b')]);
  expect(sortedBy([desc('a'), asc('b')], 'a', true)).toEqual([asc('b')]);
});

test('a sort order is said in words', () => {
  expect(sortLabel([], String)).toBe('Not sorted');
  expect(sortLabel([asc('a'), desc('b')], (name) => name.toUpperCase())).toBe('Sorted by A ascending, B descending');
});
