// A formatted statement is the one that it was.
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { formatStatement, formatStatements } from './format-sql.ts';

describe('formatting', () => {
  it('lays a statement out, and leaves words, names and comments as they are', () => {
    expect(formatStatement('select a,B "x y" from t -- why\nwhere a=1 and b in (1,2) /* all */ order by 1;')).toBe(
      [
        'select', '  a,', '  B "x y"', 'from', '  t -- why', 'where', '  a = 1', '  and b in (1, 2) /* all */', 'order by', '  1;',
      ].join('\n'), // prettier-ignore
    );
  });

  it.each([
    'CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM u; END',
    'create temp trigger r after insert on t begin delete from u; end',
    "CREATE VIRTUAL TABLE f USING fts5(a,tokenize='porter')",
    "SELECT 'never closed",
    'SELECT (',
  ])('keeps what it does not understand: %s', (sql) => {
    expect(formatStatement(sql)).toBeNull();
  });

  it('changes only statements that look different afterwards, and counts those it kept', () => {
    const sql = 'select 1;\n-- between\ncreate virtual table f using fts5(a);\nselect\n  2;';
    const at = (text: string) => ({ from: sql.indexOf(text), to: sql.indexOf(text) + text.length });
    const places = [at('select 1;'), at('create virtual table f using fts5(a);'), at('select\n  2;')];
    expect(formatStatements(sql, places)).toEqual({
      changes: [{ ...at('select 1;'), insert: 'select\n  1;' }],
      kept: 1,
    });
  });
});

test('SQLite makes the same program of it', () => {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, "c d" REAL); CREATE TABLE u(a, b)');
  const program = (sql: string): unknown => {
    try {
      return db.prepare(`EXPLAIN ${sql}`).all();
    } catch (error) {
      return String(error);
    }
  };
  const name = fc.constantFrom('a', 'b', '"c d"', '[c d]', 't.a', '`b`');
  const value = fc.constantFrom('1', '-1', '- -1', "'x''y'", "x'00ff'", '1.5e3', 'NULL', '?1', ':p', "'--'", 'rowid');
  const operator = fc.constantFrom(
    '+',
    '-',
    '||',
    '<<',
    '>=',
    '<>',
    '==',
    'IS NOT',
    'LIKE',
    '->',
    '->>',
    '/',
    '%',
    'COLLATE nocase =',
  );
  const blank = fc.constantFrom(' ', '\n', '  ', ' /* c */ ', ' -- d\n', '\t');
  const term = fc.tuple(name, blank, operator, blank, value).map((parts) => parts.join(''));
  const statement = fc.oneof(
    fc
      .tuple(term, blank, term)
      .map(
        ([a, b, c]) =>
          `SELECT ${a},${b}${c} AS "x" FROM t${b}LEFT JOIN u USING (a) WHERE${b}${c} GROUP BY 1${b}ORDER BY 2 DESC NULLS LAST LIMIT 5`,
      ),
    fc
      .tuple(term, term, blank)
      .map(
        ([a, b, c]) =>
          `WITH r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r WHERE n<5)${c}SELECT CASE WHEN ${a} THEN n ELSE ${b} END FROM r, t`,
      ),
    fc.tuple(value, blank, term).map(([a, b, c]) => `UPDATE t SET b=${a},${b}"c d"=2 WHERE ${c} RETURNING a,b`),
    fc
      .tuple(value, blank)
      .map(([a, b]) => `INSERT INTO t(a,b) VALUES(NULL,${a}),(2,'y')${b}ON CONFLICT(a) DO UPDATE SET b=excluded.b`),
    fc
      .tuple(term, blank)
      .map(([a, b]) => `SELECT${b}sum(a) OVER (PARTITION BY b ORDER BY a ROWS 1 PRECEDING), ${a} FROM t`),
  );
  let formatted = 0;
  fc.assert(
    fc.property(statement, (sql) => {
      const result = formatStatement(sql);
      if (result === null) return;
      formatted++;
      expect(program(result)).toEqual(program(sql));
      expect(formatStatement(result)).toBe(result);
    }),
    { seed: 20_301, numRuns: seedCount(1_000) },
  );
  // Otherwise nothing would have been held against SQLite.
  expect(formatted).toBeGreaterThan(seedCount(1_000) / 2);
  db.close();
});
