// Tables on a real server: which rows a page shows, how many round trips it takes, and how many rows the server reads for it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer } from '../../build/sqld/test-server.ts';
import type { TestServer } from '../../build/sqld/test-server.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { RowsPage } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { RemoteConnection } from '../engines/remote/remote-connection.ts';
import { serverEngine } from '../engines/remote/server-engine.test-suite.ts';
import { planReader } from './open-reader.ts';
import type { OpenRequest } from './open-reader.ts';
import type { Reader } from './reader.ts';
import { hostOf } from './reader-host.test-suite.ts';

const ROWS = 200_000;
const FILL = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})`;

const server = await startTestServer();

function rowsOf({ rows }: RowsPage, columns: number): Value[][] {
  const cells = new PackedRowsReader(rows);
  return Array.from({ length: rows.rowCount }, (_, row) =>
    Array.from({ length: columns }, (_column, column) => cells.value(row, column)),
  );
}

describe.skipIf('why' in server)('a table on a server', () => {
  const { url, controls, end } = server as TestServer;
  let connection: RemoteConnection;
  beforeAll(async () => {
    const engine = await serverEngine(url);
    connection = engine.open('pages', { durability: 'full' }) as RemoteConnection;
    connection.run('CREATE TABLE big(id INTEGER PRIMARY KEY, name TEXT, n INTEGER)');
    connection.run(`${FILL} INSERT INTO big SELECT i, 'row ' || i, i % 1000 FROM n`);
    connection.run('CREATE INDEX by_n ON big(n)');
    connection.run('CREATE TABLE w(a TEXT, b INTEGER, v, PRIMARY KEY (a, b)) WITHOUT ROWID');
    connection.run(`${FILL} INSERT INTO w SELECT 'g' || (i % 3), i, i FROM n WHERE i <= 5000`);
    connection.prepare('SELECT * FROM big').finalize();
  });
  afterAll(async () => {
    connection.close();
    await end();
  });

  const open = (request: Partial<OpenRequest> & { readonly table: string }): Reader =>
    planReader(connection, { sort: [], filter: [], ...request })(hostOf(connection));
  /** Result and cost of a read. */
  async function measured<T>(
    body: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly trips: number; readonly read: number }> {
    const [trips, read] = [controls.requests, connection.rowsTouched.read];
    const result = await body();
    return { result, trips: controls.requests - trips, read: connection.rowsTouched.read - read };
  }

  it('shows its first rows after one round trip, and reads no other rows', async () => {
    const reader = open({ table: 'big' });
    const { result, trips, read } = await measured(async () => {
      await reader.open?.();
      return reader.read(0, 200);
    });
    expect(rowsOf(result, 2).map(([, id]) => id)).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
    expect(result).toMatchObject({ exactPosition: true, extent: { rows: 400, exact: false } });
    expect([trips, read]).toEqual([1, 200]);
    // The number of rows follows from the two ends.
    await expect.poll(() => reader.extent).toEqual({ rows: ROWS, exact: false });
  });

  it('scrolls and jumps with one round trip, reading little more than the page', async () => {
    const reader = open({ table: 'big' });
    await reader.read(0, 200);
    await expect.poll(() => reader.extent.rows).toBe(ROWS);
    for (const [start, most] of [
      [200, 202],
      [400, 202],
      [150_000, 202],
      [150_200, 202],
      [149_900, 420],
      [1200, 1500],
    ] as const) {
      const { result, trips, read } = await measured(() => reader.read(start, 200));
      expect(rowsOf(result, 2)[0]![1]).toBe(start + 1);
      expect(result.rows.rowCount).toBe(200);
      expect(trips).toBeLessThanOrEqual(start === 149_900 ? 2 : 1);
      expect(read).toBeLessThanOrEqual(most);
    }
    const last = await measured(() => reader.read(ROWS - 100, 200));
    expect(rowsOf(last.result, 2).at(-1)![1]).toBe(ROWS);
    expect(last.read).toBeLessThanOrEqual(320);
    const found = await measured(() => reader.find([77_777]));
    const page = await reader.read(found.result!, 10);
    expect(rowsOf(page, 2)[0]![1]).toBe(77_777);
    expect(found.trips).toBe(1);
    expect(await reader.find([-5])).toBeNull();
  });

  it('finds rows before anything else is known of the table, and rows that are on screen where they are', async () => {
    // Skips the rows that were read, from the ends of the row ids.
    const far = open({ table: 'big' });
    await far.read(0, 200);
    expect(await far.find([77_777])).toBe(77_776);
    expect(rowsOf(await far.read(77_700, 200), 2)[76]![1]).toBe(77_777);
    expect(await far.find([150])).toBe(149);
    expect(await far.find([300])).toBe(299);
    connection.run('CREATE TABLE sparse(id INTEGER PRIMARY KEY, v)');
    connection.run(`${FILL} INSERT INTO sparse SELECT i * 10, i FROM n WHERE i <= 20000`);
    const sparse = open({ table: 'sparse' });
    await sparse.read(0, 200);
    expect(await sparse.find([1010])).toBe(100);
    await expect.poll(() => sparse.extent.rows).toBeGreaterThan(1000);
    const page = rowsOf(await sparse.read(5120, 200), 2);
    expect(await sparse.find([page[150]![1]!])).toBe(5270);
    connection.run('CREATE TABLE few(id INTEGER PRIMARY KEY, v)');
    connection.run('INSERT INTO few VALUES (5, 1), (1000000, 2), (2000000, 3)');
    const few = open({ table: 'few' });
    await few.read(0, 200);
    expect([await few.find([5]), await few.find([1_000_000]), await few.find([2_000_000])]).toEqual([0, 1, 2]);
    const keyed = open({ table: 'w' });
    await keyed.read(0, 200);
    expect(await keyed.find(['g0', 9])).toBe(2);
    for (const table of ['sparse', 'few']) connection.run(`DROP TABLE ${table}`);
  });

  it('walks tables without row ids, and knows where they end', async () => {
    const reader = open({ table: 'w' });
    const all: Value[] = [];
    for (let start = 0; start < 5000; start += 500) {
      const { result, trips, read } = await measured(() => reader.read(start, 500));
      all.push(...rowsOf(result, 2).map((row) => row.join()));
      expect([trips, read <= 502]).toEqual([1, true]);
    }
    expect(all).toEqual(connection.all("SELECT a || ',' || b FROM w ORDER BY a, b").flat());
    const end = await reader.read(4900, 200);
    expect(end).toMatchObject({ rows: { rowCount: 100 }, extent: { rows: 5000, exact: true } });
  });

  it('ends with the last row, although the last page is full and its position is an estimate', async () => {
    connection.run('CREATE TABLE gaps(id INTEGER PRIMARY KEY, v)');
    connection.run(
      `${FILL} INSERT INTO gaps SELECT CASE WHEN i <= 500 THEN i ELSE i * 1000 END, i FROM n WHERE i <= 1000`,
    );
    const gaps = open({ table: 'gaps' });
    await gaps.read(0, 125);
    await expect.poll(() => gaps.extent).toEqual({ rows: 1_000_000, exact: false });
    const last = await gaps.read(1_000_000 - 125, 125);
    expect(rowsOf(last, 2).at(-1)).toEqual([1_000_000, 1_000_000]);
    expect(gaps.extent).toEqual({ rows: 1_000_000, exact: false });
    // Page by page, it is counted.
    for (let start = 0; start < 1000; start += 125) await gaps.read(start, 125);
    expect(gaps.extent).toEqual({ rows: 1000, exact: true });
    const keyed = open({ table: 'w' });
    for (let start = 0; start < 5000; start += 500) await keyed.read(start, 500);
    expect(keyed.extent).toEqual({ rows: 5500, exact: false });
    // Far after the last row, nothing is known of it.
    await keyed.read(5400, 100);
    expect(keyed.extent).toEqual({ rows: 5500, exact: false });
    await keyed.read(5000, 500);
    expect(keyed.extent).toEqual({ rows: 5000, exact: true });
    connection.run('DROP TABLE gaps');
  });

  it('reaches the end of an order that an index serves, page by page', async () => {
    const sorted = open({ table: 'w', sort: [{ column: 'a', descending: false }] });
    const all: Value[][] = [];
    for (let start = 0; start === 0 || start < sorted.extent.rows; start += 128) {
      await expect
        .poll(async () => {
          const { rows } = await sorted.read(start, 128);
          return rows.rowCount === 128 || sorted.extent.exact;
        })
        .toBe(true);
      all.push(...rowsOf(await sorted.read(start, 128), 2));
    }
    expect(all).toEqual(connection.all('SELECT a, b FROM w ORDER BY a, b'));
    expect(sorted.extent).toEqual({ rows: 5000, exact: true });
  });

  it('sorts and filters by an index, and reads a page with one statement', async () => {
    const request = { table: 'big', sort: [{ column: 'n', descending: true }] } as const;
    const sorted = open(request);
    const first = await measured(() => sorted.read(0, 200));
    expect(rowsOf(first.result, 4).map(([, id, , n]) => [id, n])).toEqual(
      connection.all('SELECT id, n FROM big ORDER BY n DESC, id LIMIT 200'),
    );
    // The keys of the first 2,000 rows, which the index holds in groups to be sorted, and one page of rows.
    expect(first.trips).toBe(2);
    expect(first.read).toBeLessThanOrEqual(4500);
    expect((await measured(() => sorted.read(200, 200))).trips).toBe(1);
    // Farther down, it reads only as far as needed, and not all keys of the table.
    const further = await measured(() => sorted.read(1920, 128));
    expect(further.read).toBeLessThanOrEqual(9000);
    expect(further.result.rows.rowCount).toBe(128);
    await expect.poll(() => sorted.extent).toEqual({ rows: 4000, exact: false });
    const last = await measured(() => sorted.read(3900, 100));
    expect(rowsOf(last.result, 4).map(([, id]) => id)).toEqual(
      connection.all('SELECT id FROM big ORDER BY n DESC, id LIMIT 100 OFFSET 3900').flat(),
    );
    await expect.poll(() => sorted.extent).toEqual({ rows: 8000, exact: false });
    const filtered = open({ table: 'big', filter: [{ column: 'n', operator: '=', value: 7 }] });
    const some = await measured(() => filtered.read(0, 200));
    expect(rowsOf(some.result, 4).every(([, , , n]) => n === 7)).toBe(true);
    expect(some.result.extent).toEqual({ rows: 200, exact: true });
    expect(some.read).toBeLessThanOrEqual(200 * 4 + 10);
  });
});
