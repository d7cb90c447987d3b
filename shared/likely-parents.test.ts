import { expect, test } from 'vitest';
import { likelyParents, wordsOf } from './likely-parents.ts';
import type { NamedTable } from './likely-parents.ts';

test('a column finds the table it names and the key, also where it is not a column of that table', () => {
  const column = { name: 'customer_id', declaredType: 'INT', primaryKeyIndex: 0 };
  const id = { name: 'id', declaredType: 'INTEGER', primaryKeyIndex: 1 };
  const table = (name: string): NamedTable => ({ name, columns: [id], uniqueKeys: [['id']] });
  const [customers, orders] = [table('customers'), table('orders')];
  expect(likelyParents([customers, orders])(orders, column)).toMatchObject({ table: customers, key: id });
  expect(likelyParents([customers, orders])(orders, { ...column, declaredType: 'TEXT' })).toBe(null);
  expect(likelyParents([orders])(orders, column)).toBe(null);
});

test('words of a name', () => {
  expect(wordsOf('billing_customerID')).toEqual(['billing', 'customer', 'id']);
  expect(wordsOf('HTMLPage2Id')).toEqual(['html', 'page2', 'id']);
});
