import { expect, test } from 'vitest';
import type { RowDifference } from '#shared/protocol/index.ts';
import { DifferenceColumns, keyText } from './difference-columns.ts';
import { showValue } from './difference-value.ts';

const columns = ['id', 'name', 'price'];
const row = (rest: Partial<RowDifference>): RowDifference => ({
  table: 't',
  kind: 'updated',
  key: [1],
  name: null,
  columns,
  before: null,
  after: null,
  ...rest,
});
const names = (learned: DifferenceColumns): string[] => learned.of('t').map(({ name }) => name);

test('only columns that say something are shown: not what is unchanged, not the key again', () => {
  const learned = new DifferenceColumns();
  learned.learn([row({ before: [undefined, undefined, 1], after: [undefined, undefined, 2] })]);
  expect(names(learned)).toEqual(['price']);
  learned.learn([row({ kind: 'inserted', key: [7], after: [7, 'ant', null] })]);
  expect(names(learned)).toEqual(['name', 'price']);
  learned.learn([row({ key: [9], before: [8, undefined, undefined], after: [9, undefined, undefined] })]);
  expect(names(learned)).toEqual(['id', 'name', 'price']);
});

test('a row goes by its name, which its columns need not repeat, and by its key where it has none', () => {
  const learned = new DifferenceColumns();
  const named = row({ kind: 'inserted', name: ['ant'], after: [1, 'ant', null] });
  learned.learn([named]);
  expect(names(learned)).toEqual(['id', 'price']);
  expect(keyText(named)).toBe('ant');
  expect(keyText(row({ name: ['a', { preview: 'long', sizeBytes: 5_000_000 }] }))).toBe('a, long… · 5.0 MB');
  expect(keyText(row({}))).toBe('1');
  const unknown = row({ kind: 'inserted', name: 'unknown', after: [null, null, 1] });
  expect(keyText(unknown)).toBe('rowid 1');
  const others = new DifferenceColumns();
  others.learn([unknown]);
  expect(names(others)).toContain('price');
});

test('a column keeps the width it was first shown with', () => {
  const learned = new DifferenceColumns();
  learned.learn([row({ before: [undefined, 'a', undefined], after: [undefined, 'b', undefined] })]);
  const [before] = learned.of('t');
  learned.learn([row({ before: [undefined, 'x'.repeat(80), undefined], after: [undefined, 'b', undefined] })]);
  expect(learned.of('t')[0]).toEqual(before);
});

test('NULL, empty text and an unchanged value look different', () => {
  expect(showValue(null)).toEqual({ text: 'NULL', style: 'special' });
  expect(showValue('')).toEqual({ text: 'empty', style: 'special' });
  expect(showValue(undefined)).toEqual({ text: '', style: 'text' });
  expect(showValue('NULL')).toEqual({ text: 'NULL', style: 'text' });
  expect(showValue({ preview: 'long', sizeBytes: 5_000_000 }).text).toBe('long… · 5.0 MB');
  expect(showValue({ real: 2 }).text).toBe('2.0');
  expect(showValue(2n ** 60n)).toEqual({ text: '1152921504606846976', style: 'number' });
});
