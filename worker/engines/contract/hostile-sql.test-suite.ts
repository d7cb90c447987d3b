// Text that was made to get past what is refused: in odd white space, behind many tokens, or before it is run at all.
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { needs } from './subject.test-suite.ts';
import type { GetConnection } from './subject.test-suite.ts';
import type { Connection } from '../engine.ts';
import type { TransactionChanges } from '../transaction-changes.ts';

const MANY_BLANKS = ' \v'.repeat(24);

const REFUSED: readonly string[] = [
  `VACUUM${MANY_BLANKS}INTO '/tmp/other.sqlite3'`,
  `VACUUM main${MANY_BLANKS}INTO '/tmp/other.sqlite3'`,
  `VACUUM INTO ('/tmp/' || 'other.sqlite3')`,
  `ATTACH${MANY_BLANKS}DATABASE '/other.sqlite3' AS o`,
  `ATTACH ':memory:' || '/other.sqlite3' AS o`,
  `PRAGMA${MANY_BLANKS}hard_heap_limit = 1000`,
  'PRAGMA \vhard_heap_limit \v= 1000',
  'PRAGMA main. \v"soft_heap_limit"(1000)',
  `EXPLAIN${MANY_BLANKS}PRAGMA hard_heap_limit = 1000`,
  'EXPLAIN QUERY PLAN PRAGMA soft_heap_limit = 1000',
  'PRAGMA trusted_schema = ON',
  'PRAGMA \vtrusted_schema(1)',
  'PRAGMA cell_size_check = OFF',
  'PRAGMA no_such_pragma',
];

export function describeHostileSql(get: GetConnection): void {
  describe('hostile SQL', () => {
    it.each(REFUSED)('refuses %j', (sql) => {
      expect(failure(() => get().run(sql)).code).toBe('unavailable');
    });

    it.each([
      ['a token', (long: string) => `SELECT 1 a ${long}`],
      ['a literal without an end', (long: string) => `SELECT '${long}`],
      ['a column', (long: string) => `SELECT ${long}`],
      ['a table', (long: string) => `SELECT 1 FROM ${long}`],
    ])('is refused in short words, however long %s is', (_, sql) => {
      const { message, detail } = failure(() => get().run(sql('x'.repeat(1_000_000))));
      expect(message.length + JSON.stringify(detail ?? {}).length).toBeLessThan(10_000);
      expect(message).toContain('xxx…xxx');
    });

    it.each(REFUSED)('leaves all settings as they are after %j', needs('settings'), (sql) => {
      failure(() => get().run(sql));
      expect(get().one('PRAGMA hard_heap_limit')).toEqual([0]);
      expect(get().one('PRAGMA soft_heap_limit')).toEqual([0]);
      expect(get().one('PRAGMA trusted_schema')).toEqual([0]);
      expect(get().all('SELECT name FROM pragma_database_list')).toEqual([['main']]);
    });

    it.each([
      ['DELETE', 'WITH x AS (SELECT 1) \v DELETE FROM t', { deleted: true }],
      ['INSERT', `WITH${MANY_BLANKS}x AS (SELECT 1) \vINSERT INTO t SELECT * FROM x`, { inserted: true }],
      ['UPDATE', 'WITH x AS (SELECT 7) \v UPDATE \v t SET a = (SELECT * FROM x)', { updated: true }],
      ['DELETE', `DELETE${MANY_BLANKS}FROM t`, { deleted: true }],
    ])('publishes what %s changes in %j', needs('vertical tabs'), (_, sql, change) => {
      get().run('CREATE TABLE t(a)');
      get().run('INSERT INTO t VALUES (1)');
      const published: TransactionChanges[] = [];
      get().onCommit((changes) => published.push(changes));
      get().run(sql);
      expect(published).toHaveLength(1);
      const { tables } = published[0]!;
      // Null: anything may have changed.
      if (tables !== null) expect(tables.get('t')).toMatchObject(change);
    });

    it('publishes what a trigger of a temporary table does to a table of the file', needs('TEMP tables'), () => {
      get().run('CREATE TABLE t(a)');
      get().run('CREATE TEMP TABLE s(a)');
      get().run('CREATE TEMP TRIGGER tr AFTER INSERT ON s BEGIN INSERT INTO t VALUES (new.a); END');
      const published: TransactionChanges[] = [];
      get().onCommit((changes) => published.push(changes));
      get().run('INSERT INTO s VALUES (1)');
      expect(published).toHaveLength(1);
      expect(published[0]!.tables === null || published[0]!.tables.get('t')?.inserted).toBe(true);
    });

    it.each<readonly [string, string | null]>([
      ['BEGIN', 'transaction'],
      ['/**/ \vBEGIN IMMEDIATE', 'transaction'],
      [' \vCOMMIT', 'transaction'],
      ['END', 'transaction'],
      ['ROLLBACK', 'transaction'],
      [`SAVEPOINT${MANY_BLANKS}a`, 'savepoint'],
      ["ATTACH \v':memory:' AS m", 'attach'],
      ['DETACH m', 'attach'],
      [' \vVACUUM', 'vacuum'],
      ['VACUUM', 'vacuum'],
      ['EXPLAIN VACUUM', null],
      ['SELECT 1', null],
      ['CREATE TABLE t(a)', null],
      ['REINDEX', null],
      ['ANALYZE', null],
      ['PRAGMA user_version = 1', null],
      ['EXPLAIN COMMIT', null],
    ])('knows what %j does to the connection: %s', (sql, control) => {
      const statement = get().prepare(sql);
      expect(statement.control).toBe(control);
      statement.finalize();
    });

    it('finds errors in a text without running any of it, PRAGMAs neither', needs('settings'), () => {
      const before = settings(get());
      for (const sql of [
        'PRAGMA foreign_keys = OFF',
        'PRAGMA \vignore_check_constraints = ON',
        'EXPLAIN PRAGMA recursive_triggers = ON',
        'EXPLAIN QUERY PLAN PRAGMA query_only = ON',
        'PRAGMA user_version = 7',
        'PRAGMA cache_size(7)',
      ])
        get().check(sql);
      expect(settings(get())).toEqual(before);
      expect(failure(() => get().check('PRAGMA foreign_keys =')).code).toBe('sql');
      expect(failure(() => get().check('SELECT nope')).sqlite?.offset).toBe(7);
      // A checked statement can be run afterwards.
      get().run('PRAGMA user_version = 7');
      expect(get().one('PRAGMA user_version')).toEqual([7]);
    });

    it.each([
      'SELEC 1',
      '\v',
      '(SELECT 1)',
      '"PRAGMA" x',
      'PRAGMA',
      'PRAGMA user_version = 1 2',
      'EXPLAIN',
      'EXPLAIN QUERY user_version',
    ])('says that %j is no statement', (sql) => {
      expect(failure(() => get().run(sql)).code).toBe('sql');
    });

    it('has an answer for every PRAGMA this SQLite has', needs('pragma_pragma_list'), () => {
      for (const [name] of get().all('SELECT name FROM pragma_pragma_list')) {
        const error = attempt(() => get().check(`PRAGMA ${String(name)}`));
        expect(`${String(name)}: ${error?.message ?? ''}`).not.toContain('not known');
      }
    });
  });
}

function settings(connection: Connection): readonly unknown[] {
  return [
    'foreign_keys',
    'ignore_check_constraints',
    'recursive_triggers',
    'query_only',
    'user_version',
    'cache_size',
  ].map((name) => connection.one(`PRAGMA ${name}`));
}

function attempt(run: () => void): AppError | null {
  try {
    run();
    return null;
  } catch (error) {
    return error as AppError;
  }
}

function failure(run: () => void): AppError {
  const error = attempt(run);
  expect(error).toBeInstanceOf(AppError);
  return error!;
}
