import { expect, test } from 'vitest';
import { followItems, NO_ITEMS } from './use-item-list.ts';

const begun = followItems(NO_ITEMS, ['a', 'b', 'b', 'c']);

test.each([
  ['added at the end', ['a', 'b', 'b', 'c', 'd'], [0, 1, 2, 3, 4]],
  ['added between the others', ['a', 'd', 'b', 'b', 'c'], [0, 4, 1, 2, 3]],
  ['one more like another', ['a', 'b', 'b', 'b', 'c'], [0, 1, 2, 4, 3]],
  ['moved', ['c', 'a', 'b', 'b'], [3, 0, 1, 2]],
  ['removed', ['a', 'b', 'c'], [0, 1, 3]],
  ['edited', ['a', 'b', 'b', 'd'], [0, 1, 2, 3]],
  ['edited and moved by that', ['d', 'a', 'b', 'b'], [3, 0, 1, 2]],
  ['all of them edited', ['A', 'B', 'B', 'C'], [0, 1, 2, 3]],
])('%s', (_what, texts, keys) => {
  expect(followItems(begun, texts).keys).toEqual(keys);
});

test('a key that is gone is not given again, and the same list stays the same object', () => {
  const after = followItems(followItems(begun, []), ['a']);
  expect(after.keys).toEqual([4]);
  expect(followItems(after, ['a'])).toBe(after);
});
