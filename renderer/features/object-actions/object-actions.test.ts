import { describe, expect, test } from 'vitest';
import type { SchemaName, SchemaObject } from '#shared/protocol/index.ts';
import { consequences, doneText, surprises, titleOf } from './action-labels.ts';
import { changesFor, freeCopyName, nameProblem, shownSql } from './object-change.ts';

const object = (kind: SchemaObject['kind'], name: string, sql: string, tableName = name): SchemaObject => ({
  kind,
  name,
  tableName,
  sql,
  rows: null,
  problem: null,
});
const ORDERS = object('table', 'orders', 'CREATE TABLE orders (id, customer)');
const TOTALS = object('view', 'totals', 'CREATE VIEW /* kept */ totals AS SELECT * FROM totals_2');
const GUARD = object(
  'trigger',
  'guard',
  'CREATE TRIGGER guard INSTEAD OF UPDATE OF a ON "totals" BEGIN SELECT 1; END',
  'totals',
);
const BY = object('index', 'by', 'CREATE UNIQUE INDEX "by" ON orders (id) -- on purpose', 'orders');
const ALL = [ORDERS, TOTALS, GUARD, BY];
const sql = (
  target: SchemaObject,
  action: 'rename' | 'duplicate' | 'empty' | 'drop',
  name = 'a "b"',
): string | null => {
  const changes = changesFor({ object: target, action }, { name, rows: true, order: [] }, ALL);
  return changes && shownSql(changes, null);
};

test('the SQL keeps the text of what is created again, except for the name', () => {
  expect(sql(ORDERS, 'drop')).toBe('DROP TABLE main."orders";');
  expect(sql(ORDERS, 'empty')).toBe('DELETE FROM main."orders";');
  expect(sql(ORDERS, 'rename')).toBe('ALTER TABLE main."orders" RENAME TO "a ""b""";');
  expect(sql(object('virtual', 'f', 'CREATE VIRTUAL TABLE f USING fts5 (a)'), 'drop')).toBe('DROP TABLE main."f";');
  expect(sql(BY, 'rename')).toBe('DROP INDEX main."by";\nCREATE UNIQUE INDEX "a ""b""" ON orders (id) -- on purpose;');
  expect(sql(TOTALS, 'duplicate')).toBe('CREATE VIEW /* kept */ "a ""b""" AS SELECT * FROM totals_2;');
  expect(sql(TOTALS, 'rename', 'sums')?.split('\n')).toEqual([
    'DROP VIEW main."totals";',
    'CREATE VIEW /* kept */ "sums" AS SELECT * FROM totals_2;',
    'CREATE TRIGGER guard INSTEAD OF UPDATE OF a ON "sums" BEGIN SELECT 1; END;',
  ]);
  expect(sql(object('view', 'odd', 'CREATE VIEW odd'), 'rename')).toBeNull();
});

test('triggers that are created again after a renamed one are shown, after the name that was typed', () => {
  const changes = changesFor({ object: GUARD, action: 'rename' }, { name: 'shield', rows: true, order: [] }, ALL);
  const step = (sql: string) => ({ kind: 'statement', sql, rows: null }) as const;
  const steps = ['DROP TRIGGER old', 'CREATE TRIGGER old', 'DROP TRIGGER later', 'CREATE TRIGGER later'].map(step);
  expect(shownSql(changes!, { steps, obstacles: [], dependents: [], broken: [] }).split('\n')).toEqual([
    'DROP TRIGGER main."guard";',
    'CREATE TRIGGER "shield" INSTEAD OF UPDATE OF a ON "totals" BEGIN SELECT 1; END;',
    'DROP TRIGGER later;',
    'CREATE TRIGGER later;',
  ]);
});

test('columns are put in any order, each with its comment', () => {
  const object: SchemaObject = {
    ...ORDERS,
    sql: 'CREATE TABLE orders (\n  id, -- the key\n  customer, -- who\n  no, -- of the day\n  CHECK (no > 0)\n)',
  };
  const reorder = (order: readonly number[]) =>
    changesFor({ object, action: 'reorder' }, { name: '', rows: true, order }, ALL);
  expect(reorder([2, 0, 1])).toEqual([
    {
      kind: 'change-table',
      table: 'orders',
      sql: 'CREATE TABLE orders (\n  no, -- of the day\n  id, -- the key\n  customer, -- who\n  CHECK (no > 0)\n)',
      columns: ['no', 'id', 'customer'],
    },
  ]);
  expect(reorder([0, 1, 2])).toMatchObject([{ sql: object.sql }]);
  expect(reorder([0, 1])).toBeNull();
});

test('a foreign key is added to the text of its table', () => {
  const object: SchemaObject = { ...ORDERS, sql: 'CREATE TABLE orders (id, -- kept\n customer, no)' };
  const key = { table: 'orders', columns: ['customer'], target: 'customers', targetColumns: ['id'] };
  const changes = changesFor({ object, action: 'add-foreign-key', key }, { name: '', rows: true, order: [] }, ALL);
  expect(changes).toEqual([
    {
      kind: 'change-table',
      table: 'orders',
      sql: 'CREATE TABLE orders (id, -- kept\n customer REFERENCES customers (id), no)',
      columns: ['id', 'customer', 'no'],
    },
  ]);
});

test('a name is checked against what shares its names', () => {
  const problem = (target: SchemaObject, name: string) => nameProblem(name, { object: target, action: 'rename' }, ALL);
  expect(problem(ORDERS, 'BY')).toBe('An index with this name already exists.');
  expect(problem(ORDERS, 'guard')).toBeNull();
  expect(problem(GUARD, 'orders')).toBeNull();
  expect(problem(ORDERS, 'Orders')).toBeNull();
  expect(nameProblem('Orders', { object: ORDERS, action: 'duplicate' }, ALL)).toBe(
    'A table with this name already exists.',
  );
  expect(problem(ORDERS, ' ')).toBe('Enter a name.');
  expect(problem(ORDERS, 'SQLITE_x')).toMatch(/reserved/);
  expect(freeCopyName('orders', ALL)).toBe('orders_copy');
  expect(freeCopyName('orders', [...ALL, object('index', 'ORDERS_copy', '')])).toBe('orders_copy_2');
});

describe('what follows', () => {
  const name = (kind: SchemaName['kind'], called: string, table = called): SchemaName => ({
    kind,
    name: called,
    table,
  });
  const DEPENDENTS = [
    name('index', 'by', 'orders'),
    name('trigger', 'own', 'orders'),
    name('trigger', 'far', 'other'),
    name('view', 'totals'),
    name('view', 'best'),
    name('table', 'lines'),
    name('virtual', 'found'),
  ];
  const texts = (target: SchemaObject, action: 'rename' | 'reorder' | 'duplicate' | 'empty' | 'drop') =>
    consequences({ object: target, action }, DEPENDENTS, ALL).map(({ text, breaks }) => `${breaks ? '! ' : ''}${text}`);

  test('is said in words, for each action', () => {
    expect(texts(ORDERS, 'drop')).toEqual([
      'Dropped with it: index by, trigger own',
      '! 1 trigger, 2 views, and 1 virtual table will stop working: trigger far, view totals, view best, virtual table found',
      '! Foreign keys of “lines” will refer to a table that does not exist',
    ]);
    const triggers = [
      'CREATE TRIGGER "insert" /* DELETE */ AFTER DELETE ON orders BEGIN UPDATE lines SET a = 1; END',
      'CREATE TRIGGER grown AFTER INSERT ON orders BEGIN DELETE FROM lines; END',
    ].map((text, at) => object('trigger', `t${at}`, text, 'ORDERS'));
    expect(consequences({ object: ORDERS, action: 'empty' }, [], [...ALL, ...triggers])).toMatchObject([
      { text: 'trigger t0 runs for each row that is deleted', breaks: false },
    ]);
    expect(texts(ORDERS, 'empty')).toEqual(['! Rows of “lines” that refer to it will have broken foreign keys']);
    expect(texts(ORDERS, 'rename')).toEqual([
      'SQLite also updates the name in: index by, trigger own, table lines, trigger far, view totals, view best',
      '! 1 virtual table will stop working: virtual table found',
    ]);
    expect(texts(ORDERS, 'duplicate')).toEqual([]);
    expect(texts(ORDERS, 'reorder')).toEqual([
      'SELECT * and INSERT without column names follow the new order, also in: trigger own, trigger far, view totals, view best, virtual table found',
    ]);
    expect(titleOf({ object: ORDERS, action: 'reorder' })).toBe('Reorder columns of table “orders”');
    expect(titleOf({ object: ORDERS, action: 'drop' })).toBe('Drop table “orders”?');
    const rows = { count: 3503, estimated: false };
    expect(titleOf({ object: { ...ORDERS, rows }, action: 'drop' })).toBe('Drop table “orders” with 3,503 rows?');
    expect(titleOf({ object: { ...ORDERS, rows: { ...rows, estimated: true } }, action: 'empty' })).toBe(
      'Empty table “orders” with about 3,503 rows?',
    );
    expect(doneText({ object: ORDERS, action: 'rename' }, 'sales')).toBe('Renamed table “orders” to “sales”.');
    expect(doneText({ object: ORDERS, action: 'rename' }, 'sales', [], [name('view', 'old')])).toBe(
      'Renamed table “orders” to “sales”. Already broken before, and left unchanged: view old.',
    );
  });

  test('is asked about only if it was not said before', () => {
    const foreseen = consequences({ object: ORDERS, action: 'drop' }, DEPENDENTS, ALL);
    const broken = [{ ...name('view', 'totals'), message: 'no such table' }];
    const brokenKeys = [{ table: 'lines', parent: 'orders', count: 2 }];
    expect(surprises({ broken, brokenKeys, integrity: [] }, foreseen)).toEqual([]);
    expect(surprises({ broken, brokenKeys, integrity: ['bad page'] }, [])).toEqual([
      'The view “totals” stopped working: no such table',
      '2 rows of “lines” now refer to no row of “orders”',
      'bad page',
    ]);
  });
});
