import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { FilterTerm, SortTerm } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import { failureOf, openFixture, valuesOf } from '../operations/database-fixture.test-suite.ts';

const fixture = openFixture(`
  CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT COLLATE NOCASE, mixed, n REAL);
  WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 6000)
    INSERT INTO t SELECT i * 2, iif(i % 11 = 0, NULL, iif(i % 2, 'Word ', 'word ') || (i % 40)),
      CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN i % 30 WHEN 2 THEN (i % 30) / 4.0 WHEN 3 THEN 'x' || (i % 9) ELSE x'00' || (i % 7) END, i % 100 FROM i;
  CREATE TABLE w (a TEXT, b INTEGER, c, PRIMARY KEY (a, b)) WITHOUT ROWID;
  INSERT INTO w SELECT word, id, mixed FROM t WHERE word IS NOT NULL;
  CREATE TABLE big (x); INSERT INTO big (rowid, x) VALUES (1, 'b'), (9007199254740993, 'a'), (-9223372036854775808, 'c'), (9223372036854775807, 'a');
  CREATE VIEW v AS SELECT word, n FROM t WHERE n < 50;
  CREATE TABLE likes (s); INSERT INTO likes VALUES ('50%'), ('50 percent'), ('a_b'), ('aXb'), ('back\\slash'), (505), (NULL);`);
afterAll(() => fixture.close());

interface Asked {
  readonly table: string;
  readonly sort?: SortTerm[];
  readonly filter?: FilterTerm[];
  readonly where?: string;
}

const open = (asked: Asked) => fixture.window.call('rows.open', { sort: [], filter: [], ...asked });

async function rowsOf(asked: Asked, start = 0, count = 2000): Promise<Value[][]> {
  const info = await open(asked);
  await expect
    .poll(() => fixture.window.call('rows.read', { reader: info.reader, start, count }), { interval: 5 })
    .toMatchObject({ extent: { exact: true } });
  const page = await fixture.window.call('rows.read', { reader: info.reader, start, count });
  await fixture.window.call('rows.close', { reader: info.reader });
  return valuesOf(page.rows);
}

const columns = fc.constantFrom('id', 'word', 'mixed', 'n');
const sorts = fc.uniqueArray(fc.record({ column: columns, descending: fc.boolean() }), {
  selector: (term) => term.column,
  minLength: 1,
  maxLength: 3,
});

test('any order is what SQLite makes of it: NULLs, mixed types, collations, ties by key', async () => {
  await fc.assert(
    fc.asyncProperty(sorts, fc.nat({ max: 6000 }), async (sort, start) => {
      const order = [...sort.map((term) => `"${term.column}"${term.descending ? ' DESC' : ''}`), 'rowid'].join(', ');
      const expected = fixture.connection.all(`SELECT rowid, * FROM t ORDER BY ${order} LIMIT 70 OFFSET ?`, [start]);
      expect(await rowsOf({ table: 't', sort }, start, 70)).toEqual(expected);
    }),
    { seed: 5, numRuns: seedCount(40) },
  );
});

test('sorts a WITHOUT ROWID table and finds a row in that order', async () => {
  const info = await open({ table: 'w', sort: [{ column: 'c', descending: true }] });
  const expected = fixture.connection.all('SELECT * FROM w ORDER BY c DESC, a, b LIMIT 5 OFFSET 3000');
  // A page that the list has not reached within a moment comes without its rows.
  await expect
    .poll(async () =>
      valuesOf((await fixture.window.call('rows.read', { reader: info.reader, start: 3000, count: 5 })).rows),
    )
    .toEqual(expected);
  expect(
    await fixture.window.call('rows.find', { reader: info.reader, key: [expected[2]![0]!, expected[2]![1]!] }),
  ).toEqual({ position: 3002 });
});

test('row ids beyond 2^53 stay exact', async () => {
  const ids = (await rowsOf({ table: 'big', sort: [{ column: 'x', descending: false }] })).map((row) => row[0]);
  expect(ids).toEqual([9007199254740993n, 9223372036854775807n, 1, -9223372036854775808n]);
  const info = await open({ table: 'big', sort: [{ column: 'x', descending: false }] });
  expect(await fixture.window.call('rows.find', { reader: info.reader, key: [9223372036854775807n] })).toEqual({
    position: 1,
  });
  const page = await fixture.window.call('rows.read', { reader: info.reader, start: 1, count: 2 });
  expect(valuesOf(page.rows).map((row) => row[0])).toEqual([9223372036854775807n, 1]);
});

test.each<{ term: FilterTerm; sql: string }>([
  { term: { column: 'word', operator: '=', value: 'WORD 7' }, sql: `word = 'WORD 7'` },
  { term: { column: 'n', operator: '=', value: '50' }, sql: `n = '50'` },
  { term: { column: 'mixed', operator: '<>', value: 3 }, sql: 'mixed <> 3' },
  { term: { column: 'mixed', operator: '>=', value: { real: 2 } }, sql: 'mixed >= 2.0' },
  { term: { column: 'word', operator: 'is-null', value: null }, sql: 'word IS NULL' },
  { term: { column: 'word', operator: 'is-not-null', value: null }, sql: 'word IS NOT NULL' },
  { term: { column: 'word', operator: '=', value: null }, sql: 'word IS NULL' },
  { term: { column: 'word', operator: 'contains', value: 'D 3' }, sql: `word LIKE '%d 3%'` },
  { term: { column: 'word', operator: 'starts-with', value: 'word 12' }, sql: `word LIKE 'word 12%'` },
])('filter $term.operator $term.value', async ({ term, sql }) => {
  const expected = fixture.connection.all(`SELECT rowid, * FROM t WHERE ${sql} ORDER BY rowid LIMIT 2000`);
  expect(expected.length).toBeGreaterThan(0);
  expect(await rowsOf({ table: 't', filter: [term] })).toEqual(expected);
});

test('signs of LIKE are taken literally', async () => {
  const found = async (operator: 'contains' | 'starts-with', value: Value) =>
    (await rowsOf({ table: 'likes', filter: [{ column: 's', operator, value }] })).map((row) => row[1]);
  expect(await found('contains', '0%')).toEqual(['50%']);
  expect(await found('contains', 'a_b')).toEqual(['a_b']);
  expect(await found('contains', '\\s')).toEqual(['back\\slash']);
  expect(await found('starts-with', 50)).toEqual(['50%', '50 percent', 505]);
});

test('an expression, a filter and an order together; views too', async () => {
  const filter: FilterTerm[] = [{ column: 'n', operator: '>', value: 40 }];
  const sort: SortTerm[] = [{ column: 'n', descending: true }];
  const where = 'id % 3 = 0 OR word IS NULL -- both';
  const condition = 'n > 40 AND (id % 3 = 0 OR word IS NULL)';
  expect(await rowsOf({ table: 't', filter, sort, where })).toEqual(
    fixture.connection.all(`SELECT rowid, * FROM t WHERE ${condition} ORDER BY n DESC, id LIMIT 2000`),
  );
  expect(await rowsOf({ table: 'v', filter, sort })).toEqual(
    fixture.connection.all('SELECT * FROM v WHERE n > 40 ORDER BY n DESC LIMIT 2000'),
  );
});

test.each([
  { where: 'n = ', offset: -1 }, // SQLite does not say where input is missing
  { where: 'n = 1) OR (1', offset: 5 },
  { where: 'nope = 1', offset: 0 },
  { where: '1; DROP TABLE t', offset: 3 },
  { where: '1 LIMIT 5', offset: 2 },
  { where: '1 UNION SELECT 2', offset: 2 },
  { where: '1) UNION SELECT * FROM (SELECT 1', offset: 1 },
])('refuses “$where” at its own place', async ({ where, offset }) => {
  const error = await failureOf(open({ table: 't', where }));
  expect(error.code).toBe('sql');
  expect(error.sqlite?.offset).toBe(offset);
});

test('refuses parameters and columns that are not there', async () => {
  expect((await failureOf(open({ table: 't', where: 'n = ?' }))).code).toBe('invalid');
  expect((await failureOf(open({ table: 't', sort: [{ column: 'gone', descending: false }] }))).code).toBe('invalid');
  expect((await failureOf(open({ table: 'gone' }))).code).toBe('not-found');
});

test.each([
  { sort: [{ column: 'word', descending: true }], where: '' },
  { sort: [{ column: 'n', descending: false }], where: '' },
  { sort: [{ column: 'mixed', descending: false }], where: "word LIKE '%1%'" },
  { sort: [], where: 'n > 40' },
  { sort: [{ column: 'n', descending: true }], where: 'n > (SELECT avg(n) FROM t)' },
])('rows that are touched find their place again: $sort $where', async ({ sort, where }) => {
  const order = [...sort.map(({ column, descending }) => `${column}${descending ? ' DESC' : ''}`), 'id'].join(', ');
  const all = `SELECT rowid, * FROM t ${where && `WHERE ${where}`} ORDER BY ${order}`;
  const info = await open({ table: 't', sort, where });
  const shown = async () =>
    valuesOf((await fixture.window.call('rows.read', { reader: info.reader, start: 0, count: 2000 })).rows);
  await expect.poll(shown).toEqual(fixture.connection.all(`${all} LIMIT 2000`));
  const changes = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 12_100 }), fc.integer({ min: -1, max: 101 }), fc.constantFrom(0, 1, 2, 3)),
    { minLength: 1, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(changes, async (touched) => {
      fixture.connection.run('BEGIN');
      for (const [id, n, kind] of touched) {
        if (kind === 0) fixture.connection.run('DELETE FROM t WHERE id = ?', [id]);
        else if (kind === 1) fixture.connection.run("REPLACE INTO t VALUES (?, 'word ' || ?, ?, ?)", [id, n, n, n]);
        else if (kind === 2) fixture.connection.run('UPDATE t SET n = ?, mixed = NULL WHERE id = ?', [n, id]);
        else fixture.connection.run('UPDATE OR IGNORE t SET id = ? WHERE id = ?', [id + 50, id]);
      }
      fixture.connection.run('COMMIT');
      await expect.poll(shown).toEqual(fixture.connection.all(`${all} LIMIT 2000`));
      const extent = async () =>
        (await fixture.window.call('rows.read', { reader: info.reader, start: 0, count: 1 })).extent;
      const rows = fixture.connection.one(`SELECT count(*) FROM (${all})`)![0];
      await expect.poll(extent).toEqual({ rows, exact: true });
    }),
    { seed: 31, numRuns: seedCount(25) },
  );
  await fixture.window.call('rows.close', { reader: info.reader });
});

test('a sorted table and a view follow changes', async () => {
  const own = openFixture(
    `CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 1), (2, 2), (3, 3); CREATE VIEW v AS SELECT a FROM t;`,
  );
  const sorted = await own.window.call('rows.open', {
    table: 't',
    sort: [{ column: 'b', descending: true }],
    filter: [],
  });
  const view = await own.window.call('rows.open', { table: 'v', sort: [], filter: [] });
  const read = async (reader: number) =>
    valuesOf((await own.window.call('rows.read', { reader, start: 0, count: 10 })).rows).map((row) => row.at(-1));
  expect(await read(sorted.reader)).toEqual([3, 2, 1]);
  expect(await read(view.reader)).toEqual([1, 2, 3]);
  await own.window.call('query.run', { sql: 'INSERT INTO t VALUES (4, 4)' });
  await expect.poll(() => own.window.count('rows.changed')).toBeGreaterThanOrEqual(2);
  await expect.poll(() => read(sorted.reader)).toEqual([4, 3, 2, 1]);
  await expect.poll(() => read(view.reader)).toEqual([1, 2, 3, 4]);
  own.close();
});

test.each([
  {
    name: 'FTS5, walked by row id',
    sql: `CREATE VIRTUAL TABLE v USING fts5 (body);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) INSERT INTO v (rowid, body) SELECT i * 2, 'word ' || i FROM n;`,
  },
  {
    name: 'R-Tree, spooled',
    sql: `CREATE VIRTUAL TABLE v USING rtree (id, low, high);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) INSERT INTO v SELECT i * 2, i, i + 1 FROM n;`,
  },
])('$name: every row is there once, named by its row id, and edits are seen', async ({ sql }) => {
  const own = openFixture(sql);
  const info = await own.window.call('rows.open', { table: 'v', sort: [], filter: [] });
  expect(info.key).toEqual({ kind: 'rowid', columns: [0] });
  const read = (start: number) => own.window.call('rows.read', { reader: info.reader, start, count: 2000 });
  await expect.poll(async () => (await read(0)).extent).toEqual({ rows: 9000, exact: true });
  const ids = new Set<Value>();
  for (let start = 0; start < 9000; start += 2000)
    for (const row of valuesOf((await read(start)).rows)) ids.add(row[0]!);
  expect(ids).toEqual(new Set(own.connection.all('SELECT rowid FROM v').map((row) => row[0])));
  await own.window.call('edit.apply', { table: 'v', changes: [{ kind: 'delete', key: [4] }] });
  await expect.poll(() => own.window.count('rows.changed')).toBeGreaterThan(0);
  await expect.poll(async () => (await read(0)).extent).toEqual({ rows: 8999, exact: true });
  own.close();
});

test('a view that fails halfway shows the rows before it and says why there are no more', async () => {
  const own =
    openFixture(`CREATE TABLE t (j); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
    INSERT INTO t SELECT iif(i = 50000, '{broken', '{}') FROM n; CREATE VIEW v AS SELECT json_type(j) FROM t;`);
  const info = await own.window.call('rows.open', { table: 'v', sort: [], filter: [] });
  const read = (start: number) => own.window.call('rows.read', { reader: info.reader, start, count: 100 });
  // The first rows come as soon as there are any.
  await expect.poll(async () => (await read(0)).rows.rowCount).toBe(100);
  await expect
    .poll(() =>
      failureOf(read(49_980)).then(
        (error) => error.code,
        () => null,
      ),
    )
    .toBe('sql');
  own.close();
});
