import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { Relation } from '#shared/protocol/schema-diagram.ts';
import { likelyKeys } from './diagram.ts';
import type { KeyedTable } from './diagram.ts';

/** `id INTEGER!` is the primary key, `code TEXT*` unique. */
function table(name: string, ...columns: string[]): KeyedTable {
  const parts = columns.map((column) => /^(\S+) ?(\w*)([!*]?)$/.exec(column)!.slice(1) as [string, string, string]);
  return {
    name,
    kind: 'table',
    columns: parts.map(([column, declaredType, mark]) => ({
      name: column,
      declaredType,
      notNull: false,
      primaryKeyIndex: mark === '!' ? 1 : 0,
    })),
    uniqueKeys: parts.filter(([, , mark]) => mark !== '').map(([column]) => [column]),
  };
}
const keys = (...tables: KeyedTable[]): string[] =>
  likelyKeys(tables, []).map(({ table: from, columns, target, targetColumns }) => {
    return `${from}.${columns[0]} → ${target}.${targetColumns[0]}`;
  });

const CUSTOMER = table('customer', 'id INTEGER!', 'name TEXT');

test.each([
  ['singular', 'customer', 'customer_id INTEGER', 'customer.id'],
  ['plural', 'customers', 'customer_id INTEGER', 'customers.id'],
  ['categories', 'categories', 'category_id INTEGER', 'categories.id'],
  ['camel case', 'Customer', 'customerId INT', 'Customer.id'],
  ['a role before it', 'customer', 'billing_customer_id INTEGER', 'customer.id'],
  ['a prefix of the table', 'auth_user', 'user_id INTEGER', 'auth_user.id'],
])('%s', (_what, target, column, expected) => {
  expect(keys(table(target, 'id INTEGER!'), table('other', 'id INTEGER!', column))).toEqual([
    `other.${column.split(' ')[0]} → ${expected}`,
  ]);
});

test('a key that names its table, as in Chinook', () => {
  expect(
    keys(table('Artist', 'ArtistId INTEGER!', 'Name TEXT'), table('Album', 'AlbumId INTEGER!', 'ArtistId INTEGER')),
  ).toEqual(['Album.ArtistId → Artist.ArtistId']);
});

test('a table that refers to itself', () => {
  expect(keys(table('node', 'id INTEGER!', 'parent_id INTEGER'))).toEqual(['node.parent_id → node.id']);
});

test('a unique column that is no primary key', () => {
  expect(
    keys(table('country', 'id INTEGER!', 'code TEXT*'), table('city', 'id INTEGER!', 'country_code TEXT')),
  ).toEqual(['city.country_code → country.code']);
});

test('nothing where the type differs, the target is not unique, the name is a copy, or two tables do equally well', () => {
  expect(keys(CUSTOMER, table('o', 'customer_id TEXT'))).toEqual([]);
  expect(keys(table('customer', 'id INTEGER'), table('o', 'customer_id INTEGER'))).toEqual([]);
  expect(keys(table('customer', 'id INTEGER!', 'name TEXT*'), table('o', 'customer_name TEXT'))).toEqual([]);
  expect(keys(CUSTOMER, table('o', 'id INTEGER!', 'order_id INTEGER'))).toEqual([]);
  expect(keys(table('a_user', 'id INTEGER!'), table('b_user', 'id INTEGER!'), table('o', 'user_id INTEGER'))).toEqual(
    [],
  );
});

test('a column of a declared key is left alone, and a table with the very name comes before one in the plural', () => {
  const order = table('o', 'customer_id INTEGER');
  const declared = { table: 'O', columns: ['CUSTOMER_ID'] } as unknown as Relation;
  expect(likelyKeys([CUSTOMER, order], [declared])).toEqual([]);
  expect(keys(table('customers', 'id INTEGER!'), CUSTOMER, order)).toEqual(['o.customer_id → customer.id']);
});

test('whatever the names: targets are unique, columns refer to at most one, and never to themselves', () => {
  const word = fc.constantFrom('user', 'users', 'order', 'parent', 'id', 'code', 'Id', '', 'naïve', '日本');
  const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('_'));
  const column = fc.tuple(name, fc.constantFrom('INTEGER', 'TEXT', ''), fc.constantFrom('', '', '!', '*'));
  const tables = fc
    .uniqueArray(fc.tuple(name, fc.uniqueArray(column, { selector: ([each]) => each.toLowerCase(), maxLength: 5 })), {
      selector: ([each]) => each.toLowerCase(),
      maxLength: 8,
    })
    .map((all) =>
      all.map(([each, columns]) => ({
        name: each,
        kind: 'table' as const,
        columns: columns.map(([own, declaredType, mark]) => ({
          name: own,
          declaredType,
          notNull: false,
          primaryKeyIndex: mark === '!' ? 1 : 0,
        })),
        uniqueKeys: columns.filter(([, , mark]) => mark !== '').map(([own]) => [own]),
      })),
    );
  fc.assert(
    fc.property(tables, (all) => {
      const found = likelyKeys(all, []);
      const from = found.map(({ table: each, columns }) => `${each}\0${columns.join()}`);
      expect(new Set(from).size).toBe(from.length);
      for (const { table: each, columns, target, targetColumns } of found) {
        expect(all.find((one) => one.name === target)!.uniqueKeys).toContainEqual([...targetColumns]);
        expect([each, ...columns]).not.toEqual([target, ...targetColumns]);
      }
    }),
    { numRuns: seedCount(500), seed: 14 },
  );
});

test('the work for a table does not grow with the number of tables', () => {
  const looks = [50, 100].map((count) => {
    let read = 0;
    const tables = Array.from({ length: count }, (_, at) => {
      const each = table(`table${at}`, 'id INTEGER!', `table${(at + 7) % count}_id INTEGER`);
      const columns = each.columns.map((column) => ({
        ...column,
        get declaredType() {
          read++;
          return 'INTEGER';
        },
      }));
      return { ...each, columns };
    });
    expect(keys(...tables)).toHaveLength(count);
    return read / count;
  });
  expect(looks[1]).toBe(looks[0]);
});
