// Publishing to a real server: every value and every object arrives, and what cannot be published is refused or named.
import { describe, expect, it } from 'vitest';
import { startTestServer } from '../../../build/sqld/test-server.ts';
import type { TestServer } from '../../../build/sqld/test-server.ts';
import { createRandom } from '#shared/random.ts';
import { seeds } from '#shared/seed-count.test-suite.ts';
import type { Value } from '#shared/protocol/values.ts';
import { objectsOnServer } from './on-server.ts';
import { publishingTo, ROWS } from './publish-fixture.test-suite.ts';

const server = await startTestServer();

describe.skipIf('why' in server)('publishing to a server', { timeout: 300_000 }, () => {
  const to = publishingTo(server as TestServer);
  const { controls, sourceOf, sourceOfSql, look, run, publish, expectSame } = to;

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
    expect(to.connection.all("SELECT rowid FROM by_book WHERE by_book MATCH 'y'")).toEqual([[3]]);
    expect(to.connection.one('SELECT seq FROM sqlite_sequence')).toEqual([9223372036854775807n]);
    // No trigger ran while the rows were sent.
    expect(to.connection.one('SELECT count(*) FROM log')).toEqual([0]);
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
    const [first] = to.connection.all(
      'SELECT hex("__proto__"), typeof("__proto__") FROM "a "" ]`\'\n; DROP" WHERE "" = X\'FF\'',
    );
    expect(first).toEqual(['FF61', 'text']);
  });

  it.each(seeds(3))('sends random tables exactly (seed %i)', async (seed) => {
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
    const other = to.openAgain();
    other.run('CREATE TABLE theirs (a)');
    other.close();
    expect(() => run(publication)).toThrow('It has “theirs”. Nothing was changed.');
    expect(publication.made).toBe('no');
    expect(objectsOnServer(to.connection).map(({ name }) => name)).toEqual(['theirs']);
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
    expect(objectsOnServer(to.connection).map(({ name }) => name)).toEqual(['t', 'v']);
  });
});
