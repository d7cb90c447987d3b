// The affinity of a declared type, as SQLite gives it.
import { expect, test } from 'vitest';
import { affinityOf } from './affinity.ts';

test('the first rule that fits counts, whatever the case, and only by letters of ASCII', () => {
  const types = ['', 'FLOATING POINT', 'varChar(5)', 'Blob', 'double', 'decimal(5,2)', 'ﬂoat', 'ANY'];
  const affinities = ['BLOB', 'INTEGER', 'TEXT', 'BLOB', 'REAL', 'NUMERIC', 'NUMERIC', 'NUMERIC'];
  expect(types.map((type) => affinityOf(type, false))).toEqual(affinities);
  expect(affinityOf('any', true)).toBe('BLOB');
});
