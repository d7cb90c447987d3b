import { expect, it } from 'vitest';
import type { HealthOverview, TreeSize } from '#shared/protocol/index.ts';
import { shownRows, sortedRows, spaceRows, type ShownRows, type SpaceSort } from './space-section.tsx';

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

it('keeps rows in their places while they are held, whatever is counted, and sorts them once when they are let go', () => {
  const sort: SpaceSort = { column: 'bytes', descending: true };
  const counted = (pages: Record<string, number>): ShownRows['sorted'] =>
    sortedRows(
      spaceRows(overview, new Map(Object.entries(pages).map(([name, n]) => [name, tree(name, n) as TreeSize]))),
      sort,
    );
  const names = ({ rows }: ShownRows): readonly string[] => rows.map(({ name }) => name);
  const none = counted({});
  const first: ShownRows = { rows: none, sorted: none, sort, isHeld: true };
  expect(names(first)).toEqual(['t9', 't10', 'b', 'a']);

  const some = shownRows(first, { sorted: counted({ b: 40, a: 90 }), sort, isHeld: true });
  expect(names(some)).toEqual(['t9', 't10', 'b', 'a']);
  expect(some.rows.map(({ bytes, isEstimate }) => !isEstimate && bytes! / 4096)).toEqual([false, false, 40, 90]);
  expect(shownRows(some, { sorted: some.sorted, sort, isHeld: true })).toBe(some);

  expect(names(shownRows(some, { sorted: some.sorted, sort, isHeld: false }))).toEqual(['a', 'b', 't9', 't10']);
  const byName: SpaceSort = { column: 'name', descending: false };
  const chosen = shownRows(some, { sorted: sortedRows(some.sorted, byName), sort: byName, isHeld: true });
  expect(names(chosen)).toEqual(['a', 'b', 't9', 't10']);
});

it('shows what is new while rows are held after them, and what is gone no longer', () => {
  const sort: SpaceSort = { column: 'name', descending: false };
  const of = (...names: string[]): ShownRows['sorted'] =>
    spaceRows({ ...overview, trees: names.map((name) => tree(name, 1)) }, new Map());
  const before: ShownRows = { rows: of('c', 'b', 'a'), sorted: of('c', 'b', 'a'), sort, isHeld: true };
  const after = shownRows(before, { sorted: of('a', 'aa', 'c', 'cc'), sort, isHeld: true });
  expect(after.rows.map(({ name }) => name)).toEqual(['c', 'a', 'aa', 'cc']);
});
