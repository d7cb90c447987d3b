import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HistoryFixture, KEYED_TABLES } from './history-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';

describe.each(disks)('rows of a step, $name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(KEYED_TABLES, disk);
  });
  afterEach(() => fixture.close());

  const newest = async () => (await fixture.steps())[0]!.id;

  test('are shown before and after, a page at a time', async () => {
    await fixture.run("BEGIN; UPDATE t SET a = 'uno' WHERE id = 1; DELETE FROM w WHERE l = 2; COMMIT");
    const step = await newest();
    const page = await fixture.call('history.rows', { step, start: 0, count: 10 });
    expect(page.total).toBe(3);
    expect(page.rows).toEqual([
      {
        table: 't',
        kind: 'updated',
        key: [1],
        name: null,
        columns: ['id', 'a', 'b', 'n'],
        before: [undefined, 'one', undefined, undefined],
        after: [undefined, 'uno', undefined, undefined],
      },
      { table: 'log', kind: 'inserted', key: [1], name: null, columns: ['what'], before: null, after: ['one'] },
      {
        table: 'w',
        kind: 'deleted',
        key: ['a', 2],
        name: null,
        columns: ['k', 'l', 'v'],
        before: ['a', 2, 'second'],
        after: null,
      },
    ]);
    for (const start of [2, 0, 1])
      expect((await fixture.call('history.rows', { step, start, count: 1 })).rows).toEqual([page.rows[start]]);
  });

  test.skipIf(!disk.logsVirtualTables)('are reached anywhere in a long log, with hidden ones between', async () => {
    await fixture.run('CREATE VIRTUAL TABLE f USING fts5 (x)');
    await fixture.run(
      "BEGIN; WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) INSERT INTO log SELECT i FROM n; INSERT INTO f VALUES ('a'); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9000) INSERT INTO w SELECT 'k', i, 0 FROM n; DELETE FROM log; COMMIT",
    );
    const step = await newest();
    const at = async (start: number) => (await fixture.call('history.rows', { step, start, count: 2 })).rows;
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
    const shown = async () => (await fixture.call('history.rows', { step: await newest(), start: 0, count: 10 })).rows;
    await fixture.run("INSERT INTO log VALUES ('before')");
    expect(await shown()).toMatchObject([{ after: ['before'] }]);
    await fixture.call('history.clear', {});
    await fixture.run("INSERT INTO log VALUES ('after')");
    expect(await shown()).toMatchObject([{ after: ['after'] }]);
  });

  test('are named by the primary key they had then, whatever has become of it and of their row ids', async () => {
    const shown = async (step: number) =>
      (await fixture.call('history.rows', { step, start: 0, count: 10 })).rows.map(({ kind, key, name }) => [
        kind,
        ...key,
        name,
      ]);
    await fixture.run(
      'CREATE TABLE tag (name TEXT PRIMARY KEY, used); CREATE TABLE seat (r TEXT, n, free, PRIMARY KEY (n, r))',
    );
    const steps: number[] = [];
    for (const sql of [
      "BEGIN; INSERT INTO tag VALUES ('red', 1), (NULL, 2); INSERT INTO seat VALUES ('A', 7, 1); COMMIT",
      'BEGIN; UPDATE tag SET used = used + 1; UPDATE seat SET free = 0; COMMIT',
      "BEGIN; UPDATE tag SET name = 'crimson' WHERE name = 'red'; UPDATE seat SET r = 'B'; COMMIT",
      "BEGIN; DELETE FROM tag WHERE name = 'crimson'; DELETE FROM seat; COMMIT",
      "BEGIN; INSERT INTO tag (rowid, name) VALUES (1, 'blue'); INSERT INTO seat VALUES ('Z', 1, 1); COMMIT",
      "UPDATE tag SET name = 'navy' WHERE name = 'blue'",
    ]) {
      await fixture.run(sql);
      steps.push(await newest());
    }
    const expected = [
      [
        ['inserted', 1, ['red']],
        ['inserted', 2, 'unknown'],
        ['inserted', 1, [7, 'A']],
      ],
      [
        ['updated', 1, ['red']],
        ['updated', 2, 'unknown'],
        ['updated', 1, [7, 'A']],
      ],
      [
        ['updated', 1, ['crimson']],
        ['updated', 1, [7, 'B']],
      ],
      [
        ['deleted', 1, ['crimson']],
        ['deleted', 1, [7, 'B']],
      ],
      [
        ['inserted', 1, ['blue']],
        ['inserted', 1, [1, 'Z']],
      ],
      [['updated', 1, ['navy']]],
    ];
    const all = async () => Promise.all(steps.map(shown));
    expect(await all()).toEqual(expected);
    for (let count = 0; count < 5; count++) await fixture.undo();
    expect(await all()).toEqual(expected);
    for (let count = 0; count < 5; count++) await fixture.redo();
    expect(await all()).toEqual(expected);
  });

  test('long values are previews', async () => {
    await fixture.run("INSERT INTO log VALUES (zeroblob(100000)), (replace(hex(zeroblob(5000)), '0', 'é'))");
    const { rows: shown } = await fixture.call('history.rows', { step: await newest(), start: 0, count: 10 });
    expect(shown.map(({ after }) => after![0])).toMatchObject([{ sizeBytes: 100_000 }, { sizeBytes: 20_000 }]);
  });
});
