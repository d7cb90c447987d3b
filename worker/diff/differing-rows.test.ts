// In which ranges SQLite looks for the rows that differ, so that none of its calls takes long.
import { expect, test } from 'vitest';
import type { Connection } from '../engines/engine.ts';
import { databaseOf, native } from '../export/export-fixture.test-suite.ts';
import { comparedTable } from './compared-tables.ts';
import type { ComparedTable } from './compared-tables.ts';
import { differingRows } from './differing-rows.ts';

const rows = (count: number): string => `CREATE TABLE t (id INTEGER PRIMARY KEY, a);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) INSERT INTO t SELECT i, i FROM n;`;

function partsOf(mine: Connection, theirs: Connection, now?: () => number): number[] {
  const beside = mine.readBeside!(theirs)!;
  const table = comparedTable(mine, theirs, 't', { ignoredColumns: [] }) as ComparedTable;
  const parts = [...differingRows(mine, table, beside.schema, now)];
  beside.end();
  return parts.map((part) => part.rows);
}

test('ranges grow while SQLite is fast, and become smaller where it is slow', () => {
  const pair = (count: number) => [databaseOf(native, rows(count)), databaseOf(native, rows(count))] as const;
  expect(partsOf(...pair(40_000), () => 0)).toEqual([256, 512, 1024, 2048, 4096, 8192, 16_384, 7488]);
  let nowMs = 0;
  expect(partsOf(...pair(512), () => (nowMs += 1000))).toEqual([256, 128, 64, 32, 16, 8, 4, 2, 1, 1, 0]);
});

test('the rows of a much longer table are not counted', () => {
  const [mine, theirs] = [databaseOf(native, rows(3)), databaseOf(native, rows(40_000))];
  const counts: unknown[] = [];
  const one = mine.one.bind(mine);
  mine.one = (sql, params) => {
    const row = one(sql, params);
    if (sql.includes('count(*)')) counts.push(row![0]);
    return row;
  };
  expect(partsOf(mine, theirs)).toEqual([3]);
  expect(counts).toEqual([3, 36]);
});
