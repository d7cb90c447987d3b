// Property test with two writing windows: patches bring every watched range to what a new run returns, and few runs are unnecessary.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LONG, seedCount } from '#shared/seed-count.test-suite.ts';
import type { OpenRequest } from '../readers/open-reader.ts';
import { QUERIES, SCHEMA, transaction } from '../readers/random-writes.test-suite.ts';
import { openFixture } from '../operations/database-fixture.test-suite.ts';
import type { DatabaseFixture, TestWindow } from '../operations/database-fixture.test-suite.ts';
import { Follower } from './follower.test-suite.ts';

/** Tables the window opens, and the queries that return their rows. */
const TABLES: readonly (Partial<OpenRequest> & { readonly table: string; readonly sql: string })[] = [
  { table: 'a', sql: 'SELECT id, id, x, y, t FROM a ORDER BY id' },
  { table: 'b', sql: 'SELECT rowid, a_id, n, note FROM b ORDER BY rowid' },
  { table: 'w', sql: 'SELECT k, part, v FROM w ORDER BY part, k' },
  { table: 'made', sql: 'SELECT id, * FROM made ORDER BY id' },
  { table: 'log', sql: 'SELECT rowid, what FROM log ORDER BY rowid' },
  { table: 'v', sql: 'SELECT id, note FROM v' },
  { table: 'f', sql: 'SELECT rowid, body FROM f ORDER BY rowid' },
  { table: 'r', sql: 'SELECT rowid, id, low, high FROM r' },
  {
    table: 'a',
    sort: [{ column: 't', descending: true }],
    sql: 'SELECT id, id, x, y, t FROM a ORDER BY t DESC, id',
  },
  { table: 'a', where: 'x > 1', sql: 'SELECT id, id, x, y, t FROM a WHERE x > 1 ORDER BY id' },
  {
    table: 'a',
    where: 'x >= (SELECT avg(x) FROM a)',
    sort: [{ column: 'y', descending: false }],
    sql: 'SELECT id, id, x, y, t FROM a WHERE x >= (SELECT avg(x) FROM a) ORDER BY y, id',
  },
  { table: 'w', sort: [{ column: 'v', descending: false }], sql: 'SELECT k, part, v FROM w ORDER BY v, part, k' },
  { table: 'b', sort: [{ column: 'note', descending: false }], sql: 'SELECT rowid, * FROM b ORDER BY note, rowid' },
];
const RANGES = [
  { start: 0, count: 3 },
  { start: 1, count: 2 },
  { start: 0, count: 50 },
];

interface Shown {
  readonly follower: Follower;
  readonly sql: string;
  readonly start: number;
  readonly count: number;
  readonly columns: string;
  expected: string | null;
  runs: number;
}

const counts = { asked: 0, changed: 0, ran: 0, extra: 0 };

test('every watched range is what a fresh run gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(transaction, fc.boolean()), { minLength: 3, maxLength: 8 }),
      fc.nat({ max: 1000 }),
      async (transactions, seed) => {
        const fixture = openFixture(SCHEMA);
        try {
          const windows = [fixture.window, fixture.newWindow('Window 2')] as const;
          const shown = await showAll(fixture, windows, seed);
          for (const [{ statements, shape }, first] of transactions) {
            const writer = windows[first ? 0 : 1];
            const other = windows[first ? 1 : 0];
            if (shape === 'each') for (const sql of statements) await step(fixture, shown, writer, [sql], true);
            else {
              await step(fixture, shown, writer, ['BEGIN', ...statements.slice(0, 2)], false);
              await step(fixture, shown, other, statements.slice(2, 3), false);
              const end = shape === 'together' ? 'COMMIT' : 'ROLLBACK';
              await step(fixture, shown, writer, [...statements.slice(2), end], false);
            }
            for (const window of windows) await step(fixture, shown, window, ['ROLLBACK'], false);
          }
        } finally {
          fixture.close();
        }
      },
    ),
    { seed: 4, numRuns: seedCount(25) },
  );
  const rate = counts.extra / (counts.asked - counts.changed);
  console.info(`${counts.ran} runs for ${counts.changed} changes, ${(rate * 100).toFixed(1)} % run in vain`);
  expect(rate).toBeLessThan(LONG ? 0.15 : 0.25);
});

async function showAll(fixture: DatabaseFixture, windows: readonly TestWindow[], seed: number): Promise<Shown[]> {
  const shown: Shown[] = [];
  const show = async (sql: string, open: (window: TestWindow) => Promise<{ readonly reader: number }>) => {
    const place = shown.length + seed;
    const window = windows[place % windows.length]!;
    const range = RANGES[(place >> 1) % RANGES.length]!;
    const { reader } = await open(window);
    const follower = await Follower.on(window, reader, range);
    const query = { sql, ...range, columns: columnsOf(fixture, sql) };
    shown.push({ follower, ...query, expected: fresh(fixture, query), runs: 0 });
  };
  for (const [place, sql] of QUERIES.entries())
    if ((place + seed) % 2 === 0)
      await show(sql, (window) => window.call('live.open', { sql, params: [], limitMs: null }));
  for (const { sql, ...request } of TABLES)
    await show(sql, (window) => window.call('rows.open', { sort: [], filter: [], ...request }));
  return shown;
}

/** Runs statements that may fail, as a user's scripts do, then checks everything that is shown. */
async function step(
  fixture: DatabaseFixture,
  shown: readonly Shown[],
  writer: TestWindow,
  statements: readonly string[],
  counted: boolean,
): Promise<void> {
  const schemaBefore = fixture.connection.one('PRAGMA schema_version')![0];
  for (const sql of statements) await writer.call('query.run', { sql }).catch(() => undefined);
  const isCounted = counted && fixture.connection.one('PRAGMA schema_version')![0] === schemaBefore;
  for (const one of shown) await check(fixture, one, isCounted, statements);
}

async function check(
  fixture: DatabaseFixture,
  one: Shown,
  isCounted: boolean,
  steps: readonly string[],
): Promise<void> {
  const expected = fresh(fixture, one);
  const before = one.expected;
  one.expected = expected;
  // A range that cannot be read at the moment keeps its old rows.
  if (expected === null) return;
  const until = performance.now() + 30_000;
  while (JSON.stringify(one.follower.rows) !== expected || !one.follower.isSettled) {
    if (performance.now() > until)
      throw new Error(
        `${one.sql}\nafter ${steps.join('; ')}\n${JSON.stringify(one.follower.rows)}\nis not\n${expected}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const { runs } = await one.follower.counters();
  if (isCounted) {
    counts.asked++;
    counts.ran += runs - one.runs;
    if (before !== expected) counts.changed++;
    else if (runs > one.runs) counts.extra++;
  }
  one.runs = runs;
}

/** Null when it cannot be read, or would have other columns than the ones shown. */
function fresh(
  fixture: DatabaseFixture,
  { sql, start, count, columns }: Omit<Shown, 'follower' | 'expected' | 'runs'>,
) {
  try {
    if (columnsOf(fixture, sql) !== columns) return null;
    return JSON.stringify(fixture.connection.all(sql).slice(start, start + count));
  } catch {
    return null;
  }
}

function columnsOf(fixture: DatabaseFixture, sql: string): string {
  const statement = fixture.connection.prepare(sql);
  const names = JSON.stringify(statement.columns.map(({ name }) => name));
  statement.finalize();
  return names;
}
