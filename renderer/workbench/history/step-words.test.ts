import { expect, test } from 'vitest';
import { stepWords } from './step-words.ts';

const counts = (table: string, updated: number, inserted = 0, deleted = 0) => ({ table, updated, inserted, deleted });

test('an edit has its title, a statement says what it did to which tables', () => {
  const sql = 'UPDATE main."Customer" SET "City" = :value0';
  expect(stepWords({ title: 'Edit City in Customer', sql: null, tables: [counts('Customer', 1)] })).toBe(
    'Edit City in Customer, 1 row',
  );
  expect(stepWords({ title: sql, sql, tables: [counts('Customer', 1)] })).toBe('Changed 1 row of Customer');
  expect(stepWords({ title: sql, sql, tables: [counts('Customer', 0, 2000), counts('Log', 1, 0, 3)] })).toBe(
    'Added 2,000 rows to Customer, changed 1 row of Log, deleted 3 rows from Log',
  );
  expect(stepWords({ title: 'PRAGMA user_version = 42', sql: 'PRAGMA user_version = 42', tables: [] })).toBe(
    'PRAGMA user_version = 42',
  );
});
