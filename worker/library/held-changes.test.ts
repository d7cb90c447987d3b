import { afterEach, beforeEach, expect, test } from 'vitest';
import { testEngines } from '../schema-change/engines.test-suite.ts';
import type { Connection } from '../engines/engine.ts';
import { Catalogue } from './catalogue.ts';
import type { HeldChanges } from './held-changes.ts';

let connection: Connection;
let held: HeldChanges;
beforeEach(() => {
  connection = testEngines[0]!.open();
  held = new Catalogue(connection).held;
});
afterEach(() => connection.close());

const newest = (): number => held.read('a').steps.at(-1)!.id;

test('one window saves at a time, and nothing is undone meanwhile', () => {
  const [one, other] = [{}, {}];
  held.add('a', 'first');
  held.add('a', 'second');
  const last = newest();
  held.beginSaving('a', last, one);
  expect(() => held.beginSaving('a', last, other)).toThrow('are being saved');
  expect(() => held.undo('a')).toThrow('are being saved');
  expect(() => held.redo('a')).toThrow('are being saved');
  // Another window must not settle what is still being saved.
  expect(held.read('a').interruptedAt).toBeNull();
  held.add('a', 'later');
  held.clear('a', last);
  expect(held.read('a').steps.map(({ text }) => text)).toEqual(['later']);
  expect(() => held.beginSaving('a', last, other)).toThrow('have just changed');
  held.beginSaving('a', newest(), other);
  held.endSaving('a');
  held.undo('a');
  expect(held.read('a')).toMatchObject({ interruptedAt: null, steps: [], undone: 1 });
});

test('what a window was saving when it ended is known, up to the step where it began', () => {
  const window = {};
  held.add('a', 'first');
  const last = newest();
  held.beginSaving('a', last, window);
  held.add('a', 'later');
  expect(held.leave({})).toEqual([]);
  expect(held.leave(window)).toEqual(['a']);
  expect(held.read('a')).toMatchObject({ interruptedAt: last, steps: [{ text: 'first' }, { text: 'later' }] });
  // It also survives a crash of everything.
  const again = new Catalogue(connection).held;
  expect(again.read('a').interruptedAt).toBe(last);
  again.clear('a', last);
  expect(again.read('a')).toMatchObject({ interruptedAt: null, steps: [{ text: 'later' }] });
});

test('changes follow the new names of their tables, undone ones too, once for all windows', () => {
  const step = (table: string): string => JSON.stringify([{ kind: 'delete', table, key: [{ $integer: '9' }, -0.5] }]);
  const renamed = [
    { from: 'ITEM', to: 'word' },
    { from: 'word', to: 'item' },
  ];
  held.add('a', step('item'));
  held.add('a', step('word'));
  held.add('a', 'not of a known form');
  held.add('b', step('item'));
  held.undo('a');
  const { renames } = held.read('a');
  expect([held.rename('a', 7, renamed), held.rename('a', 7, renamed)]).toEqual([true, false]);
  held.redo('a');
  expect(held.read('a').steps.map(({ text }) => text)).toEqual([step('word'), step('item'), 'not of a known form']);
  expect(held.read('a').renames).not.toBe(renames);
  expect(held.read('b').steps[0]!.text).toBe(step('item'));
  expect([held.rename('a', 8, renamed), held.rename('a', 9, [{ from: 'x', to: 'y' }])]).toEqual([true, false]);
});
