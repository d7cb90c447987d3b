// Tables that are made anew on a server: with what belongs to them and every value, or not at all.
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FAULTS } from '../../build/sqld/proxy-controls.ts';
import { startTestServer } from '../../build/sqld/test-server.ts';
import type { TestServer } from '../../build/sqld/test-server.ts';
import { LONG, sampled } from '#shared/seed-count.test-suite.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import { changeSchema, isClean } from '../schema-change/change.ts';
import { planChanges } from '../schema-change/plan.ts';
import { dump, make, opener, run } from './rebuild.test-suite.ts';
import type { Opener } from './rebuild.test-suite.ts';

const server = await startTestServer();

/** A table with what a table can have, and others that depend on it. */
const EVERYTHING = [
  'CREATE TABLE parent(id INTEGER PRIMARY KEY, name TEXT UNIQUE)',
  "INSERT INTO parent VALUES (1, 'one'), (2, 'two')",
  `CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT COLLATE NOCASE, b, parent INTEGER REFERENCES parent(id) ON DELETE CASCADE,
     up AS (upper(a)) STORED, CHECK (a <> 'never'))`,
  `INSERT INTO t(id, a, b, parent) VALUES (1, 'é', 9007199254740993, 1), (2, 'two', -0.0, 2), (7, NULL, x'00ff', NULL), (9, 'a' || char(0) || 'b', 1e300, 1),
     (12, '007', '007', 2)`,
  'DELETE FROM t WHERE id = 12',
  'CREATE TABLE child(id INTEGER PRIMARY KEY, t INTEGER REFERENCES t(id) ON DELETE CASCADE)',
  'INSERT INTO child VALUES (1, 1), (2, 7)',
  'CREATE TABLE log(what)',
  'CREATE INDEX t_a ON t(a)',
  "CREATE UNIQUE INDEX t_b ON t(b) WHERE b > 'x'",
  'CREATE TRIGGER t_changes AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (new.id); END',
  'CREATE TRIGGER t_is_made AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.id); END',
  'CREATE TRIGGER log_reads AFTER DELETE ON log BEGIN UPDATE t SET b = b WHERE id = old.what; END',
  'CREATE VIEW v AS SELECT a, parent FROM t',
  'CREATE VIEW w AS SELECT count(*) AS n FROM v',
];
const MADE_ANEW = `CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, b, a TEXT NOT NULL DEFAULT '' COLLATE NOCASE, parent INTEGER REFERENCES parent(id) ON DELETE CASCADE,
     up AS (upper(a)) STORED, c REAL DEFAULT 2, CHECK (t.a <> 'never'))`;
const COLUMNS = ['id', 'b', 'a', 'parent', 'up', null];

const changeTo = (sql: string, columns: readonly (string | null)[]): SchemaChange => ({
  kind: 'change-table',
  table: 't',
  sql,
  columns,
});
const ANEW = changeTo(MADE_ANEW, COLUMNS);

describe.skipIf('why' in server)('a table that is made anew on a server', { timeout: 120_000 }, () => {
  const { url, controls, end } = server as TestServer;
  let made = 0;
  let open: Opener;
  let connection: Connection;
  beforeAll(async () => {
    open = await opener(server as TestServer);
  });
  afterAll(() => end());
  beforeEach(() => {
    connection = open.there(`rebuild${++made}`);
    return () => connection.close();
  });

  function setUp(...statements: readonly string[]): void {
    connection.run('BEGIN');
    for (const sql of statements) connection.run(sql);
    connection.run('COMMIT');
  }

  it('keeps every value, row id, count, key, index, trigger, and view, word for word', () => {
    setUp(...EVERYTHING, "UPDATE t SET a = 'none' WHERE a IS NULL", 'DELETE FROM log');
    const here = open.here();
    for (const sql of [...EVERYTHING, "UPDATE t SET a = 'none' WHERE a IS NULL", 'DELETE FROM log']) here.run(sql);
    expect(dump(connection)).toEqual(dump(here));
    const report = make(connection, [ANEW]);
    make(here, [ANEW]);
    expect(dump(connection)).toEqual(dump(here));
    expect(isClean(report)).toBe(true);
    expect(report).toMatchObject({
      keysChecked: ['child', 't'],
      integrityChecked: ['t'],
      tables: [{ table: 't', rowsBefore: 4, rowsAfter: 4, rowids: 'kept' }],
    });
    expect(report.tables[0]!.columns.map(({ name, values }) => `${name} ${values}`)).toEqual(['id same', 'b same', 'a same', 'parent same', 'up computed', 'c new']); // prettier-ignore
    expect(report.restored.map(({ name }) => name)).toEqual(['t_a', 't_b', 't_changes', 't_is_made']);
    // What is shown has the same outcome.
    const shown = open.there(`rebuild${++made}`);
    for (const sql of [...EVERYTHING, "UPDATE t SET a = 'none' WHERE a IS NULL", 'DELETE FROM log']) shown.run(sql);
    shown.beginWithoutForeignKeys();
    for (const sql of report.sql) shown.run(sql);
    shown.run('COMMIT');
    expect(dump(shown)).toEqual(dump(here));
    shown.close();
    here.close();
  });

  it('takes one request besides the checks before and behind it', () => {
    setUp('CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT)', "INSERT INTO t VALUES (1, 'one')");
    connection.one('SELECT 1 FROM t');
    const before = controls.requests;
    make(connection, [changeTo('CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT) STRICT', ['id', 'a'])]);
    expect(controls.requests - before).toBeLessThanOrEqual(5);
  });

  it('counts values that another type changes', () => {
    setUp('CREATE TABLE t(a TEXT, b)', "INSERT INTO t VALUES ('1', 'x'), ('007', 'y'), ('two', 'z')");
    const report = make(connection, [changeTo('CREATE TABLE t(a INTEGER, b)', ['a', 'b'])]);
    expect(report.tables[0]!.columns[0]).toEqual({ name: 'a', from: 'a', values: 'converted', changed: 2 });
    expect(connection.all('SELECT a FROM t')).toEqual([[1], [7], ['two']]);
  });

  it('is planned, with the rows in the way', () => {
    setUp(...EVERYTHING);
    const { steps, obstacles } = run(connection, (work) => planChanges(work, [ANEW]));
    expect(steps.map(({ kind }) => kind)).toEqual(['rebuild']);
    expect(obstacles.map(({ kind, count }) => [kind, count])).toEqual([['not-null', 1]]);
  });

  it('stays as it was if a row does not fit, or what depends on it breaks', () => {
    setUp(...EVERYTHING);
    const before = dump(connection);
    expect(() => make(connection, [ANEW])).toThrow('“a” of “t” cannot be NULL. Everything is as it was before.');
    expect(dump(connection)).toEqual(before);
    expect(() => make(connection, [changeTo('CREATE TABLE t(id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID', ['b'])])).toThrow(/Everything is as it was/); // prettier-ignore
    expect(dump(connection)).toEqual(before);
    setUp("UPDATE t SET a = '' WHERE a IS NULL");
    const without = MADE_ANEW.replace('parent INTEGER REFERENCES parent(id) ON DELETE CASCADE,', '');
    const report = run(connection, (work) => changeSchema(work, [changeTo(without, ['id', 'b', 'a', 'up', null])]));
    expect(report.broken.map(({ name }) => name).toSorted()).toEqual(['v', 'w']);
    connection.run('ROLLBACK');
  });

  it('says which key is NULL, which SQLite would replace by any number', () => {
    setUp('CREATE TABLE t(a INTEGER, b)', 'INSERT INTO t VALUES (5, 1), (NULL, 2)');
    expect(() => make(connection, [changeTo('CREATE TABLE t(a INTEGER PRIMARY KEY, b)', ['a', 'b'])])).toThrow(
      '“a” is NULL in one row of “t”, so it cannot be its primary key. Everything is as it was before.',
    );
    expect(connection.all('SELECT rowid, * FROM t')).toEqual([[1, 5, 1], [2, null, 2]]); // prettier-ignore
  });

  const faults = FAULTS.filter((fault) => fault !== 'none' && fault !== 'hang');
  it.each(sampled(faults.flatMap((fault) => [0, 1, 2, 3, 4].map((before) => [fault, before] as const))))(
    'is whole, in its old form or its new one, after %s at request %i',
    (fault, before) => {
      setUp('CREATE TABLE t(a TEXT)', "INSERT INTO t VALUES ('1'), ('007')", 'CREATE INDEX i ON t(a)');
      connection.one('SELECT 1 FROM t');
      const old = dump(connection);
      controls.fail(fault, 1, before);
      let thrown: unknown = null;
      try {
        make(connection, [changeTo('CREATE TABLE t(a INTEGER)', ['a'])]);
      } catch (error) {
        thrown = error;
      }
      controls.fail('none', 0);
      const now = readAgain();
      if (thrown === null) return expect(now.sql).toBe('CREATE TABLE t(a INTEGER)');
      expect(thrown).toBeInstanceOf(AppError);
      expect((thrown as AppError).message).toMatch(/Everything is as it was before|none of it was saved/);
      expect(now.dump).toEqual(old);
    },
  );

  /** A server that was killed needs a moment. */
  function readAgain(): { readonly sql: unknown; readonly dump: unknown } {
    const word = new Int32Array(new SharedArrayBuffer(4));
    for (;;) {
      try {
        if (!connection.autocommit) connection.run('ROLLBACK');
        connection.refreshSchema?.();
        return { sql: connection.one("SELECT sql FROM sqlite_schema WHERE name = 't'")![0], dump: dump(connection) };
      } catch {
        Atomics.wait(word, 0, 0, 50);
      }
    }
  }

  // That a transaction is over once another client has waited is shown in lost-transaction.test.ts.
  it.runIf(LONG)(
    'stays as it was, and says why, if someone else waits to write for longer than the server lets them',
    async () => {
      setUp(...EVERYTHING, "UPDATE t SET a = '' WHERE a IS NULL");
      const before = dump(connection);
      controls.delayMs = 2500;
      const body = {
        requests: [{ type: 'execute', stmt: { sql: 'INSERT INTO parent(id) VALUES (99)' } }, { type: 'close' }],
      };
      const code = `const { workerData } = require('worker_threads');
      setTimeout(() => fetch(workerData.url, { method: 'POST', body: workerData.body }), 4000);`;
      const other = new Worker(code, { eval: true, workerData: { url: `${url(`rebuild${made}`)}v3/pipeline`, body: JSON.stringify(body) } }); // prettier-ignore
      const ended = new Promise((resolve) => other.once('exit', resolve));
      try {
        expect(() => make(connection, [ANEW])).toThrow(/^The server ends transactions after a few seconds/);
      } finally {
        controls.delayMs = 0;
        await ended;
      }
      connection.run('DELETE FROM parent WHERE id = 99');
      expect(dump(connection)).toEqual(before);
    },
  );

  it('is stopped at once, and stays as it was', () => {
    setUp(
      'CREATE TABLE t(id INTEGER PRIMARY KEY, a)',
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) INSERT INTO t SELECT i, i FROM n',
    );
    connection.one('SELECT 1 FROM t');
    const began = performance.now();
    let asked = Infinity;
    connection.onProgress(() => {
      const isOver = performance.now() - began > 100;
      if (isOver) asked = Math.min(asked, performance.now());
      return isOver;
    });
    const stop = () => make(connection, [changeTo('CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT)', ['id', 'a'])]);
    expect(stop).toThrow('The schema change was stopped. Everything is as it was before.');
    expect(performance.now() - asked).toBeLessThan(1000);
    connection.onProgress(null);
    connection.run('UPDATE t SET a = 0 WHERE id = 5');
    expect(connection.one("SELECT sql, (SELECT sum(a) FROM t) FROM sqlite_schema WHERE name = 't'")).toEqual([
      'CREATE TABLE t(id INTEGER PRIMARY KEY, a)',
      (300000 * 300001) / 2 - 5,
    ]);
  });
});
