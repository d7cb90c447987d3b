import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { overlaps } from './geometry.ts';
import { anyDiagram, graphOf, measure, relation, table, WHOLE } from './made-graph.test-suite.ts';
import { findTables, nextIn, readingOrder, stepFrom } from './walk.ts';
import { buildGraph, MAX_ROWS, MAX_TABLES, type Graph } from './graph.ts';
import { inRows, keepPositions, moveNode, place, readMoved } from './placement.ts';

const names = ({ nodes }: Graph): string[] => nodes.map(({ name }) => name);
const CHAIN = {
  tables: ['a', 'b', 'c', 'd'].map((name) => table(name)),
  relations: [relation('b', 'a'), relation('c', 'b'), relation('d', 'c', { origin: 'likely' as const })],
};

test('the neighbors of a table: one step, two steps, with likely keys and without', () => {
  const around = (name: string, steps: 1 | 2, likely = true) =>
    names(graphOf(CHAIN.tables, CHAIN.relations, { table: name, steps, likely }));
  expect(around('b', 1)).toEqual(['a', 'b', 'c']);
  expect(around('B', 1)).toEqual(['a', 'b', 'c']);
  expect(around('a', 2)).toEqual(['a', 'b', 'c']);
  expect(around('d', 1)).toEqual(['c', 'd']);
  expect(around('d', 1, false)).toEqual(['d']);
  expect(around('gone', 2)).toEqual([]);
});

test('of too many tables, the ones nearest to one, or to the one with the most relations', () => {
  const many = Array.from({ length: 5000 }, (_, at) => table(`t${at}`));
  // A chain, and a star around t4000.
  const relations = [
    ...many.slice(1, 1000).map(({ name }, at) => relation(name, `t${at}`)),
    ...many.slice(4001, 4300).map(({ name }) => relation(name, 't4000')),
  ];
  const chain = graphOf(many, relations, { around: 'T500' });
  expect(new Set(names(chain))).toEqual(new Set(Array.from({ length: MAX_TABLES }, (_, at) => `t${400 + at}`)));
  expect([chain.left, chain.edges.length]).toEqual([5000 - MAX_TABLES, MAX_TABLES - 1]);
  for (const around of [null, 'gone']) {
    const star = graphOf(many, relations, { around });
    expect(names(star)).toHaveLength(MAX_TABLES);
    expect(names(star)).toContain('t4000');
  }
  expect(names(graphOf(many, relations, { around: 't3000' }))).toEqual(['t3000']);
  expect(graphOf(many, relations, { table: 't4000' })).toMatchObject({ left: 300 - MAX_TABLES });
  expect(graphOf(many.slice(0, MAX_TABLES), [], { around: 't3' })).toMatchObject({ left: 0 });
});

test('the search finds tables of the picture first, and the others where they are left out', () => {
  const tables = ['apple', 'pineapple', 'app', 'other'].map((name) => table(name));
  const graph = graphOf([tables[0]!, tables[3]!], []);
  const { nodes } = place(graph, inRows(graph.nodes), {});
  expect(findTables(' APP', nodes, tables)).toEqual(['apple', 'app', 'pineapple']);
  expect(findTables('app', nodes, [])).toEqual(['apple']);
  expect(findTables('ID', nodes, [])).toEqual(['apple', 'other']);
  expect(findTables(' ', nodes, tables)).toBeNull();
});

test('views only where they are asked for, and a relation only with both of its ends', () => {
  const tables = [table('t'), table('v', ['id'], { kind: 'view' })];
  const relations = [relation('t', 'nowhere', { problem: 'There is no table.' })];
  expect(names(graphOf(tables, relations, { views: false }))).toEqual(['t']);
  expect(names(graphOf(tables, relations))).toEqual(['t', 'v']);
  expect(graphOf(tables, relations).edges).toEqual([]);
});

test('2,000 columns: those of keys and how many there are besides, all of them where that is asked for', () => {
  const wide = table(
    'wide',
    Array.from({ length: 2000 }, (_, at) => `c${at}`),
  );
  const relations = [relation('wide', 'a', { columns: ['c1500'] })];
  const folded = graphOf([wide, table('a')], relations).nodes[0]!;
  expect(folded.rows.map(({ column, key }) => `${column.name} ${key}`)).toEqual(['c0 primary', 'c1500 foreign']);
  expect(folded).toMatchObject({ hidden: 1998, folds: true });
  const unfolded = graphOf([wide, table('a')], relations, { expanded: ['wide'] }).nodes[0]!;
  expect(unfolded).toMatchObject({ hidden: 0, folds: true });
  expect(unfolded.rows).toHaveLength(2000);
  const plain = { ...wide, columns: wide.columns.map((column) => ({ ...column, primaryKeyIndex: 0 })) };
  expect(graphOf([plain], []).nodes[0]!.rows).toHaveLength(MAX_ROWS);
});

test('a new table comes beside what it refers to; the others, and lines between them, stay where they are', () => {
  const before = graphOf(CHAIN.tables, CHAIN.relations);
  const layout = {
    places: Object.fromEntries(before.nodes.map(({ name }, at) => [name, { x: at * 300, y: 0 }])),
    routes: Object.fromEntries(
      before.edges.map(({ id }, at) => [
        id,
        [
          { x: at, y: 1 },
          { x: at, y: 2 },
        ],
      ]),
    ),
  };
  const placed = place(before, layout, {});
  const after = graphOf([...CHAIN.tables, table('new')], [...CHAIN.relations, relation('new', 'b')]);
  const kept = keepPositions(after, placed);
  const find = (name: string) => kept.nodes.find((node) => node.name === name)!;
  for (const { name, x, y } of placed.nodes) expect(find(name)).toMatchObject({ x, y });
  expect(find('new').x).toBeGreaterThan(find('b').x);
  for (const other of kept.nodes) if (other.name !== 'new') expect(overlaps(find('new'), other)).toBe(false);
  expect(kept.edges.slice(0, 3).map(({ route }) => route)).toEqual(placed.edges.map(({ route }) => route));
});

test('whatever the schema: rows do not overlap, each line has both ends at its tables, also after a table was moved', () => {
  fc.assert(
    fc.property(
      anyDiagram,
      fc.integer({ min: -900, max: 900 }),
      fc.integer({ min: -900, max: 900 }),
      (diagram, x, y) => {
        const graph = buildGraph(diagram, WHOLE, measure);
        const placed = place(graph, inRows(graph.nodes), {});
        placed.nodes.forEach((node, at) =>
          placed.nodes.slice(at + 1).forEach((other) => expect(overlaps(node, other)).toBe(false)),
        );
        const moved = moveNode(placed, graph.nodes[0]!.name, { x, y });
        for (const { route, relation: each } of moved.edges) {
          const touches = (name: string, point: { x: number; y: number }): boolean => {
            const node = moved.nodes.find((one) => one.name === name)!;
            const isAtSide = point.x === node.x || point.x === node.x + node.width;
            return isAtSide && point.y >= node.y && point.y <= node.y + node.height;
          };
          expect(touches(each.target, route[0]!)).toBe(true);
          expect(touches(each.table, route.at(-1)!)).toBe(true);
          route
            .slice(1)
            .forEach((point, at) => expect(point.x === route[at]!.x || point.y === route[at]!.y).toBe(true));
        }
      },
    ),
    { numRuns: seedCount(300), seed: 14 },
  );
});

test('arrow keys follow relations first, then what is nearest; every table is reached in order', () => {
  const tables = ['a', 'far', 'near'].map((name) => table(name));
  const graph = graphOf(tables, [relation('far', 'a')]);
  const places = { a: { x: 0, y: 0 }, near: { x: 300, y: 0 }, far: { x: 600, y: 40 } };
  const placed = place(graph, { places, routes: {} }, {});
  expect(stepFrom(placed, 'a', 'right')).toBe('far');
  expect(stepFrom(placed, 'near', 'left')).toBe('a');
  expect(stepFrom(placed, 'near', 'up')).toBeNull();
  expect(readingOrder(placed.nodes).map(({ name }) => name)).toEqual(['a', 'near', 'far']);
  expect([nextIn(['a', 'b'], 'b', 1), nextIn(['a', 'b'], null, -1), nextIn([], 'a', 1)]).toEqual(['a', 'b', null]);
});

test('stored places that are none are left out', () => {
  const stored = { a: { x: 1, y: 2 }, b: { x: 'left', y: 0 }, c: { x: 1e9, y: 0 }, d: 7 };
  expect(readMoved(stored)).toEqual({ a: { x: 1, y: 2 } });
  expect(readMoved('nonsense')).toEqual({});
});
