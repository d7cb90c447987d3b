// Two results compared: rows added, removed, and changed by key, exactly as a full outer join finds them.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { QueryChunk } from '#shared/protocol/query.ts';
import type { ReaderId } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import { failureOf, openFixture } from './database-fixture.test-suite.ts';
import type { DatabaseFixture } from './database-fixture.test-suite.ts';

let fixture: DatabaseFixture;
beforeEach(() => {
  fixture = openFixture('CREATE TABLE one(k, v, w); CREATE TABLE two(w, k, v)');
});
afterEach(() => fixture.close());

const COLUMNS = [
  { name: 'k', before: 0, after: 1 },
  { name: 'v', before: 1, after: 2 },
  { name: 'w', before: 2, after: 0 },
];

async function result(sql: string): Promise<ReaderId> {
  const chunks: QueryChunk[] = [];
  await fixture.window.call('query.run', { sql }, chunks);
  return chunks.flat().find((event) => event.kind === 'result')!.reader.reader;
}

async function compare(before: string, after: string, key: readonly number[]) {
  const [reader, to] = [await result(before), await result(after)];
  const counts = await fixture.window.call('results.compare', { reader, to, columns: COLUMNS, key });
  const { rows } = await fixture.window.call('results.differences', { reader, start: 0, count: 1000 });
  return { counts, rows, reader, to };
}

function fill(table: 'one' | 'two', rows: readonly (readonly [Value, Value, Value])[]): void {
  fixture.connection.run(`DELETE FROM ${table}`);
  for (const row of rows) fixture.connection.run(`INSERT INTO ${table}(k, v, w) VALUES (?, ?, ?)`, row);
}

test('rows are added, removed, and changed; what is the same in a changed row is left out', async () => {
  fill('one', [
    [2, 'b', null],
    [1, 'a', 5],
    [3, 'c', 0],
    ['1', 'text', 1],
  ]);
  fill('two', [
    [1, 'a', 6],
    [4, 'd', null],
    [2, 'b', null],
    ['1', 'text', { real: 1 }],
  ]);
  const { counts, rows } = await compare('SELECT k, v, w FROM one', 'SELECT w, k, v FROM two', [0]);
  expect(counts).toEqual({ inserted: 1, updated: 1, deleted: 1, same: 2, repeated: 0, listed: 3 });
  expect(rows).toMatchObject([
    {
      kind: 'updated',
      key: [1],
      columns: ['k', 'v', 'w'],
      before: [undefined, undefined, 5],
      after: [undefined, undefined, 6],
    },
    { kind: 'deleted', key: [3], before: [3, 'c', 0], after: null },
    { kind: 'inserted', key: [4], before: null, after: [4, 'd', null] },
  ]);
});

const value = fc.constantFrom<Value>(
  null,
  1,
  2,
  { real: 1 },
  { real: 1.5 },
  2n ** 60n,
  'a',
  'b',
  '1',
  new Uint8Array([1]),
  'x'.repeat(2000),
);
const rows = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 12 }), value, value), {
  selector: ([k]) => k,
  maxLength: 12,
});

test('the counts are those of SQL, for a unique key, whatever the order of the rows', async () => {
  await fc.assert(
    fc.asyncProperty(rows, rows, async (one, two) => {
      fill('one', one);
      fill('two', two);
      const { counts } = await compare('SELECT k, v, w FROM one', 'SELECT w, k, v FROM two', [0]);
      const count = (sql: string): Value => fixture.connection.all(`SELECT count(*) FROM ${sql}`)[0]![0]!;
      expect(counts).toMatchObject({
        inserted: count('two WHERE k NOT IN (SELECT k FROM one)'),
        deleted: count('one WHERE k NOT IN (SELECT k FROM two)'),
        updated: count('one JOIN two USING (k) WHERE NOT (one.v IS two.v AND one.w IS two.w)'),
        same: count('one JOIN two USING (k) WHERE one.v IS two.v AND one.w IS two.w'),
        repeated: 0,
      });
    }),
    { numRuns: seedCount(60), seed: 15 },
  );
});

test('rows with the same key belong together in their order, without a key all do, and both are told', async () => {
  fill('one', [
    [1, 'a', 0],
    [1, 'b', 0],
    [2, 'c', 0],
  ]);
  fill('two', [
    [1, 'a', 0],
    [1, 'x', 0],
    [1, 'y', 0],
  ]);
  const [one, two] = ['SELECT k, v, w FROM one', 'SELECT w, k, v FROM two'];
  expect((await compare(one, two, [0])).counts).toEqual({
    inserted: 1,
    updated: 1,
    deleted: 1,
    same: 1,
    repeated: 3,
    listed: 3,
  });
  const byPlace = await compare(one, two, []);
  expect(byPlace.counts).toMatchObject({ inserted: 0, updated: 2, deleted: 0, same: 1, repeated: 0 });
  expect(byPlace.rows.map(({ key }) => key)).toEqual([[2], [3]]);
  expect((await compare(one, two, [0, 1, 2])).counts).toMatchObject({ inserted: 2, updated: 0, deleted: 2, same: 1 });
});

test('rows as they are filtered are compared; a result that has run again is compared again', async () => {
  fill('one', [
    [1, 'a', 0],
    [2, 'b', 0],
  ]);
  const { reader, to } = await compare('SELECT k, v, w FROM one', 'SELECT w, k, v FROM one', [0]);
  await fixture.window.call('rows.arrange', {
    reader: to,
    arrangement: { sort: [], filter: [{ column: 1, operator: '=', value: 2 }] },
  });
  expect(await fixture.window.call('results.compare', { reader, to, columns: COLUMNS, key: [0] })).toMatchObject({
    deleted: 1,
    same: 1,
  });
  await fixture.window.call('live.set', { reader: to, action: 'refresh' });
  expect((await failureOf(fixture.window.call('results.differences', { reader, start: 0, count: 1 }))).code).toBe(
    'not-found',
  );
  const wrong = fixture.window.call('results.compare', {
    reader,
    to,
    columns: [{ name: 'k', before: 9, after: 0 }],
    key: [0],
  });
  expect((await failureOf(wrong)).code).toBe('invalid');
});

test('many rows are compared in slices, and stop', async () => {
  const many = (plus: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) SELECT (i * 7919) % 60000 + ${plus} AS k, i, 0 FROM n`;
  const [reader, to] = [await result(many(0)), await result(many(1))];
  const columns = [
    { name: 'k', before: 0, after: 0 },
    { name: 'i', before: 2, after: 2 },
  ];
  const request = () => fixture.window.call('results.compare', { reader, to, columns, key: [0] });
  expect(await request()).toMatchObject({ inserted: 1, deleted: 1, updated: 0, same: 59_999 });
  const stopped = failureOf(request());
  fixture.window.cancelAll();
  expect((await stopped).code).toBe('stopped');
});
