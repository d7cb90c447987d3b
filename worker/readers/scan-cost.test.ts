// Queries sent to a server before it reads a whole table, against a real one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer } from '../../build/sqld/test-server.ts';
import type { TestServer } from '../../build/sqld/test-server.ts';
import { LONG } from '#shared/seed-count.test-suite.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import type { RemoteConnection } from '../engines/remote/remote-connection.ts';
import { serverEngine } from '../engines/remote/server-engine.test-suite.ts';
import { planReader } from './open-reader.ts';
import type { OpenRequest } from './open-reader.ts';
import { hostOf } from './reader-host.test-suite.ts';
import { costSentence, knownRowsOf, unservedBy } from './scan-cost.ts';

const BY_N = { column: 'n', descending: false };
const equals = (column: string, value: number | string) => ({ column, operator: '=', value }) as const;

describe('a plan', () => {
  const CASES: readonly (readonly [name: string, plan: readonly string[], hasFilter: boolean, unserved: unknown])[] = [
    ['the order of the key', ['SCAN t'], false, null],
    ['the order of an index', ['SCAN t USING COVERING INDEX i'], false, null],
    ['an index backward, by its groups', ['SCAN t USING COVERING INDEX i', 'USE TEMP B-TREE FOR LAST TERM OF ORDER BY'], false, null],
    ['a sort', ['SCAN t', 'USE TEMP B-TREE FOR ORDER BY'], false, { what: 'sort', reads: 'table' }],
    ['a filter by an index', ['SEARCH t USING INDEX i (n=?)'], true, null],
    ['a filter by two indexes', ['MULTI-INDEX OR', 'INDEX 1', 'SEARCH t USING INDEX i (n=?)', 'INDEX 2', 'SEARCH t USING INDEX j (m=?)', 'USE TEMP B-TREE FOR ORDER BY'], true, null],
    ['a filter', ['SCAN t'], true, { what: 'filter', reads: 'table' }],
    ['a filter in the order of an index', ['SCAN t USING INDEX i'], true, { what: 'filter', reads: 'table' }],
    ['both', ['SCAN t', 'USE TEMP B-TREE FOR ORDER BY'], true, { what: 'sort and filter', reads: 'table' }],
    ['a sort of the rows with one value', ['SEARCH t USING INDEX i (n=?)', 'USE TEMP B-TREE FOR ORDER BY'], true, null],
    ['a sort of a range', ['SEARCH t USING INDEX i (n>? AND n<?)', 'USE TEMP B-TREE FOR ORDER BY'], true, { what: 'sort', reads: 'matches' }],
    ['a range of a table with an odd name', ['SEARCH a<b USING INDEX i (n=?)', 'USE TEMP B-TREE FOR ORDER BY'], true, null],
    ['a list of values', ['SEARCH t USING INDEX i (n=?)', 'LIST SUBQUERY 1', 'SCAN 3 CONSTANT ROWS'], true, null],
    ['a filter that reads another table', ['SEARCH t USING INTEGER PRIMARY KEY (rowid=?)', 'LIST SUBQUERY 1', 'SCAN u'], true, { what: 'filter', reads: 'table' }],
  ]; // prettier-ignore
  it.each(CASES)('of %s is told', (_name, plan, hasFilter, unserved) => {
    expect(unservedBy(plan, hasFilter)).toEqual(unserved);
  });

  it('is put into sentences', () => {
    const sort = { what: 'sort', reads: 'table' } as const;
    expect(costSentence(sort, { rows: 1_204_000, isLimit: false })).toBe(
      'No index serves this sort. The server would read about 1,204,000 rows (a whole-table scan).',
    );
    expect(costSentence(sort, { rows: 5000, isLimit: true })).toMatch(/would read up to 5,000 rows/);
    expect(costSentence({ ...sort, what: 'filter' }, null)).toBe(
      'No index serves this filter. The server would read all rows of the table.',
    );
  });
});

const server = await startTestServer();

describe.skipIf('why' in server)('a table on a server', () => {
  const { url, controls, end } = server as TestServer;
  let connection: RemoteConnection;
  beforeAll(async () => {
    const engine = await serverEngine(url);
    connection = engine.open('cost', { durability: 'full' }) as RemoteConnection;
    const fill = (rows: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})`;
    connection.run('CREATE TABLE big(id INTEGER PRIMARY KEY, name TEXT, n INTEGER, m INTEGER)');
    connection.run(`${fill(20_000)} INSERT INTO big SELECT i, 'row ' || i, i % 100, i % 7 FROM n`);
    connection.run('CREATE INDEX by_m ON big(m)');
    connection.run('CREATE TABLE small(id INTEGER PRIMARY KEY, n)');
    connection.run(`${fill(900)} INSERT INTO small SELECT i, -i FROM n`);
    connection.run('CREATE TABLE keyed(k TEXT PRIMARY KEY, n) WITHOUT ROWID');
    connection.run(`${fill(3000)} INSERT INTO keyed SELECT 'k' || i, i FROM n`);
    connection.prepare('SELECT * FROM big').finalize();
  }, 60_000);
  afterAll(async () => {
    connection.close();
    await end();
  });

  const plan = (request: Partial<OpenRequest> & { readonly table: string }) =>
    planReader(connection, { sort: [], filter: [], ...request });
  function refusalOf(request: Partial<OpenRequest> & { readonly table: string }): string {
    const read = connection.rowsTouched.read;
    try {
      plan(request);
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code: 'refused', detail: { kind: 'whole-table' } });
      expect(connection.rowsTouched.read - read).toBeLessThan(20);
      return (error as AppError).what!;
    }
    return 'It was opened.';
  }

  it('is neither sorted nor filtered without an index before someone has agreed, and costs next to nothing until then', () => {
    expect(refusalOf({ table: 'big', sort: [BY_N] })).toBe(
      'No index serves this sort. The server would read up to 20,000 rows (a whole-table scan).',
    );
    expect(refusalOf({ table: 'big', filter: [equals('n', 5)] })).toMatch(
      /^No index serves this filter\. .* up to 20,000/,
    );
    expect(refusalOf({ table: 'big', where: 'n % 2 = 0', sort: [BY_N] })).toMatch(
      /^No index serves this sort and filter\./,
    );
    expect(refusalOf({ table: 'big', where: 'm > 2', sort: [BY_N] })).toMatch(/all rows that match the filter/);
    expect(refusalOf({ table: 'keyed', sort: [BY_N] })).toBe(
      'No index serves this sort. The server would read all rows of the table.',
    );
  });

  it('has a known cost without being counted, also together with others', () => {
    const before = connection.rowsTouched.read;
    expect(knownRowsOf(connection, ['big'])).toEqual({ rows: 20_000, isLimit: true });
    expect(knownRowsOf(connection, ['big', 'small'])).toEqual({ rows: 20_900, isLimit: true });
    expect(knownRowsOf(connection, ['big', 'keyed'])).toEqual({ rows: null, isLimit: false });
    expect(connection.rowsTouched.read - before).toBeLessThan(40);
  });

  it('has a known cost with many others in a few round trips, the empty ones among them', () => {
    const others = Array.from({ length: LONG ? 100 : 25 }, (_, at) => `other${at}`);
    for (const name of others) connection.run(`CREATE TABLE ${name}(id INTEGER PRIMARY KEY)`);
    const before = controls.requests;
    expect(knownRowsOf(connection, ['big', ...others])).toEqual({ rows: 20_000, isLimit: true });
    expect(controls.requests - before).toBeLessThan(5);
    expect(() => plan({ table: 'other1', sort: [{ column: 'id', descending: true }] })).not.toThrow();
    for (const name of others) connection.run(`DROP TABLE ${name}`);
  });

  it('is read as a whole once someone has agreed', async () => {
    const reader = plan({ table: 'big', sort: [{ ...BY_N, descending: true }], mayScan: true })(hostOf(connection));
    const { read } = connection.rowsTouched;
    expect((await reader.read(0, 100)).rows.rowCount).toBe(100);
    expect(connection.rowsTouched.read - read).toBeGreaterThanOrEqual(20_000);
    // Commits of other clients cause no new scan: the rows that are there are read by their keys.
    connection.run('UPDATE big SET name = ? WHERE n = 99', ['changed']);
    const before = connection.rowsTouched.read;
    expect(reader.noteChanges({ tables: null, schema: true, log: null })).toEqual({ kind: 'values', keys: null });
    const { rows } = await reader.read(0, 100);
    expect(new PackedRowsReader(rows).value(0, 2)).toBe('changed');
    await reader.read(100, 100);
    expect(connection.rowsTouched.read - before).toBeLessThan(1000);
    reader.dispose();
  });

  it('is not read again for edits of rows that are known, which move to their places', async () => {
    connection.run('CREATE TABLE sorted(id INTEGER PRIMARY KEY, n INTEGER, half AS (n / 2), other)');
    connection.run(
      'WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 5000) INSERT INTO sorted(id, n) SELECT i, i * 10 FROM i',
    );
    const reader = plan({ table: 'sorted', sort: [{ column: 'half', descending: true }], mayScan: true })(
      hostOf(connection),
    );
    const effects: unknown[] = [];
    connection.onCommit((changes) => effects.push(reader.noteChanges(changes)?.kind));
    const keys = async (start: number, count: number): Promise<readonly unknown[]> => {
      const { rows } = await reader.read(start, count);
      const read = new PackedRowsReader(rows);
      return Array.from({ length: rows.rowCount }, (_, row) => read.value(row, 0));
    };
    expect(await keys(0, 3)).toEqual([5000, 4999, 4998]);
    const edit = (kind: 'insert' | 'update' | 'delete', rowid: number | null, sql: string, columns: string[] = []) =>
      connection.writeTogether([{ row: { kind, rowid, columns }, write: { sql, params: [] }, now: null, after: null }]);
    const before = connection.rowsTouched.read;
    edit('update', 4999, 'UPDATE sorted SET n = 40005 WHERE id = 4999 RETURNING id', ['n']);
    // Pages are sent while the list is still being built; the window is notified when it is.
    await expect.poll(() => keys(0, 3)).toEqual([5000, 4998, 4997]);
    expect(await keys(996, 4)).toEqual([4003, 4002, 4001, 4999]);
    edit('update', 4998, 'UPDATE sorted SET other = 7 WHERE id = 4998 RETURNING id', ['other']);
    edit('delete', 4997, 'DELETE FROM sorted WHERE id = 4997 RETURNING 1');
    edit('insert', null, 'INSERT INTO sorted(id, n) VALUES (6000, 49999) RETURNING id');
    expect(await keys(0, 4)).toEqual([5000, 6000, 4998, 4996]);
    // A generated column may rest on any other.
    expect(effects).toEqual(['rows', 'rows', 'rows', 'rows']);
    // Four scans would be 20,000.
    expect(connection.rowsTouched.read - before).toBeLessThan(800);
    // Rows that are not known keep their order; they are read by their keys.
    connection.run('UPDATE sorted SET n = -n WHERE id > 4990');
    expect(effects.at(-1)).toBe('values');
    expect(await keys(0, 4)).toEqual([5000, 6000, 4998, 4996]);
    expect(connection.rowsTouched.read - before).toBeLessThan(1000);
    // A trigger may write to other rows of the table.
    connection.run('CREATE TRIGGER more AFTER UPDATE ON sorted BEGIN UPDATE sorted SET n = 1 WHERE id = 1; END');
    edit('update', 5000, 'UPDATE sorted SET n = 3 WHERE id = 5000 RETURNING id', ['n']);
    expect(effects.at(-1)).toBe('values');
    connection.onCommit(null);
    reader.dispose();
  });

  it.each([
    ['by its key, backward', { table: 'big', sort: [{ column: 'id', descending: true }] }],
    ['by an index', { table: 'big', sort: [{ column: 'm', descending: false }] }],
    ['by an index, backward', { table: 'big', sort: [{ column: 'm', descending: true }] }],
    ['with a filter of its key', { table: 'big', filter: [equals('id', 7)] }],
    ['with a filter of an index', { table: 'big', filter: [equals('m', 3)] }],
    ['by the key of a table without row ids', { table: 'keyed', sort: [{ column: 'k', descending: true }] }],
    ['with all rows within a few pages', { table: 'small', sort: [BY_N], filter: [equals('n', -5)] }],
  ])('is opened unasked %s', (_name, request) => {
    expect(() => plan(request)).not.toThrow();
  });
});

// `sqld` refuses ANALYZE, but serves files that were analyzed.
it('is estimated by what ANALYZE has found, unless that is more than there can be', async () => {
  const { engine } = await createWasmEngine();
  const local = engine.open(IN_MEMORY, { durability: 'full', create: true });
  local.run('CREATE TABLE t(id INTEGER PRIMARY KEY, n)');
  local.run(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t SELECT 10 * i, i FROM n',
  );
  const metered = new Proxy(local, {
    get(target, name) {
      if (name === 'isMetered') return true;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
  const cost = (): string => {
    try {
      planReader(metered, { table: 't', sort: [BY_N], filter: [] });
    } catch (error) {
      return (error as AppError).what!;
    }
    return 'It was opened.';
  };
  expect(cost()).toMatch(/would read up to 29,991 rows/);
  local.run('ANALYZE');
  expect(cost()).toMatch(/would read about 3,000 rows/);
  local.run("UPDATE sqlite_stat1 SET stat = '9000000'");
  expect(cost()).toMatch(/would read up to 29,991 rows/);
  expect(() => planReader(local, { table: 't', sort: [BY_N], filter: [] })).not.toThrow();
  local.close();
});
