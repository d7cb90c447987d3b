// Parameters are numbered as SQLite numbers them.
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { seedCount } from './seed-count.test-suite.ts';
import { parametersOf } from './sql-parameters.ts';

it.each<readonly [sql: string, names: readonly string[]]>([
  ['SELECT ?, ?', ['?1', '?2']],
  ['SELECT ?5, ?, :a, :a, ?', ['?5', '?6', ':a', ':a', '?8']],
  ['SELECT \'?\', "?", [?], `?` -- ?\n, @a /* :b */, $c', ['@a', '$c']],
  ['SELECT ?; SELECT ?, :a; SELECT :a', ['?1', '?1', ':a', ':a']],
  ['SELECT a:b, 1 ? 2', [':b', '?2']],
  ['', []],
])('%s', (sql, names) => {
  expect(parametersOf(sql).map(({ name }) => name)).toEqual(names);
  for (const { name, from, to } of parametersOf(sql)) expect(name.startsWith(sql.slice(from, to))).toBe(true);
});

test('values land where SQLite binds them', () => {
  const db = new DatabaseSync(':memory:');
  const parameter = fc.constantFrom('?', '?', '?1', '?2', '?4', ':a', ':b', '@a', '$a', ':A');
  fc.assert(
    fc.property(fc.array(parameter, { minLength: 1, maxLength: 8 }), (parts) => {
      const sql = `SELECT ${parts.join(', ')}`;
      const found = parametersOf(sql);
      // The number of variables is the highest number, and each place shows the value of its number.
      const count = Math.max(...found.map(({ number }) => number));
      const program = db.prepare(`EXPLAIN ${sql}`).all() as unknown as readonly {
        readonly opcode: string;
        readonly p1: number;
      }[];
      const bound = program.filter(({ opcode }) => opcode === 'Variable').map(({ p1 }) => p1);
      expect(new Set(found.map(({ number }) => number))).toEqual(new Set(bound));
      expect(count).toBe(Math.max(...bound));
    }),
    { seed: 20_281, numRuns: seedCount(500) },
  );
  db.close();
});
