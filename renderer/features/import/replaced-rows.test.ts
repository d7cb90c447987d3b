// Tests what is said about the rows that an import replaces.
import { expect, test } from 'vitest';
import { replacedRows } from './import-label.ts';

const schemaOf = (rows: { readonly count: number; readonly estimated: boolean } | null) => ({
  objects: [
    { kind: 'table', name: 'item', tableName: 'item', sql: '', rows, problem: null } as const,
    { kind: 'index', name: 'by_name', tableName: 'item', sql: '', rows: null, problem: null } as const,
  ],
});
const replace = { kind: 'table', mode: 'replace', table: 'item' } as const;

test.each([
  [{ count: 12_345, estimated: false }, '12,345 rows'],
  [{ count: 1, estimated: false }, '1 row'],
  [{ count: 2_000_000, estimated: true }, 'about 2,000,000 rows'],
  [{ count: 0, estimated: false }, null],
  [null, null],
])('a table with %o: %s', (rows, text) => expect(replacedRows(replace, schemaOf(rows))).toBe(text));

test('nothing is said about rows that stay', () => {
  const schema = schemaOf({ count: 3, estimated: false });
  expect(replacedRows({ ...replace, mode: 'append' }, schema)).toBeNull();
  expect(replacedRows({ ...replace, kind: 'new-table' }, schema)).toBeNull();
  expect(replacedRows({ ...replace, table: 'other' }, schema)).toBeNull();
  expect(replacedRows(replace, null)).toBeNull();
});
