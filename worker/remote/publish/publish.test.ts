// Publishing to a real server: every value and every object arrives, and failures are reported, can be continued, and be removed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer } from '../../../build/sqld/test-server.ts';
import type { TestServer } from '../../../build/sqld/test-server.ts';
import { createRandom } from '#shared/random.ts';
import type { PublishReply } from '#shared/protocol/publish.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, Engine } from '../../engines/engine.ts';
import { startNetwork } from '../../engines/remote/network/network-thread.test-suite.ts';
import { createRemoteEngine } from '../../engines/remote/remote-engine.ts';
import { contentsOf, native, temporaryFolder } from '../../export/export-fixture.test-suite.ts';
import { scratchFiles } from '../../native/transfer-files.ts';
import { opened } from '../../transfer/transfer-fixture.test-suite.ts';
import { objectsOnServer } from './on-server.ts';
import { Publication } from './publication.ts';
import { removePublished } from './remove-published.ts';
import { planOf } from './source-plan.ts';
import { lookAtServer } from './try-plan.ts';
import { undisturbedTurn } from '../../sessions/undisturbed-turn.ts';

const server = await startTestServer();

type Reply = Omit<PublishReply, 'timeMs'>;

describe.skipIf('why' in server)('publishing to a server', { timeout: 300_000 }, () => {
  const { url, controls, end } = server as TestServer;
  let made = 0;
  let engine: Engine;
  let connection: Connection;
  beforeAll(async () => {
    const reach = (location: string) => ({ url: url(location), token: null, readOnly: false });
    engine = await createRemoteEngine(reach, { startNetwork });
  });
  afterAll(() => end());
  beforeEach(() => {
    connection = engine.open(`publish${++made}`, { durability: 'full' });
    return () => connection.close();
  }, 60_000);

  /** A file with what `fill` makes, opened as `publish.preview` does. */
  async function sourceOf(fill: (database: DatabaseSync) => void): Promise<Connection> {
    const file = join(temporaryFolder(), 'source.db');
    const database = new DatabaseSync(file);
    fill(database);
    database.close();
    const source = await opened(scratchFiles(native), new Uint8Array(readFileSync(file)), { name: 'source.db' });
    return source.connection;
  }

  const sourceOfSql = (sql: string): Promise<Connection> =>
    sourceOf((database) => database.exec(`PRAGMA foreign_keys = OFF; ${sql}`));
  const look = (source: Connection): Publication =>
    new Publication(source, lookAtServer(connection, planOf(source)).tried);

  function run(
    publication: Publication,
    { between = (_step: number): void => undefined, stopAt = Infinity } = {},
  ): Reply {
    let steps = 0;
    const turn = {
      ...undisturbedTurn(connection),
      get stopRequested() {
        return steps >= stopAt;
      },
    };
    const body = publication.run(turn, () => undefined);
    let step = body.next();
    for (; !step.done; step = body.next()) between(++steps);
    return step.value;
  }

  /** Acts once, while a transaction with rows is open. */
  function onceSending({ tables }: Publication, act: () => void): () => void {
    let isDone = false;
    return () => {
      if (isDone || tables[0]!.unsure < 2000) return;
      isDone = true;
      act();
    };
  }

  const publish = async (source: Connection): Promise<Reply> => run(look(source));
  const all = (of: Connection) => (sql: string) => of.all(sql) as readonly (readonly unknown[])[];

  function expectSame(source: Connection, reply: Reply): void {
    expect(reply).toMatchObject({ outcome: 'done', why: '', hasTables: 'yes', notPublished: [] });
    for (const { name, rows, saved, unsure, digest, onServer } of reply.tables)
      expect({ name, saved, unsure, onServer }).toEqual({ name, saved: rows, unsure: 0, onServer: { rows, digest } });
    expect(contentsOf(all(connection))).toEqual(contentsOf(all(source)));
  }

  const ROWS = (count: number): string =>
    `CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b REAL);
     WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${count}) INSERT INTO t SELECT x, 'name ' || x || hex(zeroblob(100)), x / 7.0 FROM c;`;

  it('sends every kind of object, and reads it back', async () => {
    const source = await sourceOfSql(
      `
      CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE COLLATE NOCASE);
      INSERT INTO author VALUES (1, 'Ada'), (7, 'Bob'), (9223372036854775807, 'Cy'); DELETE FROM author WHERE id > 8;
      CREATE TABLE book (title TEXT, author REFERENCES author (id) ON DELETE CASCADE, price REAL CHECK (price > 0), tax AS (price * 0.2), total REAL AS (price + tax) STORED) STRICT;
    `
        .replace('author REFERENCES', 'author INTEGER REFERENCES')
        .replace('tax AS', 'tax REAL AS') +
        `
      INSERT INTO book (rowid, title, author, price) VALUES (5, 'x', 1, 1.5), (3, 'y', 7, 2), (9000000000000000000, 'z', 99, 1e308);
      CREATE TABLE word (lang TEXT, word TEXT COLLATE NOCASE, n, PRIMARY KEY (lang DESC, word)) WITHOUT ROWID;
      INSERT INTO word VALUES ('de', 'Haus', 1), ('en', 'House', 2), ('de', 'baum', NULL);
      CREATE TABLE hidden (rowid, _rowid_, oid); INSERT INTO hidden VALUES (3, 2, 1), (1, 1, 1);
      CREATE UNIQUE INDEX by_title ON book (lower(title)) WHERE price > 1;
      CREATE VIEW cheap AS SELECT title FROM book WHERE price < 2;
      CREATE TABLE log (what); 
      CREATE TRIGGER noted AFTER INSERT ON book BEGIN INSERT INTO log VALUES (new.title); SELECT 1; END;
      CREATE VIRTUAL TABLE found USING fts5(title, body); INSERT INTO found (rowid, title, body) VALUES (4, 'one', 'two three'), (2, 'a', 'b');
      CREATE VIRTUAL TABLE by_book USING fts5(title, content='book'); INSERT INTO by_book (by_book) VALUES ('rebuild');
      CREATE VIRTUAL TABLE place USING rtree(id, x0, x1); INSERT INTO place VALUES (2, 1.5, 2.5), (1, 0, 1);
      PRAGMA user_version = 42;`,
    );
    const reply = await publish(source);
    expectSame(source, reply);
    expect(connection.all("SELECT rowid FROM by_book WHERE by_book MATCH 'y'")).toEqual([[3]]);
    expect(connection.one('SELECT seq FROM sqlite_sequence')).toEqual([9223372036854775807n]);
    // No trigger ran while the rows were sent.
    expect(connection.one('SELECT count(*) FROM log')).toEqual([0]);
  });

  it('sends exact values, hostile names, and texts that are not UTF-8', async () => {
    const source = await sourceOf((database) => {
      database.exec('CREATE TABLE "a "" ]`\'\n; DROP" ("__proto__", "select" BLOB, "");');
      const insert = database.prepare('INSERT INTO "a "" ]`\'\n; DROP" VALUES (?, ?, ?)');
      const edge = [0, -0, 0.1, 5e-324, 1.7976931348623157e308, Infinity, -Infinity, 2 ** 53, 1e22, 123456789.12345679];
      for (const real of edge) insert.run(real, -real, 1 / 3);
      for (const integer of [0n, -1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)]) insert.run(integer, null, '');
      for (const text of ['', 'a\0b', '\u{feff}x', '😀', '\u2028', '007', '1e5'])
        insert.run(text, new Uint8Array(0), text);
      insert.run(new Uint8Array([0, 255, 1]), Buffer.alloc(300_000, 7), 'x'.repeat(300_000));
      database.exec(
        `INSERT INTO "a "" ]\`'\n; DROP" VALUES (CAST(X'FF61' AS TEXT), CAST(X'C3' AS TEXT), X'FF'), (9e999, CAST(X'80' AS TEXT), -9e999)`,
      );
    });
    expectSame(source, await publish(source));
    const [first] = connection.all(
      'SELECT hex("__proto__"), typeof("__proto__") FROM "a "" ]`\'\n; DROP" WHERE "" = X\'FF\'',
    );
    expect(first).toEqual(['FF61', 'text']);
  });

  it.each([1, 2, 3])('sends random tables exactly (seed %i)', async (seed) => {
    const { next: random, pick } = createRandom(seed);
    const value = (): Value => {
      switch (Math.floor(random() * 8)) {
        case 0:
          return null;
        case 1:
          return BigInt.asIntN(64, BigInt(Math.floor(random() * 2 ** 32)) * BigInt(Math.floor(random() * 2 ** 32)));
        case 2:
          return Math.floor(random() * 1000);
        case 3:
          return (random() - 0.5) * 10 ** Math.floor(random() * 600 - 300);
        case 4:
          return random();
        case 5:
          return Uint8Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * 256));
        default:
          return Array.from({ length: Math.floor(random() * 20) }, () =>
            String.fromCodePoint(pick([65, 0x20, 0xe9, 0x4e2d, 0x1f600, 0, 34, 39])),
          ).join('');
      }
    };
    const source = await sourceOf((database) => {
      for (let table = 0; table < 3; table++) {
        const columns = 1 + Math.floor(random() * 6);
        const names = Array.from({ length: columns }, (_, at) => `c${at}`);
        const isKeyed = random() < 0.5;
        const types = names.map((name) => `${name} ${pick(['', 'TEXT', 'INTEGER', 'REAL', 'BLOB', 'NUMERIC', 'ANY'])}`);
        database.exec(
          isKeyed
            ? `CREATE TABLE t${table} (k, l, ${types.join(', ')}, PRIMARY KEY (k ${pick(['', 'DESC'])}, l)) WITHOUT ROWID`
            : `CREATE TABLE t${table} (k, l, ${types.join(', ')})`,
        );
        const insert = database.prepare(
          `INSERT OR IGNORE INTO t${table} VALUES (?, ?, ${names.map(() => '?').join(', ')})`,
        );
        for (let row = 0; row < 120; row++)
          insert.run(...([value() ?? 1, value() ?? 2, ...names.map(value)] as never[]));
        if (!isKeyed) database.exec(`DELETE FROM t${table} WHERE rowid % 3 = 1`);
      }
    });
    expectSame(source, await publish(source));
  });

  it('takes a number of round trips that depends on bytes, not rows', async () => {
    const source = await sourceOfSql(ROWS(5000));
    const publication = look(source);
    const before = controls.requests;
    const reply = run(publication);
    expectSame(source, reply);
    expect(controls.requests - before).toBeLessThan(80);
  });

  it('refuses a database that is not empty, also when it is filled at the last moment', async () => {
    const source = await sourceOfSql(ROWS(3));
    const publication = look(source);
    const other = engine.open(`publish${made}`, { durability: 'full' });
    other.run('CREATE TABLE theirs (a)');
    other.close();
    expect(() => run(publication)).toThrow('It has “theirs”. Nothing was changed.');
    expect(publication.made).toBe('no');
    expect(objectsOnServer(connection).map(({ name }) => name)).toEqual(['theirs']);
  });

  it('names what the server does not take, and publishes the rest', async () => {
    const source = await sourceOf((database) => {
      database.exec(
        `CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE TABLE big (a); CREATE INDEX by_a ON big (a);
         CREATE VIEW v AS SELECT a FROM t`,
      );
      database.prepare('INSERT INTO big VALUES (zeroblob(?))').run(6_000_000);
    });
    const publication = look(source);
    expect(publication.plan.notPublished).toEqual([
      { kind: 'table', name: 'big', reason: 'It has a row of 6.0 MB, which is more than the server accepts.' },
    ]);
    const reply = run(publication);
    expect(reply).toMatchObject({ outcome: 'done', tables: [{ name: 't', saved: 1 }] });
    expect(objectsOnServer(connection).map(({ name }) => name)).toEqual(['t', 'v']);
  });

  it('tells what is there after a failure, and continues', async () => {
    const source = await sourceOfSql(ROWS(6000));
    const publication = look(source);
    const reply = run(publication, { between: onceSending(publication, () => controls.fail('cut')) });
    expect(reply.outcome).toBe('failed');
    // The commit may have been the request that was lost.
    if (publication.isUnsure) publication.look(connection);
    const [table] = publication.refreshed(reply).tables;
    expect(table).toMatchObject({ unsure: 0, digest: null, onServer: null });
    expect(table!.saved).toBeLessThan(6000);
    expect(connection.one('SELECT count(*) FROM t')).toEqual([table!.saved]);
    expectSame(source, run(publication));
  });

  it('finds out what became of a commit whose reply was lost', async () => {
    const source = await sourceOfSql(`${ROWS(100)} CREATE INDEX by_a ON t (a);`);
    const outcomes = new Set<string>();
    // Each request of a publication in turn, those that commit among them.
    for (let at = 0, isReached = true; isReached; at++) {
      connection.close();
      connection = engine.open(`publish${++made}`, { durability: 'full' });
      const publication = look(source);
      const from = controls.requests;
      controls.fail('lose', 1, at);
      try {
        outcomes.add(run(publication).outcome);
      } catch {
        expect(['no', 'unsure']).toContain(publication.made);
        outcomes.add('error');
      }
      isReached = controls.requests > from + at;
      controls.fail('none', 0);
      if (publication.isUnsure) publication.look(connection);
      const [{ saved }] = publication.tables as [Publication['tables'][0]];
      if (publication.made === 'yes') expect(connection.one('SELECT count(*) FROM t')).toEqual([saved]);
      else expect(objectsOnServer(connection)).toEqual([]);
      expectSame(source, run(publication));
    }
    expect([...outcomes]).toEqual(expect.arrayContaining(['done', 'failed']));
  });

  it('is stopped between two transactions, and what it made is removed', async () => {
    const source = await sourceOfSql(
      `${ROWS(6000)} CREATE VIRTUAL TABLE f USING fts5(a); CREATE VIEW v AS SELECT 1;
       CREATE TABLE c (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO c VALUES (9); PRAGMA user_version = 5;`,
    );
    const publication = look(source);
    const reply = run(publication, { stopAt: 4 });
    const left = reply.notPublished.map(({ name }) => name);
    expect(left).toEqual(['v', 'AUTOINCREMENT of c', 'user_version']);
    expect(reply).toMatchObject({ outcome: 'stopped', why: 'Publishing was stopped.', hasTables: 'yes' });
    expect(connection.one('SELECT count(*) FROM t')).toEqual([reply.tables[0]!.saved]);
    expect(removePublished(connection, publication)).toBe(3);
    expect(objectsOnServer(connection)).toEqual([]);
    expectSame(source, run(publication));
    expect(removePublished(connection, publication)).toBe(3);
    expect([objectsOnServer(connection), connection.one('PRAGMA user_version')]).toEqual([[], [0]]);
  });

  it('removes nothing once someone else has changed it', async () => {
    const source = await sourceOfSql(
      'CREATE TABLE t (a); INSERT INTO t VALUES (1), (2); CREATE VIEW v AS SELECT a FROM t',
    );
    const publication = look(source);
    run(publication);
    connection.run('INSERT INTO t VALUES (3)');
    expect(() => removePublished(connection, publication)).toThrow('changed the rows of “t”');
    connection.run('DELETE FROM t WHERE a = 3');
    connection.run('CREATE INDEX theirs ON t (a)');
    expect(() => removePublished(connection, publication)).toThrow('Nothing was removed.');
    expect(objectsOnServer(connection).map(({ name }) => name)).toEqual(['t', 'v', 'theirs']);
    connection.run('DROP INDEX theirs');
    expect(removePublished(connection, publication)).toBe(1);
  });

  it('notices a row that is different on the server', async () => {
    const source = await sourceOfSql('CREATE TABLE t (a); INSERT INTO t VALUES (1), (2); CREATE VIEW v AS SELECT 1');
    const publication = look(source);
    let isChanged = false;
    const reply = run(publication, {
      between() {
        if (isChanged || !publication.tables[0]!.isComplete) return;
        isChanged = true;
        connection.run('UPDATE t SET a = 2.0 WHERE a = 2');
      },
    });
    const [{ digest, onServer }] = reply.tables as [PublishReply['tables'][0]];
    expect(onServer!.rows).toBe(2);
    expect(onServer!.digest).not.toBe(digest);
  });

  it('survives a server that is killed in the middle', async () => {
    const source = await sourceOfSql(ROWS(6000));
    const publication = look(source);
    const reply = run(publication, { between: onceSending(publication, () => controls.fail('kill')) });
    expect(reply.outcome).toBe('failed');
    await expect.poll(() => controls.server, { timeout: 20_000 }).not.toBe(0);
    await expect
      .poll(
        () => {
          try {
            expectSame(source, run(publication));
            return 'done';
          } catch (error) {
            return String(error);
          }
        },
        { timeout: 30_000 },
      )
      .toBe('done');
  });
});
