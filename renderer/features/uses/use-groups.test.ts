import { expect, test } from 'vitest';
import type { SchemaUse } from '#shared/protocol/index.ts';
import { groupUses } from './use-groups.ts';

const use = (kind: SchemaUse['kind'], name: string, table: string, part: SchemaUse['part'] = null): SchemaUse => ({
  kind,
  name,
  table,
  part,
});

test('uses are grouped by what they are, those in the table itself first', () => {
  const groups = groupUses(
    [
      use('view', 'totals', 'totals'),
      use('index', 'by', 'orders'),
      use('table', 'Orders', 'Orders', { kind: 'check', sql: 'CHECK (amount > 0)' }),
      use('table', 'lines', 'lines', { kind: 'foreign-key', sql: 'REFERENCES orders (id)' }),
      use('view', 'best', 'best'),
    ],
    'orders',
  );
  expect(
    groups.map(({ title, items }) => [title, ...items.map((item) => [item.what, item.use.name].join(' '))]),
  ).toEqual([
    ['In the table itself', 'CHECK Orders'],
    ['Foreign keys of other tables', ' lines'],
    ['Views', ' totals', ' best'],
    ['Indexes', ' by'],
  ]);
  expect(groupUses([], 'orders')).toEqual([]);
});
