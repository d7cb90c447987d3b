import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { meaningAt, referencesAt } from './meaning.ts';
import { columnsInScope, namesAt } from './names.ts';

const SCHEMA = [
  { table: 't', columns: ['a', 'b'], types: ['', ''], primaryKey: ['a'], references: [] },
  {
    table: 'u',
    columns: ['a'],
    types: [''],
    primaryKey: [],
    references: [{ columns: ['a'], target: 't', targetColumns: ['a'] }],
  },
];

const PARTS = (
  'SELECT FROM JOIN ON WHERE WITH RECURSIVE AS ( ) ( ) , , . * ; UNION ALL VALUES INSERT INTO UPDATE SET DELETE CREATE TRIGGER VIEW ' +
  'INDEX BEGIN END NEW OLD CONFLICT DO RETURNING ORDER BY GROUP DISTINCT IS OR NOT MATERIALIZED CASE WHEN t u a b x "t" [u] \'s\' 1 = ' +
  '-- /* "'
).split(' ');

test('reads anything that is typed, without an error and in bounded time', () => {
  const text = fc.array(fc.constantFrom(...PARTS), { maxLength: 60 }).map((parts) => parts.join(' '));
  fc.assert(
    fc.property(text, fc.double({ min: 0, max: 1, noNaN: true }), (sql, share) => {
      const position = Math.floor(sql.length * share);
      const names = namesAt(sql, position);
      for (const { from, to } of names.tokens) expect(from).toBeLessThan(to);
      columnsInScope(names, SCHEMA, position);
      meaningAt(sql, position, SCHEMA);
      referencesAt(sql, position);
    }),
    { seed: 48, numRuns: seedCount(3000) },
  );
});

test('deep nesting and a long list do not take long', () => {
  const nested = `${'SELECT * FROM ('.repeat(3000)}SELECT a FROM t`;
  expect(namesAt(nested, nested.length).blocks.length).toBeGreaterThan(10);
  const wide = `SELECT ${'a, '.repeat(50_000)} b FROM t WHERE `;
  expect(columnsInScope(namesAt(wide, wide.length), SCHEMA, wide.length)).toHaveLength(2);
});

test('a CTE that doubles itself does not multiply without end', () => {
  const ctes = Array.from(
    { length: 40 },
    (_, at) => `c${at} AS (SELECT * FROM c${Math.max(0, at - 1)} x, c${Math.max(0, at - 1)} y)`,
  );
  const sql = `WITH c AS (SELECT 1 AS n), ${ctes.join(', ')} SELECT c39. FROM c39`;
  expect(() => columnsInScope(namesAt(sql, sql.length), SCHEMA, sql.length)).not.toThrow();
}, 5000);
