import { expect, test } from 'vitest';
import { processorMsOf } from '#shared/processor-time.test-suite.ts';
import { leadingKeyword, splitStatements } from './split-statements.ts';

test.each<[string, string[]]>([
  ['', []],
  [' ;; -- nothing\n', []],
  ['SELECT 1', ['SELECT 1']],
  ['SELECT 1;SELECT 2;', ['SELECT 1;', 'SELECT 2;']],
  ['SELECT \';\' ; SELECT "a;b", [c;d], `e;f`', ["SELECT ';' ;", 'SELECT "a;b", [c;d], `e;f`']],
  ['-- a; b\nSELECT 1 /* ; */; -- end', ['SELECT 1 /* ; */;']],
  ["SELECT 'it''s;'; SELECT 2", ["SELECT 'it''s;';", 'SELECT 2']],
  [
    'CREATE TRIGGER a AFTER INSERT ON t BEGIN SELECT 1; UPDATE t SET x = CASE WHEN 1 THEN 2 END; END; SELECT 3',
    ['CREATE TRIGGER a AFTER INSERT ON t BEGIN SELECT 1; UPDATE t SET x = CASE WHEN 1 THEN 2 END; END;', 'SELECT 3'],
  ],
  ['CREATE TEMP TRIGGER a BEGIN SELECT 1; END; SELECT 2', ['CREATE TEMP TRIGGER a BEGIN SELECT 1; END;', 'SELECT 2']],
  [
    'EXPLAIN CREATE TRIGGER a BEGIN SELECT 1; END; SELECT 2',
    ['EXPLAIN CREATE TRIGGER a BEGIN SELECT 1; END;', 'SELECT 2'],
  ],
  [
    'EXPLAIN QUERY PLAN CREATE TEMP TRIGGER a BEGIN SELECT 1;; END; -- end',
    ['EXPLAIN QUERY PLAN CREATE TEMP TRIGGER a BEGIN SELECT 1;; END;'],
  ],
  ['CREATE TRIGGER a BEGIN SELECT 1; END', ['CREATE TRIGGER a BEGIN SELECT 1; END']],
  ['CREATE TABLE trigger_log (x); SELECT 1', ['CREATE TABLE trigger_log (x);', 'SELECT 1']],
  ["SELECT 'open; string", ["SELECT 'open; string"]],
  ['SELECT 1; /* open; comment', ['SELECT 1;']],
])('%j', (sql, statements) => {
  expect(splitStatements(sql).map(({ from, to }) => sql.slice(from, to))).toEqual(statements);
});

test('finds the first word behind comments', () => {
  expect(leadingKeyword('/* a */ -- b\n ; begin immediate')).toBe('BEGIN');
  expect(leadingKeyword('SELECT 1; commit', 9)).toBe('COMMIT');
  expect(leadingKeyword('(SELECT 1)')).toBe('');
});

test('a long text splits in linear time', async () => {
  const sql = "INSERT INTO t VALUES (1, 'text');\n".repeat(100_000);
  const spentMs = await processorMsOf(() => expect(splitStatements(sql)).toHaveLength(100_000));
  expect(spentMs).toBeLessThan(1000);
});
