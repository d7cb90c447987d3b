import { expect, test } from 'vitest';
import type { ResultColumn } from '#shared/protocol/index.ts';
import { comparable, suggestedKey } from './compared-results.ts';

const column = (name: string, table?: string, from = name): ResultColumn => ({
  name,
  declaredType: '',
  origin: table === undefined ? null : { table, column: from },
});
const packed = (columns: readonly ResultColumn[], hiddenColumns = 0) => ({ columns, hiddenColumns });

test('columns belong together by name, twice the same ones in their order; hidden ones are left out', () => {
  const before = packed([column('rowid'), column('a'), column('A'), column('gone')], 1);
  const after = packed([column('a'), column('new'), column('a')]);
  expect(comparable(before, after)).toEqual({
    columns: [
      { name: 'a', before: 1, after: 0 },
      { name: 'A', before: 2, after: 2 },
    ],
    onlyBefore: ['gone'],
    onlyAfter: ['new'],
  });
});

test('the key is the primary key of each table that is there as a whole, then what is called id, then the first column', () => {
  const keyOf = (columns: readonly ResultColumn[]): readonly number[] => {
    const one = packed(columns);
    return suggestedKey(comparable(one, one).columns, one, [
      { table: 'Line', primaryKey: ['order', 'place'] },
      { table: 'item', primaryKey: ['code'] },
      { table: 'log', primaryKey: [] },
    ]);
  };
  expect(keyOf([column('what'), column('p', 'line', 'place'), column('o', 'line', 'Order')])).toEqual([1, 2]);
  expect(keyOf([column('id'), column('p', 'line', 'place')])).toEqual([0]);
  expect(keyOf([column('p', 'line', 'place'), column('c', 'item', 'code')])).toEqual([1]);
  expect(keyOf([column('city'), column('n')])).toEqual([0]);
  expect(keyOf([column('n')])).toEqual([]);
});
