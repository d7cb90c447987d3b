// The index lab on both engines: its predictions for an index match what SQLite does with it.
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { PlanLine } from '#shared/protocol/query.ts';

import { createNativeEngine } from '../engines/native/native-engine.ts';
import { scratchFiles } from '../native/transfer-files.ts';
import type { Connection } from '../engines/engine.ts';
import { queryPlan } from '../query/query-plan.ts';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';

// Plans of both engines are the same without STAT4 data; the scratch database needs no history.
const place = scratchFiles(await createNativeEngine());

const SHOP = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, note TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, status TEXT, day TEXT, total REAL);
  CREATE TABLE lines (order_id INTEGER, position INTEGER, item TEXT, amount INTEGER, PRIMARY KEY (order_id, position)) WITHOUT ROWID;
  WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300)
  INSERT INTO customers SELECT i, 'Name ' || (i * 7 % 300), 'City ' || (i % 12), hex(i * 977) FROM n;
  WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
  INSERT INTO orders SELECT i, i * 31 % 300 + 1, CASE i % 40 WHEN 0 THEN 'open' ELSE 'done' END, date(2450000 + i % 365), i % 97 FROM n;
  INSERT INTO lines SELECT id, 1, 'Item ' || (id % 50), id % 5 FROM orders;
  CREATE INDEX orders_day ON orders (day);
  CREATE INDEX orders_day_total ON orders (day, total);
  CREATE VIEW open_orders AS SELECT * FROM orders WHERE status = 'open';`;

const QUERIES = [
  'SELECT * FROM orders WHERE customer_id = ?',
  'SELECT id FROM orders WHERE status = ? AND total > ? ORDER BY total',
  'SELECT * FROM orders WHERE customer_id = ? ORDER BY day DESC, total',
  'SELECT c.name, sum(o.total) FROM customers c JOIN orders o ON o.customer_id = c.id WHERE c.city = ? GROUP BY c.name',
  'SELECT count(*) FROM open_orders WHERE customer_id = ?',
  'SELECT * FROM customers WHERE lower(name) = ?',
  "SELECT * FROM customers WHERE name LIKE 'Name 1%'",
  'SELECT o.id FROM orders o JOIN lines l ON l.order_id = o.id WHERE l.item = ? AND l.amount < ?',
  'SELECT status, count(*) FROM orders GROUP BY status',
  'UPDATE orders SET total = 0 WHERE customer_id = ? AND status = ?',
  'DELETE FROM lines WHERE item = ?',
  'WITH o AS (SELECT * FROM orders WHERE total > ?) SELECT city FROM customers JOIN o ON o.customer_id = customers.id ORDER BY city',
  'SELECT * FROM customers WHERE city = ? OR name = ?',
];

const details = (lines: readonly PlanLine[]): readonly string[] => lines.map(({ detail }) => detail);

/** Native STAT4 treats an unbound parameter as NULL, whose rows it has counted. */
function forgetSamples(connection: Connection): void {
  if (connection.one("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat4'") === null) return;
  connection.run('DELETE FROM sqlite_stat4');
  connection.run('ANALYZE sqlite_schema');
}

/** Conditions, orders, and groups over one table, from a seed. */
const randomQuery = fc
  .record({
    where: fc.array(
      fc.tuple(
        fc.constantFrom('customer_id', 'status', 'day', 'total'),
        fc.constantFrom('= ?', '> ?', 'BETWEEN ? AND ?', 'IS NULL', 'IN (?, ?)'),
      ),
      { maxLength: 3 },
    ),
    order: fc.uniqueArray(fc.constantFrom('customer_id', 'status DESC', 'day', 'total DESC', 'id'), { maxLength: 2 }),
    columns: fc.constantFrom('*', 'id', 'customer_id, total', 'status, day'),
  })
  .map(({ where, order, columns }) =>
    [
      `SELECT ${columns} FROM orders`,
      where.length > 0 && `WHERE ${where.map((parts) => parts.join(' ')).join(' AND ')}`,
      order.length > 0 && `ORDER BY ${order.join(', ')}`,
    ]
      .filter(Boolean)
      .join(' '),
  );

describe.each(disks)('the index lab $name', (disk) => {
  const open = (sql = SHOP): HistoryFixture => {
    const fixture = new HistoryFixture(sql, disk);
    fixture.scratchStore = place;
    return fixture;
  };

  test('expects the plans that SQLite makes once an index exists, before and after ANALYZE', async () => {
    const fixture = open();
    const { connection } = fixture;
    // Otherwise samples would be as small as the machine is busy.
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const before = fixture.dump;
    const sizes: { readonly table: string; readonly index: string; readonly ratio: number }[] = [];
    for (const sql of [...QUERIES, ...fc.sample(randomQuery, { numRuns: seedCount(20), seed: 15 })]) {
      const report = await fixture.call('indexLab.try', { sql, indexes: null });
      expect(fixture.dump).toBe(before);
      for (const { sql: index, name, table, plan, isUsed, isUsedNow, bytes, servedBy } of report.candidates) {
        connection.run('BEGIN');
        connection.run(index);
        const now = details(queryPlan(connection, sql));
        expect([index, isUsedNow]).toEqual([index, now.some((line) => `${line} `.includes(`INDEX ${name} `))]);
        connection.run('ANALYZE');
        forgetSamples(connection);
        expect([index, details(plan.lines)]).toEqual([index, details(queryPlan(connection, sql))]);
        expect({ isUsed, servedBy, isCheaper: plan.cost < report.plan.cost }).toEqual({
          isUsed: true,
          servedBy: null,
          isCheaper: true,
        });
        const [pages] = connection.one('SELECT sum(pgsize) FROM dbstat WHERE name = ? AND aggregate = 1', [name])!;
        // Whole pages, from tables that the sample covers completely.
        sizes.push({ table, index, ratio: bytes! / Number(pages) });
        connection.run('ROLLBACK');
      }
    }
    expect(sizes.length).toBeGreaterThan(12);
    // Among only a few pages, the last is partly empty, and one may hold nothing but pointers to the others.
    expect(sizes.filter(({ ratio }) => ratio < 0.5 || ratio > 1.5)).toEqual([]);
    fixture.close();
  });

  test('begins with the smaller index, unless a larger one saves that much more', async () => {
    const fixture = open();
    const firstOf = async (sql: string): Promise<readonly string[]> => {
      const { candidates } = await fixture.call('indexLab.try', { sql, indexes: null });
      return candidates.map((candidate) => candidate.sql.replace(/^.* ON /, ''));
    };
    // Five rows of 1,500, read with all their columns or only found.
    expect((await firstOf('SELECT * FROM orders WHERE customer_id = ?')).slice(0, 2)).toEqual([
      'orders (customer_id)',
      'orders (customer_id, status, day, total)',
    ]);
    expect((await firstOf('SELECT status, sum(total) FROM orders GROUP BY status'))[0]).toBe('orders (status, total)');
    fixture.close();
  });

  test('tries an index that someone writes, and says what is wrong with it or what does its work already', async () => {
    const fixture = open();
    const sql = "SELECT * FROM orders WHERE day = ? AND status = 'open'";
    const tryOne = (index: string) => fixture.call('indexLab.try', { sql, indexes: [index] });
    const [partial] = (await tryOne("CREATE INDEX mine ON orders (day, customer_id) WHERE status = 'open'")).candidates;
    expect(partial).toMatchObject({ name: 'mine', isUsed: true, isUsedNow: true, servedBy: null });
    const { candidates, redundant } = await tryOne('CREATE INDEX again ON orders (day)');
    expect(candidates).toMatchObject([{ name: 'again', servedBy: 'orders_day' }]);
    expect(redundant).toEqual([{ table: 'orders', index: 'orders_day', covering: 'orders_day_total' }]);
    const [useless] = (await tryOne('CREATE INDEX useless ON customers (city)')).candidates;
    expect(useless).toMatchObject({ isUsed: false, isUsedNow: false });
    expect((await failureOf(tryOne('DROP TABLE orders'))).code).toBe('invalid');
    expect((await failureOf(tryOne('CREATE INDEX i ON orders (missing)'))).message).toContain('missing');
    expect(
      (await failureOf(fixture.call('indexLab.try', { sql: 'PRAGMA user_version = 3', indexes: null }))).code,
    ).toBe('invalid');
    expect(fixture.connection.one('PRAGMA user_version')).toEqual([0]);
    expect(await fixture.steps()).toEqual([]);
    fixture.close();
  });

  test('measures in a copy, writing statements included, and leaves the database as it is', async () => {
    const fixture = open();
    const before = fixture.dump;
    const measured = await fixture.call('indexLab.measure', {
      sql: 'UPDATE orders SET total = total + 1 WHERE customer_id = :customer',
      parameters: { ':customer': 17 },
      index: 'CREATE INDEX orders_customer ON orders (customer_id)',
    });
    expect(measured.beforeMs).toHaveLength(5);
    expect(measured.afterMs).toHaveLength(5);
    expect(measured.bytes % 4096).toBe(0);
    expect(measured.bytes).toBeGreaterThan(0);
    expect(fixture.dump).toBe(before);
    expect(await fixture.steps()).toEqual([]);
    fixture.close();
  });
});
