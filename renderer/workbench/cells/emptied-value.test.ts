import { expect, test } from 'vitest';
import type { Column } from '#shared/protocol/schema.ts';
import { emptiedValue } from './emptied-value.ts';

const left = (column: Partial<Column>): string | null | undefined =>
  emptiedValue({ notNull: false, defaultSql: null, primaryKeyIndex: 0, ...column } as Column);

test('a cell that was cut is NULL, also where the column has a default', () => {
  expect(left({})).toBeNull();
  expect(left({ defaultSql: '1' })).toBeNull();
});

test('a column that cannot be NULL gets its default, if that is a number or a text', () => {
  const of = (defaultSql: string | null): string | null | undefined => left({ notNull: true, defaultSql });
  expect(['0', '-1.5', "''", "'it''s'"].map(of)).toEqual(['0', '-1.5', '', "it's"]);
  expect([null, 'CURRENT_TIMESTAMP', "'a' || 'b'", '(1 + 1)', "x'00'", 'NULL'].map(of)).toEqual(
    Array(6).fill(undefined),
  );
});

test('a key keeps its value', () => {
  expect(left({ primaryKeyIndex: 1 })).toBeUndefined();
});
