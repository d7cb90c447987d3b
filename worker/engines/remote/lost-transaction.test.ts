// A transaction that the server has ended: whichever statement notices says so, the reason is kept, and nothing of it is saved afterward.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer } from '../../../build/sqld/test-server.ts';
import type { TestServer } from '../../../build/sqld/test-server.ts';
import type { RemoteConnection } from './remote-connection.ts';
import type { Engine } from '../engine.ts';
import { serverEngine } from './server-engine.test-suite.ts';

const server = await startTestServer();
const TIMED_OUT = /^The server ends transactions after a few seconds.* The open transaction was rolled back\.$/;
const INSERT = 'INSERT INTO t VALUES (2)';

const NOTICES: Readonly<Record<string, (connection: RemoteConnection) => unknown>> = {
  'a read': (connection) => connection.one('SELECT 1'),
  'a write': (connection) => connection.run(INSERT),
  'a savepoint': (connection) => connection.run('SAVEPOINT s'),
  'a setting': (connection) => connection.run('PRAGMA foreign_keys'),
  'the question what a statement means': (connection) => connection.check('SELECT * FROM nowhere'),
  'statements in one round trip': (connection) => connection.runInTransaction([{ sql: INSERT, params: [] }], false),
};

describe.skipIf('why' in server)('a transaction that the server has ended', () => {
  const { url, controls, end } = server as TestServer;
  let engine: Engine;
  beforeAll(async () => {
    engine = await serverEngine(url);
  });
  afterAll(() => end());
  const open = (location: string) => engine.open(location, { durability: 'full' }) as RemoteConnection;

  describe('because another client waited to write', () => {
    const opened = new Map<string, { readonly own: RemoteConnection; readonly other: RemoteConnection }>();
    // All of them are ended after one wait of 5 s.
    beforeAll(() => {
      for (const name of [...Object.keys(NOTICES), 'COMMIT', 'ROLLBACK']) {
        const [own, other] = [0, 0].map(() => open(`ended${opened.size}`)) as [RemoteConnection, RemoteConnection];
        own.run('CREATE TABLE t(a)');
        opened.set(name, { own, other });
      }
      // Soon after one another: a server also ends what has been idle for 10 s, and says so in other words.
      for (const { own } of opened.values()) {
        own.run('BEGIN');
        own.run('INSERT INTO t VALUES (1)');
      }
      for (const { other } of opened.values()) other.run('INSERT INTO t VALUES (99)');
    });
    afterAll(() => {
      for (const { own, other } of opened.values()) for (const connection of [own, other]) connection.close();
    });

    it.each(Object.keys(NOTICES))('%s notices, and what follows begins anew', (name) => {
      const { own, other } = opened.get(name)!;
      const before = own.rollbacks;
      expect(() => NOTICES[name]!(own)).toThrow(TIMED_OUT);
      expect([own.autocommit, own.rollbacks - before, own.whyLost?.message]).toEqual([
        true,
        1,
        expect.stringMatching(TIMED_OUT) as string,
      ]);
      expect(other.all('SELECT a FROM t')).toEqual([[99]]);
      own.run('BEGIN');
      expect(own.whyLost).toBeNull();
      own.run(INSERT);
      own.run('COMMIT');
      expect([own.whyLost, other.all('SELECT a FROM t')]).toEqual([null, [[99], [2]]]);
    });

    it.each(['COMMIT', 'ROLLBACK'])('%s is told so itself', (sql) => {
      const { own, other } = opened.get(sql)!;
      expect(() => own.run(sql)).toThrow(TIMED_OUT);
      expect([own.autocommit, own.whyLost]).toEqual([true, null]);
      expect(other.all('SELECT a FROM t')).toEqual([[99]]);
    });
  });

  describe('without a reply', () => {
    let own: RemoteConnection;
    let made = 0;
    beforeEach(() => {
      own = open(`lost${++made}`);
      own.run('CREATE TABLE t(a UNIQUE)');
      own.run('INSERT INTO t VALUES (2)');
      own.run('BEGIN');
      own.run('INSERT INTO t VALUES (1)');
      return () => own.close();
    });

    it.each(Object.keys(NOTICES))('%s notices', (name) => {
      controls.fail('cut');
      expect(() => NOTICES[name]!(own)).toThrow(/The open transaction was lost, and none of it was saved\.$/);
      expect(own.whyLost?.message).toMatch(/The open transaction was lost, and none of it was saved\.$/);
      expect([own.autocommit, own.all('SELECT a FROM t')]).toEqual([true, [[2]]]);
    });

    it('COMMIT is told so itself', () => {
      controls.fail('cut');
      expect(() => own.run('COMMIT')).toThrow();
      expect([own.autocommit, own.whyLost]).toEqual([true, null]);
    });

    it.each(['cut', 'lose', 'truncate'] as const)('ROLLBACK has saved nothing, whatever became of it: %s', (fault) => {
      controls.fail(fault);
      expect(() => own.run('ROLLBACK')).toThrow(/The open transaction was lost, and none of it was saved\.$/);
      expect([own.autocommit, own.whyLost, own.all('SELECT a FROM t')]).toEqual([true, null, [[2]]]);
    });

    it('RELEASE of the savepoint that began it may have committed it, although the reply is lost', () => {
      own.run('ROLLBACK');
      own.run('SAVEPOINT s');
      own.run('INSERT INTO t VALUES (3)');
      controls.fail('lose');
      expect(() => own.run('RELEASE s')).toThrow(/^It is unknown whether this was saved\./);
      expect([own.autocommit, own.whyLost, own.all('SELECT a FROM t')]).toEqual([true, null, [[2], [3]]]);
    });

    it('a statement that has itself rolled it back is to blame', () => {
      expect(() => own.run('INSERT OR ROLLBACK INTO t VALUES (2)')).toThrow(/The open transaction was rolled back\.$/);
      expect([own.autocommit, own.rollbacks, own.whyLost]).toEqual([true, 1, null]);
    });
  });
});
