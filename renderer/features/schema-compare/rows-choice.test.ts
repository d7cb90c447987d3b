import { expect, test } from 'vitest';
import { allChosen, allOf, asChoice, chosenOf, EVERY_ROW, isChosen, withKind, withRow } from './rows-choice.ts';

const counts = { inserted: 2, updated: 5, deleted: 1 };

test('every row is chosen at first, single rows are left out and chosen again', () => {
  expect([allOf(counts), allChosen(EVERY_ROW, counts)]).toEqual([8, 8]);
  const without = withRow(EVERY_ROW, 'updated', 3);
  expect([isChosen(without, 'updated', 3), isChosen(without, 'updated', 4)]).toEqual([false, true]);
  expect([chosenOf(without, 'updated', counts), allChosen(without, counts)]).toEqual([4, 7]);
  expect(asChoice(without)).toEqual({ kinds: ['inserted', 'updated', 'deleted'], except: [3] });
  expect(withRow(without, 'updated', 3)).toEqual(EVERY_ROW);
});

test('a kind as a whole replaces the exceptions of that kind, and of no other', () => {
  const mixed = withRow(withRow(EVERY_ROW, 'updated', 3), 'deleted', 7);
  const off = withKind(mixed, 'updated', false);
  expect([chosenOf(off, 'updated', counts), chosenOf(off, 'deleted', counts), allChosen(off, counts)]).toEqual([
    0, 0, 2,
  ]);
  const one = withRow(off, 'updated', 4);
  expect([isChosen(one, 'updated', 4), isChosen(one, 'updated', 3), chosenOf(one, 'updated', counts)]).toEqual([
    true,
    false,
    1,
  ]);
  expect(asChoice(one)).toEqual({ kinds: ['inserted', 'deleted'], except: [7, 4] });
  expect(allChosen(withKind(withKind(one, 'updated', true), 'deleted', true), counts)).toBe(8);
});
