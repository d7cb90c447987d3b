// Databases of Cloudflare D1, on its real engine: values, statements, what is refused, and what others do in the meantime.
import { describe, expect, it, onTestFinished } from 'vitest';
import { startD1 } from '../../../../build/d1/d1-server.ts';
import type { D1Server } from '../../../../build/d1/d1-server.ts';
import { DEFAULT_EXPORT_OPTIONS } from '#shared/protocol/export.ts';
import type { Value } from '#shared/protocol/values.ts';
import { searchTables } from '../../../explore/search-tables.ts';
import { testTurn } from '../../../explore/test-turn.test-suite.ts';
import { wasm } from '../../../export/export-fixture.test-suite.ts';
import { undisturbedTurn } from '../../../sessions/undisturbed-turn.ts';
import { formatOf } from '../../../export/formats/all.ts';
import { runExport } from '../../../export/run-export.ts';
import { Scan } from '../../../readers/scan.ts';
import { RestingConnection } from '../../../sessions/resting-connection.ts';
import type { Connection } from '../../engine.ts';
import { IN_MEMORY } from '../../wasm/wasm-engine.ts';
import { atomically } from '../../transaction.ts';
import type { RemoteConnection } from '../remote-connection.ts';
import { databasesOf } from './d1-fixture.test-suite.ts';

const server = await startD1();

describe.skipIf('why' in server)('a database of D1', () => {
  let connection: RemoteConnection;
  const { open, rows, fill } = databasesOf(server as D1Server, (opened) => (connection = opened));

  const VALUES: Readonly<Record<string, Value>> = {
    null: null,
    zero: 0,
    'the largest integer': 2n ** 63n - 1n,
    'the smallest integer': -(2n ** 63n),
    'an integer beyond 53 bits': 2n ** 53n + 1n,
    'a real that is whole': { real: 5 },
    'a large whole real': { real: 1e300 },
    'a real of 53 bits': { real: 2 ** 53 - 1 },
    'a fraction': 0.1 + 0.2,
    'the smallest real': 5e-324,
    'the largest real': { real: Number.MAX_VALUE },
    infinity: Infinity,
    'negative infinity': -Infinity,
    'the empty text': '',
    'a text that looks like a mark': 'i5',
    quotes: `it's "x"`,
    'NUL in a text': 'a\0b\0',
    'beyond the basic plane': 'a😀\ufeffb',
    'the replacement character': 'a\ufffdb',
    'a text that is not UTF-8': { textBytes: Uint8Array.of(0x61, 0xff, 0x62) },
    'the empty blob': new Uint8Array(),
    'a blob': Uint8Array.of(0, 1, 254, 255),
    'a long blob': new Uint8Array(50_000).map((_, at) => at),
    'a long text': 'x'.repeat(150_000),
  };

  it.each(Object.entries(VALUES))('keeps %s', (_name, value) => {
    connection.run('CREATE TABLE t(a)');
    connection.run('INSERT INTO t VALUES (?)', [value]);
    expect(connection.one('SELECT a FROM t')).toEqual([value]);
    expect(connection.one('SELECT typeof(a), a IS ?1 FROM t', [value])?.[1]).toBe(1);
    expect(connection.one('UPDATE t SET a = ?1 RETURNING a, typeof(a) AS b', [value])?.[0]).toEqual(value);
  });

  it('gives back what any statement returns, whatever it is called, and in the order that was asked for', () => {
    connection.run('CREATE TABLE t(id INTEGER PRIMARY KEY, "a b" INTEGER, c TEXT)');
    const returned = [
      ["INSERT INTO t VALUES (1, 9223372036854775807, 'i1') RETURNING *", [1, 2n ** 63n - 1n, 'i1']],
      [
        'UPDATE t SET "a b" = "a b" - 1 RETURNING "a b" AS n, id one, (SELECT count(*) FROM t), c || \', \' -- end',
        [2n ** 63n - 2n, 1, 1, 'i1, '],
      ],
      ['DELETE FROM t RETURNING t.id, max("a b", 5) "most", CASE WHEN 1 THEN 2 END', [1, 2n ** 63n - 2n, 2]],
    ] as const;
    const withRow =
      'WITH x(n) AS (SELECT 9007199254740993) INSERT INTO t SELECT 7, n, NULL FROM x RETURNING "a b", 1.0 AS r';
    expect(connection.one(withRow)).toEqual([2n ** 53n + 1n, { real: 1 }]);
    connection.run('/* a note */ DELETE FROM t WHERE id = 7');
    for (const [sql, row] of returned) expect(connection.one(sql)).toEqual(row);
    expect(connection.prepare('INSERT INTO t(id) VALUES (1) RETURNING *, c').columns).toHaveLength(4);
    expect(() => connection.run('INSERT INTO t(id) VALUES (1) RETURNING *, c')).toThrow(
      /name each with AS.*Nothing was changed/s,
    );
    expect(connection.one('SELECT count(*) FROM t')).toEqual([0]);
    expect(
      connection.all('SELECT column1 AS a, column1 AS a FROM (VALUES (1), (3), (2)) ORDER BY a DESC -- end'),
    ).toEqual([
      [3, 3],
      [2, 2],
      [1, 1],
    ]);
    expect(connection.all('SELECT column1 FROM (VALUES (2), (1)) ORDER BY ? LIMIT ?', [1, 5])).toEqual([[2], [1]]);
    expect(connection.one('EXPLAIN QUERY PLAN SELECT * FROM t WHERE id = ?', [1])?.[3]).toMatch(/^SEARCH t/);
  });

  it('binds any number of values', () => {
    connection.run('CREATE TABLE t(a)');
    const texts = Array.from({ length: 300 }, (_, at) => `it's ${at}${at === 250 ? '\0' : ''}`);
    connection.run(`INSERT INTO t VALUES ${texts.map(() => '(?)').join(', ')}`, texts);
    expect(connection.all('SELECT a FROM t ORDER BY rowid').map(([a]) => a)).toEqual(texts);
    expect(() => connection.run('INSERT INTO t VALUES (?)', [2n ** 63n])).toThrow(/integers have 64 bits/);
    expect(() => connection.run(`SELECT '${'x'.repeat(100_000)}'`)).toThrow(/at most 100 KB.*Nothing was changed/s);
    expect(() => connection.run('INSERT INTO t VALUES (?)', ['x'.repeat(3_000_000)])).toThrow(
      /^A value is larger than the server accepts\. Nothing was changed\.$/,
    );
    expect(() => connection.run("ATTACH ':memory:' AS m")).toThrow(/^The server does not allow this\./);
  });

  it('refuses with a sentence what needs a transaction, and leaves nothing open', () => {
    fill();
    const refused = [
      () => connection.run('BEGIN'),
      () => connection.run('SAVEPOINT s'),
      () => connection.beginWithoutForeignKeys(),
      () => atomically(connection, () => connection.run('DELETE FROM t')),
    ];
    for (const body of refused) expect(body).toThrow(/has no transactions that last longer.*Nothing was changed/s);
    expect(() => connection.run('COMMIT')).toThrow(/No transaction is open/);
    expect(connection.autocommit).toBe(true);
    expect(rows()).toHaveLength(3);
  });

  it('answers what Sidelite asks of every database, and refuses a person the same as D1 does', () => {
    const settings = ['encoding', 'journal_mode', 'main.user_version', 'main.application_id'];
    expect(settings.map((name) => connection.one(`PRAGMA ${name}`))).toEqual([['UTF-8'], ['wal'], [0], [0]]);
    // D1 keeps no settings that a script may change, so none is read.
    const resting = new RestingConnection(open);
    expect(resting.script('SELECT 1 AS temp').next()!.step()).toBe(true);
    resting.close();
    expect(() => connection.one('PRAGMA page_count')).toThrow(/The server does not allow this/);
    const [before] = connection.one('PRAGMA main.schema_version')!;
    connection.run('CREATE TABLE t(a)');
    expect(connection.one('PRAGMA main.schema_version')![0]).toBeGreaterThan(before as number);
    for (const sql of ['PRAGMA user_version', 'SELECT sqlite_version()']) {
      const script = connection.script(sql);
      expect(() => script.next()!.step()).toThrow(/The server does not allow this.*Nothing was changed/s);
    }
  });

  it('counts rows read and written, and the rows that a statement itself changed', () => {
    fill();
    connection.run('CREATE TRIGGER g AFTER UPDATE ON t BEGIN INSERT INTO t(v) VALUES (1), (2); END');
    const { read, written } = connection.rowsTouched;
    const seen: unknown[] = [];
    connection.onCommit(({ tables }) => seen.push([...tables!.keys()]));
    expect(connection.run('-- a note\nUPDATE t SET v = 5 WHERE id < 3')).toBe(2);
    expect(seen).toEqual([['t']]);
    expect(connection.rowsTouched.read).toBeGreaterThan(read);
    expect(connection.rowsTouched.written).toBeGreaterThan(written);
  });

  it('hides what D1 keeps for itself, and notices what others have made of the schema', () => {
    fill();
    expect(connection.all("SELECT name FROM pragma_table_list WHERE name LIKE '%cf%'")).toEqual([]);
    const other = open();
    expect(other.all('SELECT * FROM t')).toHaveLength(3);
    connection.run('CREATE TABLE late(a)');
    expect(other.all('SELECT * FROM late')).toEqual([]);
    connection.run('ALTER TABLE t ADD COLUMN more');
    expect(() => other.all('SELECT * FROM t')).toThrow(/changed the columns of this table/);
    expect(other.one('SELECT * FROM t')).toHaveLength(3);
    connection.run('ALTER TABLE t DROP COLUMN more');
    expect(() => other.all('SELECT more FROM t')).toThrow(/no such column|no column/i);
    expect(other.one('SELECT * FROM t')).toHaveLength(2);
    other.close();
  });

  it('is searched with the tables that others have just created', () => {
    connection.run('CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT)');
    connection.run("INSERT INTO t VALUES (9007199254740993, 'a goose'), (2, 'a duck')");
    const other = open();
    other.run('CREATE TABLE late(word TEXT)');
    other.run("INSERT INTO late VALUES ('goose, too')");
    const hits: (readonly [string, unknown])[] = [];
    const scan = new Scan(testTurn(connection, () => false), () => undefined); // prettier-ignore
    const body = searchTables(scan, 'goose', ({ table, key }) => hits.push([table, key]));
    while (!body.next().done);
    expect(hits).toEqual([
      ['late', [1]],
      ['t', [9007199254740993n]],
    ]);
    other.close();
  });

  it('is copied with every value, in slices by key', () => {
    connection.run('CREATE TABLE t(id INTEGER PRIMARY KEY, v)');
    const values = Object.values(VALUES);
    for (const [id, value] of values.entries()) connection.run('INSERT INTO t VALUES (?, ?)', [id, value]);
    connection.run(
      'WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 2999) INSERT INTO t SELECT i, i FROM n',
    );
    const { read } = connection.rowsTouched;
    const copy = copyOf(connection, ['t']);
    expect(connection.rowsTouched.read - read).toBeLessThan(2 * (2000 + values.length));
    expect(copy.all('SELECT * FROM t WHERE id < 1000')).toEqual(values.map((value, id) => [id, value]));
    expect(copy.one('SELECT count(*) FROM t')).toEqual([2000 + values.length]);
  });
});

/** Copies tables the way it is done to compare rows. */
function copyOf(connection: RemoteConnection, tables: readonly string[]): Connection {
  const scratch = wasm.open(IN_MEMORY, { durability: 'balanced', create: true });
  onTestFinished(() => scratch.close());
  const body = runExport(undisturbedTurn(connection), {
    ...{ source: { kind: 'tables', tables, withoutTriggers: true }, format: formatOf('sqlite'), scratch },
    ...{ options: DEFAULT_EXPORT_OPTIONS, maxRows: null, maxBytes: null, isFragment: false, reader: null },
    ...{ sink: { write: () => Promise.resolve(), finish: () => Promise.resolve() }, report: () => Promise.resolve() },
  });
  while (!body.next().done);
  return scratch;
}
