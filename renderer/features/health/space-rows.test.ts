import { expect, it } from 'vitest';
import type { HealthOverview, TreeSize } from '#shared/protocol/index.ts';
import { sortedRows, spaceRows } from './space-rows.ts';

const tree = (name: string, pages: number | null) => ({
  name,
  table: name,
  kind: 'table' as const,
  pages,
  detail: null,
});
const overview = {
  pageSize: 4096,
  pages: 100,
  trees: [tree('b', 20), tree('a', null), tree('t10', 30), tree('t9', 30)],
} as unknown as HealthOverview;
const exact: TreeSize = {
  ...tree('b', 40),
  pages: 40,
  detail: { payloadBytes: 0, unusedBytes: 40_960, overflowPages: 0, leafPages: 11, jumps: 5 },
};

it('takes what is counted rather than what is estimated', () => {
  const [b, a] = spaceRows(overview, new Map([['b', exact]]));
  expect(b).toMatchObject({
    bytes: 163_840,
    isEstimate: false,
    share: 0.4,
    fill: 0.75,
    unusedBytes: 40_960,
    jumps: 0.5,
  });
  expect(a).toMatchObject({ bytes: null, isEstimate: true, share: null, fill: null });
});

it('sorts what is not known last in either direction, and equal sizes by name', () => {
  const rows = spaceRows(overview, new Map());
  const order = (descending: boolean) => sortedRows(rows, { column: 'bytes', descending }).map(({ name }) => name);
  expect([order(true), order(false)]).toEqual([
    ['t9', 't10', 'b', 'a'],
    ['b', 't9', 't10', 'a'],
  ]);
});
