import { expect, it } from 'vitest';
import { loadSqlite } from './load.ts';

const { heap } = await loadSqlite();

it.each([
  ['nothing', ''],
  ['ASCII', 'SELECT 1'],
  ['two bytes at the end', "SELECT 'é"],
  ['three bytes at the beginning', '€ and more'],
  ['a pair of surrogates', 'a 🦆 here'],
  ['half a pair', 'a \ud83e here'],
  ['half a pair at the end', 'a \ud83e'],
])('lays text down as UTF-8 that ends with a NUL: %s', (_what, text) => {
  const utf8 = new TextEncoder().encode(text);
  const { pointer, bytes } = heap.allocateText(text);
  expect(bytes).toBe(utf8.length);
  expect([...heap.bytes.subarray(pointer, pointer + bytes + 1)]).toEqual([...utf8, 0]);
  heap.free(pointer);
});
