import { expect, test } from 'vitest';
import type { SavedQuery } from '#shared/protocol/index.ts';
import { queriesNaming } from './naming-queries.ts';

const query = (name: string, sql: string, database: string | null = null): SavedQuery => ({
  id: name,
  name,
  folder: '',
  tags: [],
  kind: 'query',
  database,
  sql,
  shortcut: null,
  savedAtMs: 0,
});

test('queries of the database and of all databases count if their SQL names the table, however it is written', () => {
  const queries = [
    query('plain', 'SELECT * FROM orders'),
    query('quoted', 'SELECT "amount" FROM [ORDERS] o', 'db'),
    query('qualified', 'DELETE FROM main."orders" WHERE AMOUNT > 1', 'db'),
    query('elsewhere', 'SELECT * FROM orders', 'other'),
    query('comment', 'SELECT 1 -- orders'),
    query('value', "SELECT 'orders'"),
    query('longer', 'SELECT * FROM orders_2'),
    query('damaged', 'SELECT ( FROM orders WHERE "'),
  ];
  const names = (column: string | null): readonly string[] =>
    queriesNaming(queries, { database: 'db', table: 'Orders', column }).map(({ name }) => name);
  expect(names(null)).toEqual(['plain', 'quoted', 'qualified', 'damaged']);
  expect(names('amount')).toEqual(['quoted', 'qualified']);
});
