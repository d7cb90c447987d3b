// Failures arrive as errors with a code, a sentence and SQLite's own account.
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { needs } from './subject.test-suite.ts';
import type { GetConnection } from './subject.test-suite.ts';
import type { Connection } from '../engine.ts';

const SCHEMA = [
  `CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, age CHECK (age > 0), UNIQUE (name, age))`,
  `CREATE TABLE album(id INTEGER PRIMARY KEY, artist REFERENCES artist)`,
  `CREATE TABLE strict_one(n INTEGER) STRICT`,
  `CREATE TRIGGER no_nine BEFORE INSERT ON album WHEN new.id = 9 BEGIN SELECT RAISE(ABORT, 'nine is taken'); END`,
  `INSERT INTO artist VALUES (1, 'Ella', 50)`,
];

type Refused = readonly [sql: string, extended: number, words: readonly string[]];
const CONSTRAINTS: readonly Refused[] = [
  ["INSERT INTO artist VALUES (2, 'Ella', 1)", 2067, ['artist', 'name']],
  ['INSERT INTO artist VALUES (2, NULL, 1)', 1299, ['artist', 'name', 'NULL']],
  ["INSERT INTO artist VALUES (2, 'Nina', -1)", 275, ['age > 0']],
  ['INSERT INTO album VALUES (1, 77)', 787, ['foreign key']],
  ["INSERT INTO strict_one VALUES ('text')", 3091, ['strict_one', 'n', 'INTEGER', 'TEXT']],
  ['INSERT INTO album VALUES (9, 1)', 1811, ['nine is taken']],
];
const OF_PRIMARY_KEY: readonly Refused[] = [["INSERT INTO artist VALUES (1, 'Nina', 1)", 1555, ['artist', 'id']]];

export function describeErrors(get: GetConnection): void {
  describe('errors', () => {
    const isRefused = ([sql, extended, words]: Refused): void => {
      for (const statement of SCHEMA) get().run(statement);
      const before = get().totalChanges;
      const error = failure(get(), sql);
      expect(error.code).toBe('constraint');
      expect(error.sqlite).toEqual({ result: 19, extended, offset: -1 });
      for (const word of words) expect(error.message).toContain(word);
      expect(get().totalChanges).toBe(before);
    };
    it.for(CONSTRAINTS)('%s: says which constraint refused', isRefused);
    it.for(OF_PRIMARY_KEY)('%s: says which constraint refused', needs('primary key errors'), isRefused);

    it.each([
      ["SELECT 'ü', * FORM x", 'FORM'],
      ["SELECT '😀', nope", 'nope'],
    ])('%s: gives the place in UTF-16', (sql, word) => {
      const error = failure(get(), sql);
      expect(error.code).toBe('sql');
      expect(error.sqlite?.offset).toBe(sql.indexOf(word));
    });

    it('refuses two statements where one is expected, and none', () => {
      expect(failure(get(), 'SELECT 1; SELECT 2').sqlite?.offset).toBe(10);
      expect(failure(get(), ' -- nothing').code).toBe('sql');
      expect(get().one('SELECT 1; -- a comment is no statement')).toEqual([1]);
    });

    it('refuses other files and process-wide settings', () => {
      expect(failure(get(), "ATTACH '/other.sqlite3' AS o").code).toBe('unavailable');
      expect(failure(get(), "VACUUM INTO '/other.sqlite3'").code).toBe('unavailable');
      expect(failure(get(), 'PRAGMA hard_heap_limit = 1000').code).toBe('unavailable');
    });

    it('attaches memory', needs('ATTACH'), () => {
      get().run("ATTACH ':memory:' AS m");
      get().run('CREATE TABLE m.t(a)');
      expect(get().all('SELECT * FROM m.t')).toEqual([]);
    });

    it('refuses to break a hostile schema open', needs('settings'), () => {
      get().run('CREATE TABLE t(a)');
      get().run('PRAGMA writable_schema = ON');
      expect(failure(get(), "UPDATE sqlite_schema SET sql = 'x'").code).toBe('sql');
    });

    it('says that a value is too big', () => {
      expect(failure(get(), 'SELECT zeroblob(1000000001)').code).toBe('too-big');
    });

    it('goes on after a failure', () => {
      for (const statement of SCHEMA) get().run(statement);
      const insert = get().prepare('INSERT INTO artist(name) VALUES (?)');
      insert.bind(['Ella']);
      expect(() => insert.step()).toThrow(expect.objectContaining({ code: 'constraint' }));
      insert.bind(['Nina']);
      expect(insert.step()).toBe(false);
      insert.finalize();
      expect(get().all('SELECT name FROM artist')).toEqual([['Ella'], ['Nina']]);
    });
  });
}

function failure(connection: Connection, sql: string): AppError {
  try {
    connection.all(sql);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).message).toMatch(/^\P{Ll}[^]*[.!?]$/u);
    return error as AppError;
  }
  throw new Error(`${sql} did not fail`);
}
