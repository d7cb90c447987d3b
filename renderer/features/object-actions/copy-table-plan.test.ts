import { expect, test } from 'vitest';
import type { SchemaObject, TransferReply } from '#shared/protocol/index.ts';
import { copyProblem, copyWarnings, doneText, firstChoices, leftOutTexts, planOf } from './copy-table-plan.ts';

const object = (kind: SchemaObject['kind'], name: string, tableName = name): SchemaObject => ({
  ...{ kind, name, tableName, sql: `CREATE ${kind}`, rows: null, problem: null },
});
const ORDERS = object('table', 'orders');
const HERE = [ORDERS, object('index', 'by_customer', 'Orders'), object('trigger', 'noted', 'orders')];

test('a name that is free there is proposed, and one that is taken is refused or gets the rows', () => {
  const there = [object('table', 'ORDERS'), object('view', 'totals')];
  const free = firstChoices(ORDERS, there);
  expect(free).toMatchObject({ name: 'orders_copy', rows: true, indexes: true, triggers: true });
  expect(firstChoices(ORDERS, []).name).toBe('orders');
  expect(copyProblem(ORDERS, free, there)).toBeNull();
  const taken = { ...free, name: 'orders' };
  expect(copyProblem(ORDERS, taken, there)).toBe('A table with this name already exists.');
  expect(copyProblem(ORDERS, { ...taken, isAppended: true }, there)).toBeNull();
  expect(copyProblem(ORDERS, { ...taken, isAppended: true, rows: false }, there)).toMatch(/nothing would be added/);
  expect(copyProblem(ORDERS, { ...free, name: 'totals', isAppended: true }, there)).toMatch(/view with this name/);
  expect(copyProblem(ORDERS, { ...free, name: 'sqlite_x' }, there)).toMatch(/reserved/);
  expect(planOf(ORDERS, { ...taken, isAppended: true }, there)).toEqual({
    tables: [{ name: 'orders', into: 'ORDERS', how: 'append' }],
    indexes: false,
    triggers: false,
  });
  expect(planOf(ORDERS, { ...free, triggers: false }, there)).toEqual({
    tables: [{ name: 'orders', into: 'orders_copy', how: 'new' }],
    indexes: true,
    triggers: false,
    withoutOthers: true,
  });
});

test('parents that are missing there and names that are taken there are said before', () => {
  const there = [object('table', 'by_customer'), object('table', 'Products')];
  const known = { here: HERE, there, parents: ['customers', 'products', 'orders', 'customers'] };
  const choices = firstChoices(ORDERS, there);
  expect(copyWarnings(ORDERS, choices, known)).toEqual([
    'Foreign keys refer to “customers”, which is not there: until it is, no more rows can be added',
    'The index “by_customer” is left out: its name is taken there',
  ]);
  expect(copyWarnings(ORDERS, { ...choices, indexes: false }, known)).toHaveLength(1);
});

test('the message says how many rows were copied, where to, and what was not', () => {
  const reply: TransferReply = {
    ...{ tables: [{ name: 'sales', rows: 1 }], problems: 2, notes: ['A note.'], leftOut: [], timeMs: 1 },
    kept: [{ table: 'sales', row: 3, reason: 'UNIQUE.' }],
  };
  expect(doneText('orders', { database: 'Archive', table: 'sales' }, reply)).toBe(
    'Copied “orders” to “Archive” as “sales”: 1 row.',
  );
  expect(doneText('orders', { database: 'Archive', table: 'orders' }, reply)).toBe(
    'Copied “orders” to “Archive”: 1 row.',
  );
  expect(leftOutTexts(reply)).toEqual(['2 rows were not copied, the first because: UNIQUE.', 'A note.']);
  expect(leftOutTexts({ ...reply, problems: 0, kept: [], notes: [] })).toEqual([]);
});
