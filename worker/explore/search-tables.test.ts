import { describe, expect, it, vi } from 'vitest';
import { MAX_TABLE_HITS } from '#shared/protocol/explore.ts';
import type { SearchedTable, SearchHit } from '#shared/protocol/explore.ts';
import type { Connection } from '../engines/engine.ts';
import { Scan } from '../readers/scan.ts';
import { bothEngines } from './both-engines.test-suite.ts';
import { testTurn } from './test-turn.test-suite.ts';
import { searchTables } from './search-tables.ts';

const open = await bothEngines();

interface Found {
  readonly hits: readonly SearchHit[];
  readonly tables: readonly SearchedTable[];
  readonly longestMs: number;
}

/** @param stopAfter pauses */
function search(connection: Connection, text: string, stopAfter = Infinity): Found {
  let pauses = 0;
  let longestMs = 0;
  const hits: SearchHit[] = [];
  const turn = testTurn(connection, () => pauses >= stopAfter);
  const body = searchTables(new Scan(turn, () => undefined), text, (hit) => hits.push(hit));
  for (;;) {
    const startedMs = performance.now();
    const step = body.next();
    longestMs = Math.max(longestMs, performance.now() - startedMs);
    if (step.done) return { hits, tables: step.value, longestMs };
    pauses++;
  }
}

describe.each(['wasm', 'native'])('on the %s engine', (name) => {
  it('finds text in tables of every kind, and says where', () => {
    const connection = open(name);
    connection.run('CREATE TABLE plain(a, b TEXT)');
    connection.run("INSERT INTO plain VALUES (1, 'no'), (2, 'the Needle here'), ('needle', 'needle'), (4, NULL)");
    connection.run('CREATE TABLE keyed(k TEXT, n INTEGER, v, PRIMARY KEY (n, k)) WITHOUT ROWID');
    connection.run("INSERT INTO keyed VALUES ('x', 5, 'nEEdle'), ('y', 6, 'thread')");
    connection.run('CREATE VIRTUAL TABLE note USING fts5(body)');
    connection.run("INSERT INTO note VALUES ('haystack with a needle')");
    connection.run(
      "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'needle' || i FROM n",
    );
    const { hits, tables } = search(connection, 'needle');
    expect(hits).toEqual([
      { table: 'keyed', column: 'v', key: [5, 'x'], excerpt: 'nEEdle' },
      { table: 'note', column: 'body', key: [1], excerpt: 'haystack with a needle' },
      { table: 'plain', column: 'b', key: [2], excerpt: 'the Needle here' },
      { table: 'plain', column: 'a', key: [3], excerpt: 'needle' },
    ]);
    expect(tables.map(({ table, hits: count, problem }) => [table, count, problem])).toEqual([
      ['keyed', 1, null],
      ['note', 1, null],
      ['plain', 2, null],
    ]);
    expect(search(connection, '100%').hits).toEqual([]);
  });

  it('prepares three statements for each small table, and finds what is added to tables on the way', () => {
    const prepared = [10, 30].map((count) => {
      const connection = open(name);
      for (let at = 0; at < count; at++)
        connection.run(`CREATE TABLE t${at} AS SELECT ${at} AS n, '${at % 5 === 0 ? 'needle' : 'hay'}' AS a`);
      const spy = vi.spyOn(connection, 'prepare');
      expect(search(connection, 'needle').hits).toHaveLength(count / 5);
      return spy.mock.calls.length;
    });
    expect(prepared[1]! - prepared[0]!).toBe(3 * 20);
    const connection = open(name);
    connection.run("CREATE TABLE a AS SELECT 'needle' AS a");
    connection.run('CREATE TABLE b (c)');
    const hits: SearchHit[] = [];
    const body = searchTables(
      new Scan(
        testTurn(connection, () => false),
        () => undefined,
      ),
      'needle',
      (hit) => {
        hits.push(hit);
        if (hits.length > 1) return;
        connection.run('ALTER TABLE b ADD COLUMN d');
        connection.run("INSERT INTO b VALUES (1, 'needle')");
      },
    );
    while (body.next().done !== true);
    expect(hits.map(({ table, column }) => [table, column])).toEqual([
      ['a', 'a'],
      ['b', 'd'],
    ]);
  });

  it('shows the text around a hit in a long value', () => {
    const connection = open(name);
    connection.run('CREATE TABLE t(a)');
    connection.run("INSERT INTO t VALUES (printf('%.*c', 100000, 'x') || 'Needle' || printf('%.*c', 1000, 'y'))");
    const [hit] = search(connection, 'needle').hits;
    expect(hit?.excerpt).toBe(`…${'x'.repeat(30)}Needle${'y'.repeat(124)}`);
  });

  it('lists a limited number of rows of a table, and reads no more of it', () => {
    const connection = open(name);
    connection.run('CREATE TABLE t(a)');
    connection.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t SELECT 'needle' FROM n`,
    );
    const { hits, tables } = search(connection, 'needle');
    expect(hits.length).toBe(MAX_TABLE_HITS);
    expect(tables).toEqual([{ table: 't', hits: MAX_TABLE_HITS, hasMore: true, problem: null }]);
  });

  it('stays in short slices where each row takes long to compute, and stops between two', () => {
    const connection = open(name);
    connection.run('CREATE TABLE slow(id INTEGER PRIMARY KEY, a AS (length(hex(zeroblob(200000 + id)))))');
    connection.run(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO slow(id) SELECT i FROM n',
    );
    expect(() => search(connection, 'needle', 5)).toThrow(expect.objectContaining({ code: 'stopped' }));
  });

  it('names a table that cannot be read, and searches the others', () => {
    const connection = open(name);
    // The table with its rows is gone.
    connection.run('CREATE TABLE gone(body)');
    connection.run("CREATE VIRTUAL TABLE bad USING fts5(body, content='gone')");
    connection.run("INSERT INTO bad(rowid, body) VALUES (1, 'needle')");
    connection.run('DROP TABLE gone');
    connection.run('CREATE TABLE good(a)');
    connection.run("INSERT INTO good VALUES ('needle')");
    const { hits, tables } = search(connection, 'needle');
    expect(hits.map(({ table }) => table)).toEqual(['good']);
    expect(tables[0]).toMatchObject({ table: 'bad', problem: expect.stringContaining('gone') as string });
  });
});
