import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HistoryBench, KEYED_TABLES } from './history-bench.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';

describe.each(disks)('rows of a step, $name', (disk) => {
  let bench: HistoryBench;
  beforeEach(() => {
    bench = new HistoryBench(KEYED_TABLES, disk);
  });
  afterEach(() => bench.close());

  const newest = async () => (await bench.steps())[0]!.id;

  test('are shown before and after, a page at a time', async () => {
    await bench.run("BEGIN; UPDATE t SET a = 'uno' WHERE id = 1; DELETE FROM w WHERE l = 2; COMMIT");
    const step = await newest();
    const page = await bench.call('history.rows', { step, start: 0, count: 10 });
    expect(page.total).toBe(3);
    expect(page.rows).toEqual([
      {
        table: 't',
        kind: 'updated',
        key: [1],
        columns: ['id', 'a', 'b', 'n'],
        before: [undefined, 'one', undefined, undefined],
        after: [undefined, 'uno', undefined, undefined],
      },
      { table: 'log', kind: 'inserted', key: [1], columns: ['what'], before: null, after: ['one'] },
      {
        table: 'w',
        kind: 'deleted',
        key: ['a', 2],
        columns: ['k', 'l', 'v'],
        before: ['a', 2, 'second'],
        after: null,
      },
    ]);
    for (const start of [2, 0, 1])
      expect((await bench.call('history.rows', { step, start, count: 1 })).rows).toEqual([page.rows[start]]);
  });

  test.skipIf(!disk.logsVirtualTables)('are reached anywhere in a long log, with hidden ones between', async () => {
    await bench.run('CREATE VIRTUAL TABLE f USING fts5 (x)');
    await bench.run(
      "BEGIN; WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) INSERT INTO log SELECT i FROM n; INSERT INTO f VALUES ('a'); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9000) INSERT INTO w SELECT 'k', i, 0 FROM n; DELETE FROM log; COMMIT",
    );
    const step = await newest();
    const at = async (start: number) => (await bench.call('history.rows', { step, start, count: 2 })).rows;
    const keys = async (start: number) => (await at(start)).map(({ table, kind, key }) => [table, kind, ...key]);
    for (const start of [19_000, 3, 4999, 5001, 14_000, 12_345, 18_999]) {
      const expected = [start, start + 1].flatMap((n) => {
        if (n < 5000) return [['log', 'inserted', n + 1]];
        if (n < 10_000) return [['log', 'deleted', n - 4999]];
        if (n === 10_000) return [['f', 'inserted', 1]];
        return n < 19_001 ? [['w', 'inserted', 'k', n - 10_000]] : [];
      });
      expect(await keys(start)).toEqual(expected);
    }
  });

  test('are those of the step that has the number now, when the history begins anew', async () => {
    const shown = async () => (await bench.call('history.rows', { step: await newest(), start: 0, count: 10 })).rows;
    await bench.run("INSERT INTO log VALUES ('before')");
    expect(await shown()).toMatchObject([{ after: ['before'] }]);
    await bench.call('history.clear', {});
    await bench.run("INSERT INTO log VALUES ('after')");
    expect(await shown()).toMatchObject([{ after: ['after'] }]);
  });

  test('long values are previews', async () => {
    await bench.run("INSERT INTO log VALUES (zeroblob(100000)), (replace(hex(zeroblob(5000)), '0', 'é'))");
    const { rows: shown } = await bench.call('history.rows', { step: await newest(), start: 0, count: 10 });
    expect(shown.map(({ after }) => after![0])).toMatchObject([{ sizeBytes: 100_000 }, { sizeBytes: 20_000 }]);
  });
});
