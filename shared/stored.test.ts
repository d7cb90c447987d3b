import * as v from 'valibot';
import { expect, test } from 'vitest';
import { eachEntry } from './stored.ts';

test('an entry may have the name of anything that objects inherit', () => {
  const text = '{"constructor":1,"prototype":2,"__proto__":3,"toString":4,"a":"no number"}';
  const read = v.parse(eachEntry(v.number()), JSON.parse(text));
  expect(Object.entries(read)).toEqual([
    ['constructor', 1],
    ['prototype', 2],
    ['__proto__', 3],
    ['toString', 4],
  ]);
  expect(({} as { a?: unknown }).a).toBeUndefined();
});

test.each([null, 7, 'text', undefined])('there are no entries in %s', (stored) => {
  expect(v.parse(eachEntry(v.number()), stored)).toEqual({});
});
