import { expect, test } from 'vitest';
import { parseTable } from '#shared/ddl/parse-table.ts';
import type { TableModel } from '#shared/ddl/table-model.ts';
import type { SchemaObject } from '#shared/protocol/index.ts';
import { foreignKeyOf, newForeignKey } from './new-foreign-key.ts';

const object = (kind: SchemaObject['kind'], name: string, tableName: string, sql: string): SchemaObject => {
  return { kind, name, tableName, sql, rows: null, problem: null };
};
const table = (name: string, columns: string): SchemaObject =>
  object('table', name, name, `CREATE TABLE ${name} (${columns})`);
const read = (columns: string): TableModel => parseTable(`CREATE TABLE orders (${columns})`) as TableModel;

const SHOP = [
  table('customers', 'id INTEGER PRIMARY KEY, name TEXT'),
  table('country', 'code TEXT, name TEXT'),
  object('index', 'by_code', 'country', 'CREATE UNIQUE INDEX by_code ON country (code)'),
  table('currency', 'code TEXT'),
  object('index', 'some', 'currency', 'CREATE UNIQUE INDEX some ON currency (code) WHERE code > 1'),
  table('orders', 'id INTEGER PRIMARY KEY, orders_before INT'),
];
const COLUMNS =
  'id INTEGER PRIMARY KEY, customer_id INT, country_code TEXT, currency_code TEXT, parent_id INT, note TEXT';

test('the selected column begins the key, with the table it is likely to refer to and the key of that', () => {
  const designed = { model: read(COLUMNS), name: 'orders', objects: SHOP };
  const keys = [0, 1, 2, 3, 4, 5].map((selected) => newForeignKey(designed, selected));
  expect(keys).toEqual([
    { columns: ['id'], table: '', referencedColumns: [] },
    { columns: ['customer_id'], table: 'customers', referencedColumns: ['id'] },
    { columns: ['country_code'], table: 'country', referencedColumns: ['code'] },
    // Not a key: only some of its rows are unique.
    { columns: ['currency_code'], table: '', referencedColumns: [] },
    { columns: ['parent_id'], table: 'orders', referencedColumns: ['id'] },
    { columns: ['note'], table: '', referencedColumns: [] },
  ]);
  expect(foreignKeyOf(designed, 'CUSTOMER_ID')).toEqual(keys[1]);
});

test('without a selected column it is the first one that is likely to refer to a table and does not yet', () => {
  const begun = (columns: string): string => {
    const key = newForeignKey({ model: read(columns), name: null, objects: SHOP.slice(0, 3) }, null);
    return `${key.columns.join()} → ${key.table}`;
  };
  expect(begun('id INTEGER PRIMARY KEY, customer_id INT')).toBe('customer_id → customers');
  expect(begun('customer_id INT REFERENCES customers, country_code TEXT')).toBe('country_code → country');
  expect(begun('customer_id INT REFERENCES customers, note TEXT')).toBe('note → ');
});
