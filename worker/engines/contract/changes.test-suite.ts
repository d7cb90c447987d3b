// The truth table of changes: what is published after a commit, case by case.
import { beforeEach, describe, expect, it } from 'vitest';
import type { EngineInfo } from '#shared/protocol/session.ts';
import type { GetConnection } from '../contract.test-suite.ts';
import type { TransactionChanges } from '../engine.ts';

const SCHEMA = `
  CREATE TABLE a(id INTEGER PRIMARY KEY, x UNIQUE, CHECK (x <> 'bad'));
  CREATE TABLE w(k PRIMARY KEY, v) WITHOUT ROWID;
  CREATE TABLE parent(id INTEGER PRIMARY KEY);
  CREATE TABLE child(id INTEGER PRIMARY KEY, p REFERENCES parent ON DELETE CASCADE);
  CREATE TABLE src(id INTEGER PRIMARY KEY, v);
  CREATE TABLE log(what);
  CREATE TRIGGER src_log AFTER UPDATE ON src BEGIN INSERT INTO log VALUES (new.id); END;
  CREATE VIEW both AS SELECT * FROM src;
  CREATE TRIGGER both_insert INSTEAD OF INSERT ON both BEGIN INSERT INTO src VALUES (new.id, new.v); END;
  CREATE TABLE numbered(id INTEGER PRIMARY KEY AUTOINCREMENT);
  CREATE VIRTUAL TABLE f USING fts5(body);
  CREATE VIRTUAL TABLE f_more USING fts5(body);
  CREATE VIRTUAL TABLE r USING rtree(id, x0, x1);
  CREATE TEMP TABLE scratch(a);
  INSERT INTO a VALUES (1, 'one'), (2, 'two');
  INSERT INTO w VALUES (1, 1);
  INSERT INTO parent VALUES (1);
  INSERT INTO child VALUES (1, 1);
  INSERT INTO src VALUES (1, 1);
  INSERT INTO f VALUES ('hello');
`;

const NONE = null;
const CASES: readonly (readonly [name: string, sql: string, expected: readonly string[] | typeof NONE])[] = [
  ['insert', "INSERT INTO a VALUES (3, 'three')", ['a']],
  ['update', "UPDATE a SET x = 'uno' WHERE id = 1", ['a']],
  ['delete', 'DELETE FROM a WHERE id = 1', ['a']],
  ['upsert', "INSERT INTO a VALUES (1, 'one') ON CONFLICT DO UPDATE SET x = 'eins'", ['a']],
  ['WITHOUT ROWID', 'UPDATE w SET v = 2', ['w']],
  ['DELETE without WHERE', 'DELETE FROM a', ['a']],
  ['DELETE without WHERE of WITHOUT ROWID', 'DELETE FROM w', ['w']],
  ['REPLACE', "REPLACE INTO a VALUES (9, 'one')", ['a']],
  ['cascade', 'DELETE FROM parent', ['child', 'parent']],
  ['trigger', 'UPDATE src SET v = 5', ['log', 'src']],
  ['INSTEAD OF trigger of a view', 'INSERT INTO both VALUES (7, 7)', ['src']],
  ['FTS5', "INSERT INTO f VALUES ('new words')", ['f']],
  ['FTS5 with a name that begins like another', "INSERT INTO f_more VALUES ('x')", ['f_more']],
  ['FTS5 delete', 'DELETE FROM f', ['f']],
  ['R-Tree', 'INSERT INTO r VALUES (1, 0, 1)', ['r']],
  ['AUTOINCREMENT, without its bookkeeping', 'INSERT INTO numbered DEFAULT VALUES', ['numbered']],
  ['RETURNING', "INSERT INTO a VALUES (3, 'three') RETURNING id", ['a']],
  [
    'several statements, one transaction',
    'BEGIN; INSERT INTO log VALUES (1); DELETE FROM a WHERE id = 2; COMMIT',
    ['a', 'log'],
  ],
  [
    'savepoint rolled back',
    'BEGIN; INSERT INTO log VALUES (1); SAVEPOINT s; DELETE FROM a; ROLLBACK TO s; RELEASE s; COMMIT',
    ['log'],
  ],
  ['savepoint kept', 'SAVEPOINT s; DELETE FROM a; RELEASE s', ['a']],
  [
    'inner savepoint rolled back, outer kept',
    'SAVEPOINT o; DELETE FROM w; SAVEPOINT i; DELETE FROM a; ROLLBACK TO i; RELEASE o',
    ['w'],
  ],
  ['everything rolled back to a savepoint', 'BEGIN; SAVEPOINT s; DELETE FROM a; ROLLBACK TO s; COMMIT', NONE],
  ['rollback', 'BEGIN; DELETE FROM a; ROLLBACK', NONE],
  ['empty transaction', 'BEGIN IMMEDIATE; COMMIT', NONE],
  ['no row met', 'DELETE FROM a WHERE id = 99', NONE],
  ['reading', 'SELECT * FROM a', NONE],
  ['temporary table', 'INSERT INTO scratch VALUES (1)', NONE],
  ['ANALYZE', 'ANALYZE', NONE],
  ['VACUUM', 'VACUUM', NONE],
  ['create a table that exists', 'CREATE TABLE IF NOT EXISTS a(x)', NONE],
];

const SCHEMA_CASES: readonly (readonly [sql: string, tables: readonly string[]])[] = [
  ['CREATE TABLE fresh(a)', ['fresh']],
  ['CREATE TABLE copy AS SELECT * FROM a', ['copy']],
  ['ALTER TABLE a ADD COLUMN y', ['a']],
  ['ALTER TABLE w DROP COLUMN v', ['w']],
  ['DROP TABLE log', ['log']],
  ['CREATE INDEX ai ON a(x)', ['a']],
  ['CREATE VIEW seen AS SELECT 1', ['seen']],
  ['DROP VIEW both', ['both']],
  ['CREATE VIRTUAL TABLE g USING fts5(body)', ['g']],
];

export function describeChanges(get: GetConnection, info: () => EngineInfo): void {
  describe('changes', () => {
    let published: TransactionChanges[];
    beforeEach(({ skip }) => {
      skip(!info().capabilities.changes);
      published = [];
      run(get, SCHEMA);
      get().onCommit((changes) => published.push(changes));
    });

    it.each(CASES)('%s', (_name, sql, expected) => {
      run(get, sql);
      expect(published.map(sorted)).toEqual(expected === NONE ? [] : [{ tables: expected, schema: false }]);
    });

    it.each(SCHEMA_CASES)('%s', (sql, tables) => {
      run(get, sql);
      expect(published.map(sorted)).toEqual([expect.objectContaining({ schema: true })]);
      expect(published[0]!.tables).toEqual(expect.arrayContaining([...tables]) as string[]);
    });

    it('publishes nothing of a statement that failed', () => {
      expect(() => get().run("INSERT INTO a VALUES (5, 'five'), (6, 'bad')")).toThrow();
      expect(published).toEqual([]);
      get().run('BEGIN');
      get().run('INSERT INTO log VALUES (1)');
      expect(() => get().run("INSERT INTO a VALUES (5, 'five'), (6, 'bad')")).toThrow();
      get().run('COMMIT');
      expect(published).toEqual([{ tables: ['log'], schema: false }]);
    });

    it('publishes what INSERT OR FAIL kept', () => {
      expect(() => get().run("INSERT OR FAIL INTO a VALUES (5, 'five'), (6, 'one')")).toThrow();
      expect(published).toEqual([{ tables: ['a'], schema: false }]);
    });

    it('publishes when the statement has returned: the listener may query', () => {
      let rows: unknown;
      get().onCommit(() => (rows = get().one('SELECT count(*) FROM a')));
      get().run('DELETE FROM a WHERE id = 1');
      expect(rows).toEqual([1]);
    });

    it('publishes a half-read RETURNING when it is let go', () => {
      const statement = get().prepare("INSERT INTO a VALUES (3, 'c'), (4, 'd') RETURNING id");
      expect(statement.step()).toBe(true);
      statement.finalize();
      expect(published).toEqual([{ tables: ['a'], schema: false }]);
      expect(get().one('SELECT count(*) FROM a')).toEqual([4]);
    });
  });
}

function run(get: GetConnection, sql: string): void {
  const script = get().script(sql);
  for (let statement = script.next(); statement !== null; statement = script.next()) while (statement.step());
}

function sorted(changes: TransactionChanges): TransactionChanges {
  return { ...changes, tables: changes.tables === null ? null : changes.tables.toSorted() };
}
