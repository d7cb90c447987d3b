import { expect, test } from 'vitest';
import { foreignKeySql } from './relation-labels.ts';

test('a likely key as SQL, with the rows that would break it', () => {
  expect(foreignKeySql({ table: 'order', columns: ['customer_id'], target: 'customer', targetColumns: ['id'] }))
    .toContain(`SELECT c.*
FROM "order" AS c
WHERE c."customer_id" IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM "customer" AS p WHERE p."id" = c."customer_id");`);
});

test('a name cannot leave the comment it is in', () => {
  const sql = foreignKeySql({ table: 't', columns: ['a\nDROP TABLE t; --'], target: 'p', targetColumns: ['id'] });
  expect(
    sql
      .split('\n')
      .slice(0, 3)
      .every((line) => line.startsWith('--')),
  ).toBe(true);
});
