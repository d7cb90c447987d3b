// Results that are sorted and filtered where they are kept: the same rows as SQLite's own ORDER BY and WHERE, even while they are live.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { ResultArrangement, ResultFilterTerm, ResultSortTerm } from '#shared/protocol/arrange.ts';
import type { QueryChunk } from '#shared/protocol/query.ts';
import type { ReaderId } from '#shared/protocol/rows.ts';
import { isReal } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';
import { Follower } from '../live/follower.test-suite.ts';
import { failureOf, openFixture, valuesOf } from './database-fixture.test-suite.ts';
import type { DatabaseFixture } from './database-fixture.test-suite.ts';

let fixture: DatabaseFixture;
beforeEach(() => {
  fixture = openFixture('CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)');
});
afterEach(() => fixture.close());

async function result(sql: string): Promise<ReaderId> {
  const chunks: QueryChunk[] = [];
  await fixture.window.call('query.run', { sql }, chunks);
  return chunks.flat().find((event) => event.kind === 'result')!.reader.reader;
}

const arrange = (reader: ReaderId, arrangement: Partial<ResultArrangement>) =>
  fixture.window.call('rows.arrange', { reader, arrangement: { sort: [], filter: [], ...arrangement } });

async function rowsOf(reader: ReaderId): Promise<Value[][]> {
  const { rows } = await fixture.window.call('rows.read', { reader, start: 0, count: 2000 });
  return valuesOf(rows);
}

const value: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -3, max: 3 }),
  fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
  fc.constantFrom(2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n),
  fc.constantFrom(0.5, 2 ** 53, -(2 ** 60), 1e300, { real: 2 }, { real: Infinity }, { real: -Infinity }),
  fc.string({ maxLength: 3 }).filter((text) => !text.includes('\0')),
  fc.constantFrom('Abc', 'aBC', 'é', 'É', '\uffee', '😀', '10', '2.0', 'x'.repeat(300)),
  fc.uint8Array({ maxLength: 2 }),
);
const sort: fc.Arbitrary<ResultSortTerm[]> = fc.uniqueArray(
  fc.record({ column: fc.integer({ min: 0, max: 2 }), descending: fc.boolean() }),
  { selector: ({ column }) => column, maxLength: 3 },
);
const column = fc.integer({ min: 0, max: 2 });
const filterTerm: fc.Arbitrary<ResultFilterTerm> = fc.oneof(
  fc.record({ column, operator: fc.constantFrom('=', '<>', '<', '<=', '>', '>=', 'is-null', 'is-not-null'), value }),
  fc.record({
    column: fc.option(column),
    operator: fc.constantFrom('contains', 'starts-with'),
    value: fc.constantFrom('', 'a', 'B', '1', '.', '😀', '%', '_'),
  }),
) as fc.Arbitrary<ResultFilterTerm>;

/** Text is not searched for in blobs here. */
function sqlOf({ column: place, operator, value: wanted }: ResultFilterTerm): { sql: string; params: Value[] } {
  const names = place === null ? ['id', 'a', 'b'] : [['id', 'a', 'b'][place]!];
  const like = (before: string) =>
    `(${names.map((name) => `(typeof(${name}) <> 'blob' AND ${name} LIKE ? ESCAPE '\\')`).join(' OR ')})`.concat(
      before,
    );
  const escaped = String(wanted).replace(/[\\%_]/g, (c) => `\\${c}`);
  const [name] = names;
  if (operator === 'contains') return { sql: like(''), params: names.map(() => `%${escaped}%`) };
  if (operator === 'starts-with') return { sql: like(''), params: names.map(() => `${escaped}%`) };
  if (operator === 'is-null') return { sql: `${name} IS NULL`, params: [] };
  if (operator === 'is-not-null') return { sql: `${name} IS NOT NULL`, params: [] };
  if (wanted === null && operator === '=') return { sql: `${name} IS ?`, params: [null] };
  if (wanted === null && operator === '<>') return { sql: `${name} IS NOT ?`, params: [null] };
  // The unary plus takes the affinity away: a result has none.
  return { sql: `+${name} ${operator} ?`, params: [wanted] };
}

test('rows come in the order and the choice of SQLite itself', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(value, value), { maxLength: 60 }),
      sort,
      fc.array(filterTerm, { maxLength: 2 }),
      async (rows, terms, filter) => {
        fixture.connection.run('DELETE FROM t');
        for (const row of rows) fixture.connection.run('INSERT INTO t(a, b) VALUES (?, ?)', row);
        const reader = await result('SELECT * FROM t');
        const { rows: count, total } = await arrange(reader, { sort: terms, filter });
        const conditions = filter.map(sqlOf);
        const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
        const order = [...terms.map((term) => `${term.column + 1}${term.descending ? ' DESC' : ''}`), 'id'].join(', ');
        const expected = fixture.connection.all(
          `SELECT * FROM t${where} ORDER BY ${order}`,
          conditions.flatMap(({ params }) => params),
        );
        expect(await rowsOf(reader)).toEqual(expected);
        expect([count, total]).toEqual([expected.length, rows.length]);
        await fixture.window.call('rows.close', { reader });
      },
    ),
    { numRuns: seedCount(150), seed: 15 },
  );
});

/** SQLite writes some REAL numbers with fewer digits, so there are none among these. */
const written = value
  .filter((one) => typeof one !== 'number' || Number.isSafeInteger(one))
  .filter((one) => !isReal(one));
const patternOf = (characters: readonly string[], size: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...characters), { maxLength: size }).map((parts) => parts.join(''));
const textTerm: fc.Arbitrary<ResultFilterTerm> = fc.oneof(
  fc.record({ column, operator: fc.constant('between' as const), value, to: value }),
  fc.record({
    column,
    operator: fc.constantFrom('in' as const, 'not-in' as const),
    value: fc.constant(null),
    values: fc.array(value, { maxLength: 4 }),
  }),
  fc.record({
    column,
    operator: fc.constantFrom('contains' as const, 'not-contains' as const, 'ends-with' as const),
    value: fc.constantFrom('', 'a', 'C', '0', '%', 'é'),
  }),
  fc.record({ column, operator: fc.constant('like' as const), value: patternOf(['a', 'B', 'é', '1', '_', '%'], 4) }),
  fc.record({
    column,
    operator: fc.constant('glob' as const),
    value: patternOf(['a', 'B', '😀', '1', '?', '*', '[', ']', '^', '-'], 6),
  }),
  fc.record({
    column,
    operator: fc.constant('regex' as const),
    value: fc.constantFrom('^[0-9]+$', 'b', '^.$', '[^a]c', ''),
  }),
  fc.record({
    column,
    operator: fc.constantFrom('length=' as const, 'length<' as const, 'length>' as const),
    value: fc.integer({ min: 0, max: 4 }),
  }),
);

/** Same as a table's filter, except that only the length of blobs counts and a result has no affinity. */
function sqlOfText({ column: place, operator, value: wanted, to = null, values = [] }: ResultFilterTerm): {
  sql: string;
  params: Value[];
} {
  const name = `+${['id', 'a', 'b'][place!]!}`;
  const escaped = String(wanted).replace(/[\\%_]/g, (c) => `\\${c}`);
  const isText = `typeof(${name}) <> 'blob'`;
  switch (operator) {
    case 'between':
      return { sql: `${name} BETWEEN ? AND ?`, params: [wanted, to] };
    case 'in':
    case 'not-in': {
      const same = values.map(() => `${name} IS ?`).join(' OR ') || '0';
      return { sql: operator === 'in' ? `(${same})` : `NOT (${same})`, params: [...values] };
    }
    case 'contains':
      return { sql: `(${isText} AND ${name} LIKE ? ESCAPE '\\')`, params: [`%${escaped}%`] };
    case 'not-contains':
      return {
        sql: `NOT (${isText} AND ${name} IS NOT NULL AND ${name} LIKE ? ESCAPE '\\')`,
        params: [`%${escaped}%`],
      };
    case 'ends-with':
      return { sql: `(${isText} AND ${name} LIKE ? ESCAPE '\\')`, params: [`%${escaped}`] };
    case 'like':
      return { sql: `(${isText} AND ${name} LIKE ?)`, params: [wanted] };
    case 'glob':
      return { sql: `(${isText} AND ${name} GLOB ?)`, params: [wanted] };
    case 'regex':
      return { sql: `(${isText} AND CAST(${name} AS TEXT) REGEXP ?)`, params: [wanted] };
    default:
      return { sql: `length(${name}) ${operator.slice('length'.length)} ?`, params: [wanted] };
  }
}

test('patterns, lists, ranges, and lengths choose the rows that SQLite would', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(written, written), { maxLength: 60 }),
      fc.array(textTerm, { minLength: 1, maxLength: 2 }),
      async (rows, filter) => {
        fixture.connection.run('DELETE FROM t');
        for (const row of rows) fixture.connection.run('INSERT INTO t(a, b) VALUES (?, ?)', row);
        const reader = await result('SELECT * FROM t');
        await arrange(reader, { filter });
        const conditions = filter.map(sqlOfText);
        const expected = fixture.connection.all(
          `SELECT * FROM t WHERE ${conditions.map(({ sql }) => sql).join(' AND ')} ORDER BY id`,
          conditions.flatMap(({ params }) => params),
        );
        expect(await rowsOf(reader)).toEqual(expected);
        await fixture.window.call('rows.close', { reader });
      },
    ),
    { numRuns: seedCount(300), seed: 16 },
  );
});

describe('a result of many rows', () => {
  const many = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i, (i * 7919) % 1000 AS r, 'name ' || i FROM n`;

  test('is sorted in runs that are merged, and stays stable', async () => {
    const reader = await result(many(20_000));
    await arrange(reader, { sort: [{ column: 1, descending: true }] });
    const { rows } = await fixture.window.call('rows.read', { reader, start: 0, count: 2000 });
    const expected = fixture.connection.all(`SELECT * FROM (${many(20_000)}) ORDER BY 2 DESC, 1 LIMIT 2000`);
    expect(valuesOf(rows)).toEqual(expected);
    expect(await fixture.window.call('cell.readAt', { reader, position: 1999, column: 2 })).toMatchObject({
      value: expected[1999]![2],
    });
  });

  test('stays as it was when sorting is stopped', async () => {
    const reader = await result(many(200_000));
    await arrange(reader, { filter: [{ column: 0, operator: '<=', value: 3 }] });
    const stopped = failureOf(arrange(reader, { sort: [{ column: 2, descending: false }] }));
    fixture.window.cancelAll();
    expect((await stopped).code).toBe('stopped');
    expect((await rowsOf(reader)).map(([i]) => i)).toEqual([1, 2, 3]);
    expect(await arrange(reader, {})).toEqual({ rows: 200_000, total: 200_000 });
  });
});

test('a live result stays sorted and filtered when it runs again', async () => {
  fixture.connection.run("INSERT INTO t(a, b) VALUES (3, 'c'), (1, 'a'), (2, 'b')");
  const reader = await result('SELECT a, b FROM t');
  await fixture.window.call('live.set', { reader, action: 'start' });
  await arrange(reader, {
    sort: [{ column: 0, descending: true }],
    filter: [{ column: 0, operator: '>', value: 1 }],
  });
  const shown = await Follower.on(fixture.window, reader, { start: 0, count: 10 });
  await expect
    .poll(() => shown.rows)
    .toEqual([
      [3, 'c'],
      [2, 'b'],
    ]);
  await fixture.newWindow('Writer').call('query.run', { sql: "INSERT INTO t(a, b) VALUES (0, 'z'), (9, 'i')" });
  await expect
    .poll(() => shown.rows)
    .toEqual([
      [9, 'i'],
      [3, 'c'],
      [2, 'b'],
    ]);
});

test('a result that runs again while it is sorted ends in the new order', async () => {
  const writer = fixture.newWindow('Writer');
  fixture.connection.run(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO t(a) SELECT i FROM n',
  );
  const reader = await result('SELECT a FROM t');
  await fixture.window.call('live.set', { reader, action: 'start' });
  const shown = await Follower.on(fixture.window, reader, { start: 0, count: 1 });
  for (let round = 1; round <= 12; round++) {
    const value = 20_000 + round;
    const write = writer.call('query.run', { sql: `INSERT INTO t(a) VALUES (${value})` });
    for (let wait = 0; wait < round; wait++) await new Promise((resolve) => setImmediate(resolve));
    const descending = round % 2 === 1;
    await Promise.all([write, arrange(reader, { sort: [{ column: 0, descending }] })]);
    await expect.poll(() => shown.rows).toEqual([[descending ? value : 1]]);
  }
});

test('what cannot be arranged says so and changes nothing', async () => {
  const reader = await result('SELECT 1 AS one');
  expect(await failureOf(arrange(reader, { sort: [{ column: 1, descending: false }] }))).toMatchObject({
    code: 'invalid',
  });
  const odd = { column: 0, operator: 'regexp', value: 1 } as unknown as ResultFilterTerm;
  expect(await failureOf(arrange(reader, { filter: [odd] }))).toMatchObject({ code: 'invalid' });
  const unfinished = { column: 0, operator: 'regex', value: '(' } as const;
  expect(await failureOf(arrange(reader, { filter: [unfinished] }))).toMatchObject({ code: 'invalid' });
  const table = await fixture.window.call('rows.open', { table: 't', sort: [], filter: [] });
  expect(await failureOf(arrange(table.reader, {}))).toMatchObject({ code: 'invalid' });
  expect(await rowsOf(reader)).toEqual([[1]]);
});

test('rows with a text are found where the arrangement has them', async () => {
  fixture.connection.run(
    "INSERT INTO t (a, b) VALUES ('Needle', 1), ('hay', 2), (3, 'a needle'), ('hay', X'6e6565646c65')",
  );
  const reader = await result('SELECT * FROM t');
  const find = async (value: string, operator: 'contains' | 'glob' = 'contains') => [
    ...(await fixture.window.call('rows.containing', { reader, condition: { operator, value } })).positions,
  ];
  expect(await find('needle')).toEqual([0, 2]);
  expect(await find('3')).toEqual([2]);
  expect(await find('nowhere')).toEqual([]);
  expect(await find('Needle', 'glob')).toEqual([0]);
  await arrange(reader, { sort: [{ column: 0, descending: true }] });
  expect(await find('needle')).toEqual([1, 3]);
  await arrange(reader, { filter: [{ column: 1, operator: '=', value: 3 }] });
  expect(await find('needle')).toEqual([0]);
  const table = await fixture.window.call('rows.open', { table: 't', sort: [], filter: [] });
  const failure = await failureOf(
    fixture.window.call('rows.containing', {
      reader: table.reader,
      condition: { operator: 'contains', value: 'a' },
    }),
  );
  expect(failure.code).toBe('invalid');
});

test('a view is searched once all of its rows are read', async () => {
  fixture.connection.run(
    'CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000) SELECT i FROM n',
  );
  const { reader, extent } = await fixture.window.call('rows.open', { table: 'v', sort: [], filter: [] });
  expect(extent).toMatchObject({ exact: false });
  const condition = { operator: 'contains', value: '199999' } as const;
  const { positions } = await fixture.window.call('rows.containing', { reader, condition });
  expect([...positions]).toEqual([199_998]);
});
