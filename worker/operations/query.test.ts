import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { processorMsOf } from '#shared/processor-time.test-suite.ts';
import type { QueryChunk, QueryEvent } from '#shared/protocol/query.ts';
import { failureOf, openFixture, valuesOf } from './database-fixture.test-suite.ts';
import type { DatabaseFixture, TestWindow } from './database-fixture.test-suite.ts';

const TABLE = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'one'), (2, 'two')";

let fixture: DatabaseFixture;
beforeEach(() => {
  fixture = openFixture(TABLE);
});
afterEach(() => fixture.close());

async function run(sql: string, window: TestWindow = fixture.window) {
  const chunks: QueryChunk[] = [];
  const reply = await window.call('query.run', { sql }, chunks);
  const events = chunks.flat();
  const results = events.filter((event) => event.kind === 'result');
  return { reply, chunks, events, results };
}

async function firstResult(chunks: readonly QueryChunk[]) {
  const isResult = (event: QueryEvent) => event.kind === 'result';
  await expect.poll(() => chunks.flat().some(isResult), { interval: 1 }).toBe(true);
  return chunks.flat().find(isResult)!.reader.reader;
}

const MILLION = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)';

test('several results, changes and times, each at its place in the text', async () => {
  const sql =
    "-- hello\nSELECT a FROM t;\n  INSERT INTO t (a) VALUES ('é'), ('four'); /* x */ SELECT count(*) AS n FROM t";
  const { reply, events, results } = await run(sql);
  expect(reply).toMatchObject({ statements: 3, results: 2, rowsChanged: 2, transactionOpen: false });
  expect(results.map((chunk) => sql.slice(chunk.from, chunk.to))).toEqual([
    'SELECT a FROM t;',
    'SELECT count(*) AS n FROM t',
  ]);
  expect(results[0]!.reader.columns).toEqual([
    { name: 'a', declaredType: 'TEXT', origin: { table: 't', column: 'a' } },
  ]);
  expect(results[0]!.reads).toEqual(['t']);
  expect(
    events
      .filter((event) => event.kind === 'done')
      .map(({ statement, rows, rowsChanged }) => ({ statement, rows, rowsChanged })),
  ).toEqual([
    { statement: 0, rows: 2, rowsChanged: null },
    { statement: 1, rows: null, rowsChanged: 2 },
    { statement: 2, rows: 1, rowsChanged: null },
  ]);
  const page = await fixture.window.call('rows.read', { reader: results[1]!.reader.reader, start: 0, count: 10 });
  expect(valuesOf(page.rows)).toEqual([[4]]);
  expect(page.extent).toEqual({ rows: 1, exact: true });
});

test('a table that is not there is marked in its statement, and the name that was probably meant is said', async () => {
  await run('CREATE TABLE Customer (id INTEGER PRIMARY KEY, city)');
  const sql = "SELECT 'Custmer'; SELECT 1;\n-- Custmer\nSELECT custmer.city FROM Custmer";
  const failure = await failureOf(fixture.window.call('query.run', { sql }));
  expect(failure.message).toBe('There is no table named “Custmer”. Did you mean “Customer”?');
  expect(failure.sqlite!.offset).toBe(sql.lastIndexOf('Custmer'));
  expect(await fixture.window.call('query.check', { sql })).toMatchObject([
    { from: sql.lastIndexOf('Custmer'), to: sql.length, message: failure.message },
  ]);
  const column = await failureOf(fixture.window.call('query.run', { sql: 'SELECT id, ctiy FROM Customer' }));
  expect(column.message).toBe('There is no column named “ctiy”. Did you mean “city”?');
  expect(column.sqlite!.offset).toBe(11);
  const farOff = await failureOf(fixture.window.call('query.run', { sql: 'SELECT * FROM "whatever else"' }));
  expect(farOff.message).toBe('There is no table named “whatever else”.');
  expect(farOff.sqlite!.offset).toBe(14);
});

test('a million rows: the first are there long before the last, and any can be read', async () => {
  const chunks: QueryChunk[] = [];
  const running = fixture.window.call('query.run', { sql: `${MILLION} SELECT i, 'row ' || i FROM n` }, chunks);
  const reader = await firstResult(chunks);
  const first = await fixture.window.call('rows.read', { reader, start: 0, count: 3 });
  expect(valuesOf(first.rows)[2]).toEqual([3, 'row 3']);
  expect(first.extent.exact).toBe(false);
  await running;
  expect(chunks.flat().some((event) => event.kind === 'rows')).toBe(true);
  const last = await fixture.window.call('rows.read', { reader, start: 999_990, count: 100 });
  expect(last.extent).toEqual({ rows: 1_000_000, exact: true });
  expect(valuesOf(last.rows).at(-1)).toEqual([1_000_000, 'row 1000000']);
});

test('the first result is told before the next statement begins, and a run goes on although nobody reads it', async () => {
  const numbersTold = async (showsRows: boolean): Promise<readonly (readonly number[])[]> => {
    const chunks: QueryChunk[] = [];
    const sql = 'SELECT a FROM t; SELECT 2; SELECT 3';
    await fixture.window.call('query.run', { sql, showsRows }, chunks);
    return chunks.map((events) => events.flatMap((event) => (event.kind === 'result' ? event.statement : [])));
  };
  const shown = await numbersTold(true);
  expect(shown[0]).toEqual([0]);
  expect(shown.flat()).toEqual([0, 1, 2]);
  // How many are sent together depends on how long they take.
  expect((await numbersTold(false)).flat()).toEqual([0, 1, 2]);
});

test('a result is one snapshot: a write of another window waits, a read does not', async () => {
  const other = fixture.newWindow('Window 2');
  const running = run(`${MILLION} SELECT i, (SELECT count(*) FROM t) FROM n`);
  const write = run("INSERT INTO t (a) VALUES ('late')", other);
  const first = await Promise.race([
    write.then(() => 'write'),
    other.call('schema.table', { table: 't' }).then(() => 'read'),
  ]);
  expect(first).toBe('read');
  const { results } = await running;
  await write;
  const page = await fixture.window.call('rows.read', { reader: results[0]!.reader.reader, start: 999_999, count: 1 });
  expect(valuesOf(page.rows)).toEqual([[1_000_000, 2]]);
});

test('Stop ends a query; rows that came stay', async () => {
  const chunks: QueryChunk[] = [];
  const running = failureOf(
    fixture.window.call(
      'query.run',
      { sql: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n' },
      chunks,
    ),
  );
  const reader = await firstResult(chunks);
  fixture.window.cancelAll();
  expect((await running).code).toBe('stopped');
  expect((await fixture.window.call('rows.read', { reader, start: 0, count: 1 })).rows.rowCount).toBe(1);
});

test.each([
  { sql: 'SELECT 1;\n SELEC 2', code: 'sql', offset: 11, statement: 1 },
  { sql: "SELECT 'ä🙂'; SELECT nope FROM t", code: 'sql', offset: 21, statement: 1 },
  { sql: "INSERT INTO t VALUES (9, 'ok'); SELECT é; SELECT 1", code: 'sql', offset: 39, statement: 1 },
  { sql: "UPDATE t SET a = 'x'; INSERT INTO t VALUES (1, 'again')", code: 'constraint', offset: -1, statement: 1 },
])('says where “$sql” fails', async ({ sql, code, offset, statement }) => {
  const error = await failureOf(run(sql));
  expect(error.code).toBe(code);
  expect(error.sqlite?.offset).toBe(offset);
  expect(error.detail).toMatchObject({ statement });
});

test('a transaction by hand spans runs, is refused to others, and shows its changes to its own window', async () => {
  const info = await fixture.window.call('rows.open', { table: 't', sort: [], filter: [] });
  const other = fixture.newWindow('Window 2');
  expect((await run("BEGIN; INSERT INTO t (a) VALUES ('mine')")).reply.transactionOpen).toBe(true);
  expect(fixture.window.count('rows.changed')).toBe(1);
  expect((await fixture.window.call('rows.read', { reader: info.reader, start: 0, count: 9 })).rows.rowCount).toBe(3);
  expect((await failureOf(run('DELETE FROM t', other))).code).toBe('transaction-elsewhere');
  expect((await run('SELECT 1', other)).reply.statements).toBe(1);
  expect((await run('COMMIT')).reply.transactionOpen).toBe(false);
  expect((await run('DELETE FROM t', other)).reply.rowsChanged).toBe(3);
});

test('requests of one window are done in the order they were sent, whether they write or read', async () => {
  // Time stands still, so no slice ends before its work does, however slow the machine: a read would pass a write that waits for a
  // half-read statement.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const sent = [
    run("INSERT INTO t (a) VALUES ('new')"),
    run('SELECT count(*) FROM t'),
    run('DELETE FROM t'),
    run('SELECT count(*) FROM t'),
  ];
  const counts: unknown[] = [];
  for (const { results } of await Promise.all(sent)) {
    if (!results[0]) continue;
    const page = await fixture.window.call('rows.read', { reader: results[0].reader.reader, start: 0, count: 1 });
    counts.push(...valuesOf(page.rows)[0]!);
  }
  expect(counts).toEqual([3, 0]);
});

test('147,000 statements run in seconds with progress instead of a message each', async () => {
  const lines = Array.from({ length: 147_000 }, (_, i) => `INSERT INTO t (a) VALUES ('a value of some length ${i}');`);
  const running = run(`BEGIN;\n${lines.join('\n')}\nCOMMIT;`);
  expect(await processorMsOf(() => running)).toBeLessThan(10_000);
  const { reply, chunks, events } = await running;
  expect(reply).toMatchObject({ statements: 147_002, rowsChanged: 147_000 });
  expect(chunks.length).toBeLessThan(400);
  expect(events.some((event) => event.kind === 'progress')).toBe(true);
});

test('5,000 SELECTs: 100 results are kept and told, the rest only counted, and a slice of time is one chunk', async () => {
  const sql = Array.from({ length: 5_000 }, (_, n) => `SELECT ${n} AS n, a FROM t;`).join('\n');
  const beganMs = performance.now();
  const { reply, chunks, events, results } = await run(sql);
  const tookMs = performance.now() - beganMs;
  expect(reply).toMatchObject({ statements: 5_000, results: 5_000, rowsChanged: 0 });
  expect(results.map(({ statement }) => statement)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  const done = events.filter((event) => event.kind === 'done');
  expect(done.map(({ statement, rows }) => [statement, rows])).toEqual(results.map(({ statement }) => [statement, 2]));
  expect(events.filter(({ kind }) => kind === 'rows')).toEqual([]);
  // Slices are 8 ms and longer, of the clock: the statements' own time is less where the machine is busy.
  expect(chunks.length).toBeLessThan(tookMs / 4 + 10);
  expect(fixture.window.count('rows.extentChanged')).toBeLessThanOrEqual(100);
  const last = await fixture.window.call('rows.read', { reader: results[99]!.reader.reader, start: 0, count: 9 });
  expect(valuesOf(last.rows)).toEqual([
    [99, 'one'],
    [99, 'two'],
  ]);
});

test('a failure says how many results there were', async () => {
  const sql = `${Array.from({ length: 150 }, (_, n) => `SELECT ${n};`).join('\n')} SELECT nope`;
  expect((await failureOf(run(sql))).detail).toMatchObject({ statement: 150, results: 150 });
});

test('INSERT … RETURNING is a write with rows', async () => {
  const { reply, results } = await run("INSERT INTO t (a) VALUES ('x'), ('y') RETURNING id");
  expect(reply.rowsChanged).toBe(2);
  expect(results[0]!.reads).toBeNull();
  const page = await fixture.window.call('rows.read', { reader: results[0]!.reader.reader, start: 0, count: 5 });
  expect(valuesOf(page.rows)).toEqual([[3], [4]]);
});

test('results are freed when their window lets go of the database, and those of others stay', async () => {
  const other = fixture.newWindow('Window 2');
  const read = async (window: TestWindow, from: Awaited<ReturnType<typeof run>>) =>
    window.call('rows.read', { reader: from.results[0]!.reader.reader, start: 0, count: 1 });
  const [freed, kept] = [await run('SELECT 1'), await run('SELECT 2', other)];
  fixture.database.leave(fixture.window.session);
  expect((await failureOf(read(fixture.window, freed))).code).toBe('not-found');
  expect(valuesOf((await read(other, kept)).rows)).toEqual([[2]]);
});

test('all windows page again when an open transaction has changed rows, and when it is taken back', async () => {
  const other = fixture.newWindow('Window 2');
  const windows = [fixture.window, other];
  for (const window of windows) await window.call('rows.open', { table: 't', sort: [], filter: [] });
  const told = async (sql: string): Promise<void> => {
    const before = windows.map((window) => window.count('rows.changed'));
    await run(sql);
    await expect
      .poll(() => windows.every((window, index) => window.count('rows.changed') > before[index]!), { interval: 1 })
      .toBe(true);
  };
  await told("BEGIN; INSERT INTO t (a) VALUES ('x')");
  await told("UPDATE t SET a = 'y'");
  await told('ROLLBACK');
});

test('a long value is a preview in a page and longer by position', async () => {
  const { results } = await run("SELECT printf('%.*c', 100000, 'x'), zeroblob(3000)");
  const { reader } = results[0]!.reader;
  const page = await fixture.window.call('rows.read', { reader, start: 0, count: 1 });
  expect((valuesOf(page.rows)[0]![0] as string).length).toBe(1024);
  const text = await fixture.window.call('cell.readAt', { reader, position: 0, column: 0 });
  expect((text.value as string).length).toBe(65_536);
  expect(text.sizeBytes).toBe(100_000);
  const blob = await fixture.window.call('cell.readAt', { reader, position: 0, column: 1 });
  expect(blob).toEqual({ value: new Uint8Array(3000), storageClass: 'blob', sizeBytes: 3000 });
});

test.each([
  { sql: 'SELECT 1', problems: [] },
  { sql: 'SELECT nope FROM t; SELECT 1', problems: [[7, 11]] },
  { sql: 'SELECT 1; SELECT * FROM missing', problems: [[24, 31]] },
  {
    sql: 'SELECT nope FROM t; SELECT * FORM t; SELECT 1',
    problems: [
      [7, 11],
      [29, 33],
    ],
  },
  { sql: 'SELECT nope FROM t; CREATE TABLE later (x); SELECT * FROM later', problems: [[7, 11]] },
  { sql: 'CREATE TABLE later (x); SELECT y FROM later; SELECT nope FROM t', problems: [[52, 56]] },
  {
    sql: 'CREATE TABLE later (x); SELECT * FORM later; SELECT * FROM latter',
    problems: [
      [33, 37],
      [59, 65],
    ],
  },
  { sql: 'ALTER TABLE t ADD COLUMN b; SELECT b FROM t; SELECT c FROM t; SELECT * FROM u', problems: [[76, 77]] },
  { sql: 'CREATE VIRTUAL TABLE f USING fts5(x); SELECT * FROM f_data; SELECT * FROM g_data', problems: [[74, 80]] },
  { sql: "ATTACH ':memory:' AS other; SELECT * FROM unknown", problems: [] },
  { sql: "SELECT 'ä'; SELEC", problems: [[12, 17]] },
])('checks “$sql” without running it', async ({ sql, problems }) => {
  const found = await fixture.window.call('query.check', { sql });
  expect(found.map(({ from, to }) => [from, to])).toEqual(problems);
});

test('what a transaction holds is known to all windows, and a rollback to a savepoint shows in them', async () => {
  const { window, database } = fixture;
  const pending = () => database.state.transaction;
  await run("INSERT INTO t (a) VALUES ('x'); BEGIN; INSERT INTO t (a) VALUES ('three'), ('four')");
  expect(pending()).toMatchObject({ changes: 2, savepoints: [] });
  await run('SAVEPOINT s; DELETE FROM t');
  expect(pending()).toMatchObject({ changes: 7, savepoints: ['s'] });
  const before = window.count('database.changed');
  await run('ROLLBACK TO s');
  expect(pending()).toMatchObject({ changes: 2, savepoints: ['s'] });
  await expect.poll(() => window.count('database.changed')).toBeGreaterThan(before);
  await run('COMMIT');
  expect(pending()).toBeNull();
});
