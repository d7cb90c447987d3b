// Charts of results: the same numbers as SQL gives, from sorted and filtered rows, for live results, with Stop.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChartRequest } from '#shared/protocol/chart.ts';
import type { QueryChunk } from '#shared/protocol/query.ts';
import type { ReaderId } from '#shared/protocol/rows.ts';
import { failureOf, openFixture } from './database-fixture.test-suite.ts';
import type { DatabaseFixture } from './database-fixture.test-suite.ts';

let fixture: DatabaseFixture;
beforeEach(() => {
  fixture = openFixture(`CREATE TABLE sale(day TEXT, kind TEXT, price, n INTEGER);
    INSERT INTO sale VALUES ('2024-03-02', 'b', 2.5, 1), ('2024-03-01', 'a', '4', 2), ('2024-03-01 12:00', 'a', NULL, 3), (NULL, 'b', 1e999, 4), ('x', NULL, 'y', 5)`);
});
afterEach(() => fixture.close());

async function result(sql: string): Promise<ReaderId> {
  const chunks: QueryChunk[] = [];
  await fixture.window.call('query.run', { sql }, chunks);
  return chunks.flat().find((event) => event.kind === 'result')!.reader.reader;
}

const PLAIN: ChartRequest = {
  kind: 'line',
  x: null,
  xDates: null,
  y: [],
  combine: 'sum',
  span: null,
  width: 100,
  height: 100,
};

async function chart(reader: ReaderId, request: Partial<ChartRequest>) {
  const { x, y, ...rest } = await fixture.window.call('chart.read', { reader, chart: { ...PLAIN, ...request } });
  return { x: [...x], y: y.map((series) => [...series]), ...rest };
}

const many = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i, (i * 7919) % 1000 AS r FROM n`;

test('what the columns hold', async () => {
  const { rows, columns } = await fixture.window.call('chart.columns', {
    reader: await result('SELECT day, kind, price, n, n + 1.7e9 AS at FROM sale'),
  });
  expect(rows).toBe(5);
  expect(columns).toMatchObject([
    { values: 4, numbers: 0, dates: 3, dateForm: 'iso', distinct: 4, isAscending: false },
    { values: 4, numbers: 0, dates: 0, dateForm: null, distinct: 2 },
    { values: 4, numbers: 2, dates: 0 },
    { values: 5, numbers: 5, dates: 0, distinct: 5, isAscending: true },
    { numbers: 5, dates: 5, dateForm: 'unix-s' },
  ]);
});

test('dates are put in order; what is no date or no number is left out and counted', async () => {
  const reader = await result('SELECT day, price, n FROM sale');
  const at = (text: string): number => Date.parse(`${text}Z`);
  expect(await chart(reader, { kind: 'time', x: 0, xDates: 'iso', y: [1, 2] })).toMatchObject({
    x: [at('2024-03-01T00:00'), at('2024-03-01T12:00'), at('2024-03-02T00:00')],
    y: [
      [4, NaN, 2.5],
      [2, 3, 1],
    ],
    left: 2,
    isReduced: false,
    whole: { from: at('2024-03-01T00:00'), to: at('2024-03-02T00:00') },
  });
});

test('bars are what GROUP BY gives, in the order of the rows, NULL among them', async () => {
  const reader = await result('SELECT kind, price, n FROM sale');
  expect(await chart(reader, { kind: 'bar', x: 0, y: [1, 2] })).toMatchObject({
    labels: ['b', 'a', null],
    y: [
      [2.5, 4, NaN],
      [5, 5, 5],
    ],
    isCut: false,
  });
  expect(await chart(reader, { kind: 'bar', x: 0, y: [1], combine: 'count' })).toMatchObject({ y: [[2, 1, 1]] });
  expect(await chart(reader, { kind: 'bar', x: 0, y: [] })).toMatchObject({ y: [[2, 2, 1]] });
  await fixture.window.call('rows.arrange', {
    reader,
    arrangement: { sort: [{ column: 0, descending: false }], filter: [] },
  });
  expect(await chart(reader, { kind: 'bar', x: 0, y: [2] })).toMatchObject({ labels: [null, 'a', 'b'] });
});

test('the least and the greatest number of a column, of the rows that a filter leaves', async () => {
  const reader = await result(
    "SELECT value, 'x' AS text FROM (SELECT 2.5 AS value UNION ALL SELECT '99' UNION ALL SELECT NULL UNION ALL SELECT -7 UNION ALL SELECT 9007199254740993 UNION ALL SELECT x'ff')",
  );
  const extremes = (column: number) => fixture.window.call('chart.extremes', { reader, column });
  expect(await extremes(0)).toEqual({ least: -7, greatest: 9007199254740993n });
  expect(await extremes(1)).toEqual({ least: null, greatest: null });
  await fixture.window.call('rows.arrange', {
    reader,
    arrangement: { sort: [], filter: [{ column: 0, operator: '<', value: 3 }] },
  });
  expect(await extremes(0)).toEqual({ least: -7, greatest: 2.5 });
  expect((await failureOf(extremes(2))).code).toBe('invalid');
});

describe('many rows', () => {
  test('become a few points with the exact extremes of each step, also of a part of them', async () => {
    const reader = await result(many(100_000));
    const { x, y, isReduced, rows } = await chart(reader, { x: 0, y: [1] });
    expect([isReduced, rows, x.length]).toEqual([true, 100_000, 200]);
    const expected = fixture.connection.all(
      `SELECT min(i), max(i), min(r), max(r) FROM (${many(100_000)}) GROUP BY min(99, cast((i - 1) * 100.0 / 99999 AS INTEGER)) ORDER BY 1`,
    );
    const pairs = Array.from({ length: 100 }, (_, step) => {
      const [one, other] = [y[0]![step * 2]!, y[0]![step * 2 + 1]!];
      return [x[step * 2], x[step * 2 + 1], Math.min(one, other), Math.max(one, other)];
    });
    expect(pairs).toEqual(expected);
    const part = await chart(reader, { x: 0, y: [1], span: { from: 10.5, to: 13 } });
    expect(part).toMatchObject({ x: [11, 12, 13], isReduced: false, whole: { from: 1, to: 100_000 } });
  });

  test('a histogram counts every row once', async () => {
    const reader = await result(many(20_000));
    const { x, y, left } = await chart(reader, { kind: 'histogram', x: 1 });
    expect([x[0], x.at(-1), left, y[0]!.reduce((sum, count) => sum + count)]).toEqual([0, 1000, 0, 20_000]);
    const expected = fixture.connection.all(`SELECT count(*) FROM (${many(20_000)}) GROUP BY r / 20 ORDER BY r / 20`);
    expect(y[0]).toEqual(expected.map(([count]) => count));
  });

  test('drawing stops', async () => {
    const reader = await result(many(300_000));
    for (const drawing of [
      chart(reader, { kind: 'scatter', x: 0, y: [1] }),
      fixture.window.call('chart.extremes', { reader, column: 0 }),
    ]) {
      const stopped = failureOf(drawing);
      fixture.window.cancelAll();
      expect((await stopped).code).toBe('stopped');
    }
  });
});

test('a live result is drawn as it is now', async () => {
  const reader = await result('SELECT kind, n FROM sale');
  await fixture.window.call('live.set', { reader, action: 'start' });
  await fixture.newWindow('Writer').call('query.run', { sql: "INSERT INTO sale VALUES (NULL, 'c', 1, 9)" });
  expect(await chart(reader, { kind: 'bar', x: 0, y: [1] })).toMatchObject({ labels: ['b', 'a', null, 'c'], rows: 6 });
});

test('nothing to draw, one row, and columns that are not there', async () => {
  expect(await chart(await result('SELECT NULL AS a, NULL AS b'), { x: 0, y: [1] })).toMatchObject({
    x: [],
    left: 1,
    whole: null,
  });
  expect(await chart(await result('SELECT NULL AS a'), { kind: 'histogram', x: 0 })).toMatchObject({
    x: [],
    y: [[]],
    left: 1,
  });
  expect(await chart(await result('SELECT 5 AS a, 6 AS b'), { x: 0, y: [1] })).toMatchObject({
    x: [5],
    y: [[6]],
    whole: { from: 5, to: 5 },
  });
  expect(await chart(await result('SELECT 1 AS a WHERE 0'), { kind: 'bar', x: 0 })).toMatchObject({
    labels: [],
    y: [[]],
  });
  const reader = await result('SELECT 1');
  expect((await failureOf(chart(reader, { y: [7] }))).code).toBe('invalid');
  expect((await failureOf(chart(reader, { kind: 'bar' }))).code).toBe('invalid');
});
