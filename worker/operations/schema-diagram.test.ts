import { expect, test } from 'vitest';
import { failureOf, openFixture } from './database-fixture.test-suite.ts';

const SHOP = `
  CREATE TABLE customer (id INTEGER PRIMARY KEY, mail TEXT UNIQUE NOT NULL);
  CREATE TABLE place (country TEXT, city TEXT, PRIMARY KEY (country, city)) WITHOUT ROWID;
  CREATE TABLE "order" (id INTEGER PRIMARY KEY, customer_id INT NOT NULL REFERENCES Customer ON DELETE CASCADE, country TEXT, city TEXT,
    FOREIGN KEY (country, city) REFERENCES place ON UPDATE SET NULL);
  CREATE TABLE card (customer_id INTEGER PRIMARY KEY REFERENCES customer (ID));
  CREATE TABLE visit (customer_id INTEGER, gone_id INTEGER REFERENCES gone, mail TEXT REFERENCES customer (other));
  CREATE VIEW buyers AS SELECT * FROM customer; CREATE VIEW broken AS SELECT other FROM nowhere;
  CREATE VIRTUAL TABLE found USING fts5(body);`;

test('tables, views and virtual tables with their columns; keys of one column and of several, with what they do', async () => {
  const fixture = openFixture(SHOP);
  const { tables, relations, schemaVersion } = await fixture.window.call('schema.diagram', {});
  expect(schemaVersion).toBeGreaterThan(5);
  expect(tables.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    'view broken',
    'view buyers',
    'table card',
    'table customer',
    'virtual found',
    'table order',
    'table place',
    'table visit',
  ]);
  expect(tables.find(({ name }) => name === 'broken')!.columns).toEqual([]);
  expect(tables.find(({ name }) => name === 'place')!.columns).toEqual([
    { name: 'country', declaredType: 'TEXT', notNull: true, primaryKeyIndex: 1 },
    { name: 'city', declaredType: 'TEXT', notNull: true, primaryKeyIndex: 2 },
  ]);
  const declared = relations.filter(({ origin }) => origin === 'declared');
  const found = declared.map(
    ({ table, columns, target, targetColumns, onUpdate, onDelete, optional, single, problem }) =>
      [table, columns.join(), target, targetColumns.join(), onUpdate, onDelete, optional, single, problem].join(' | '),
  );
  expect(found).toEqual([
    'card | customer_id | customer | id | NO ACTION | NO ACTION | false | true | ',
    'order | customer_id | customer | id | NO ACTION | CASCADE | false | false | ',
    'order | country,city | place | country,city | SET NULL | NO ACTION | true | false | ',
    'visit | gone_id | gone |  | NO ACTION | NO ACTION | true | false | There is no table “gone”.',
    'visit | mail | customer |  | NO ACTION | NO ACTION | true | false | “customer” has no such columns to refer to.',
  ]);
  expect(relations.filter(({ origin }) => origin === 'likely')).toMatchObject([
    {
      table: 'visit',
      columns: ['customer_id'],
      target: 'customer',
      targetColumns: ['id'],
      optional: true,
      single: false,
    },
  ]);
  fixture.close();
});

test('counts rows for each row of the target, those without a value, and those that lead nowhere', async () => {
  const fixture = openFixture(`
    CREATE TABLE p (code TEXT COLLATE NOCASE PRIMARY KEY); INSERT INTO p VALUES ('a'), ('b'), ('c');
    CREATE TABLE c (p_code TEXT);
    INSERT INTO c VALUES ('a'), ('A'), ('a'), ('b'), (NULL), ('z'), ('y');
    CREATE TABLE none (p_code TEXT);`);
  const count = (table: string) =>
    fixture.window.call('schema.countRelation', {
      key: { table, columns: ['p_code'], target: 'p', targetColumns: ['code'] },
    });
  expect(await count('c')).toEqual({ rows: 7, without: 1, broken: 2, targets: 3, fewest: 0, average: 4 / 3, most: 3 });
  expect(await count('none')).toEqual({ rows: 0, without: 0, broken: 0, targets: 3, fewest: 0, average: 0, most: 0 });
  const key = { table: 'c', columns: ['p_code'], target: 'gone', targetColumns: [] };
  expect(await failureOf(fixture.window.call('schema.countRelation', { key }))).toMatchObject({ code: 'invalid' });
  fixture.close();
});

test('counting is stopped', async () => {
  const fixture = openFixture(`
    CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p_id INT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) INSERT INTO p SELECT i FROM n;
    INSERT INTO c SELECT id FROM p;`);
  const key = { table: 'c', columns: ['p_id'], target: 'p', targetColumns: ['id'] };
  const counting = failureOf(fixture.window.call('schema.countRelation', { key }));
  fixture.window.cancelAll();
  expect(await counting).toMatchObject({ code: 'stopped' });
  fixture.close();
});
