// Places the tables of a diagram and routes its lines: what was laid out, what the user moved, what was added later.
import { HEADER_HEIGHT, ROW_HEIGHT, type Graph, type GraphEdge, type GraphNode } from './graph.ts';
import { boundsOf, overlaps, type Box, type Point, type Route } from './geometry.ts';
import * as v from 'valibot';
import { eachEntry } from '#shared/stored.ts';

/** Space in front of a table for the symbol at the end of a line. */
const STUB = 22;
/** Lines that would overlap are moved apart by this. */
const APART = 7;

/** @param lane distinguishes lines of the same table */
function routeBetween(edge: GraphEdge, target: GraphNode & Box, table: GraphNode & Box, lane: number): Route {
  const { columns, targetColumns } = edge.relation;
  const from = rowY(target, targetColumns[0]);
  const to = rowY(table, columns[0]);
  const shift = (lane % 5) * APART;
  if (target.name === table.name) return around(target, from, to === from ? to + ROW_HEIGHT / 2 : to, STUB + shift);
  const [left, right] = [target.x + target.width, table.x + table.width];
  if (table.x - left >= 2 * STUB) return sides(left, from, table.x, to, middle(left, table.x, shift));
  if (target.x - right >= 2 * STUB) return sides(target.x, from, right, to, middle(right, target.x, shift));
  // The tables overlap horizontally: go around the right of both.
  const bend = Math.max(left, right) + STUB + shift;
  return sides(left, from, right, to, bend);
}

const sides = (x1: number, y1: number, x2: number, y2: number, bend: number): Route => [
  { x: x1, y: y1 },
  { x: bend, y: y1 },
  { x: bend, y: y2 },
  { x: x2, y: y2 },
];

const middle = (from: number, to: number, shift: number): number =>
  Math.min(to - STUB, Math.max(from + STUB, (from + to) / 2 - 2 * APART + shift));

function around({ x, width }: Box, from: number, to: number, out: number): Route {
  const right = x + width;
  return sides(right, from, right, to, right + out);
}

/** The middle of the row of a column, or of the title if the column is not shown. */
function rowY({ rows, y }: GraphNode & Point, column: string | undefined): number {
  const at = rows.findIndex((row) => row.column.name === column);
  return at < 0 ? y + HEADER_HEIGHT / 2 : y + HEADER_HEIGHT + at * ROW_HEIGHT + ROW_HEIGHT / 2;
}

export type PlacedNode = GraphNode & Point;

export interface PlacedEdge extends GraphEdge {
  readonly route: Route;
}

export interface Placement {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

/** Result of a layout or of the user's work: places of tables by name, lines by ID. */
export interface Layout {
  readonly places: Readonly<Record<string, Point>>;
  readonly routes: Readonly<Record<string, Route>>;
}

export type MovedTables = Readonly<Record<string, Point>>;

const GAP = 36;

/** A line of the layout is used if both of its ends are where the layout put them. */
export function place(graph: Graph, layout: Layout, moved: MovedTables): Placement {
  const isMoved = (name: string): boolean => Object.hasOwn(moved, name);
  const nodes = graph.nodes.map((node): PlacedNode => {
    const { x, y } = (isMoved(node.name) ? moved[node.name] : layout.places[node.name]) ?? { x: 0, y: 0 };
    return { ...node, x, y };
  });
  return withRoutes(graph, nodes, ({ id, relation }) =>
    isMoved(relation.table) || isMoved(relation.target) ? undefined : layout.routes[id],
  );
}

/** Places the graph of a changed schema: tables stay where they are, new ones go beside what they refer to. */
export function keepPositions(graph: Graph, before: Placement): Placement {
  const known = new Map(before.nodes.map((node) => [node.name, node]));
  const nodes: PlacedNode[] = [];
  for (const node of graph.nodes) {
    const at = known.get(node.name);
    if (at) nodes.push({ ...node, x: at.x, y: at.y });
  }
  for (const node of graph.nodes)
    if (!known.has(node.name)) nodes.push({ ...node, ...freePosition(node, graph, nodes) });
  const now = new Map(nodes.map((node) => [node.name, node]));
  const routes = new Map(before.edges.map(({ id, route }) => [id, route]));
  const isAsBefore = (name: string): boolean => {
    const [was, is] = [known.get(name), now.get(name)];
    return was !== undefined && is !== undefined && was.width === is.width && was.height === is.height;
  };
  return withRoutes(
    graph,
    graph.nodes.map(({ name }) => now.get(name)!),
    ({ id, relation }) => (isAsBefore(relation.table) && isAsBefore(relation.target) ? routes.get(id) : undefined),
  );
}

export function moveNode(placement: Placement, name: string, { x, y }: Point): Placement {
  const nodes = placement.nodes.map((node) => (node.name === name ? { ...node, x, y } : node));
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const edges = placement.edges.map((edge, lane): PlacedEdge => {
    const { table, target } = edge.relation;
    if (table !== name && target !== name) return edge;
    return { ...edge, route: routeBetween(edge, byName.get(target)!, byName.get(table)!, lane) };
  });
  return { nodes, edges };
}

/** Fallback if a layout failed: side by side, in rows about as wide as high. */
export function inRows(nodes: readonly GraphNode[]): Layout {
  const area = nodes.reduce((sum, { width, height }) => sum + (width + GAP) * (height + GAP), 0);
  const rowWidth = Math.max(600, Math.sqrt(area) * 1.4);
  const places: Record<string, Point> = {};
  let [x, y, rowHeight] = [0, 0, 0];
  for (const { name, width, height } of nodes) {
    if (x > 0 && x + width > rowWidth) [x, y, rowHeight] = [0, y + rowHeight + GAP, 0];
    places[name] = { x, y };
    x += width + GAP;
    rowHeight = Math.max(rowHeight, height);
  }
  return { places, routes: {} };
}

export const boundsOfPlacement = ({ nodes }: Placement): Box => boundsOf(nodes);

function withRoutes(
  graph: Graph,
  nodes: readonly PlacedNode[],
  known: (edge: GraphEdge) => Route | undefined,
): Placement {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const edges = graph.edges.map((edge, lane): PlacedEdge => {
    const { table, target } = edge.relation;
    return { ...edge, route: known(edge) ?? routeBetween(edge, byName.get(target)!, byName.get(table)!, lane) };
  });
  return { nodes, edges };
}

/** Position to the right of a related table, then further down; below everything if there is none. */
function freePosition(node: GraphNode, graph: Graph, placed: readonly PlacedNode[]): Point {
  const byName = new Map(placed.map((each) => [each.name, each]));
  const neighbor = graph.edges
    .flatMap(({ relation: { table, target } }) =>
      table === node.name ? [target] : target === node.name ? [table] : [],
    )
    .map((name) => byName.get(name))
    .find((each) => each !== undefined);
  const all = boundsOf(placed);
  if (!neighbor) return { x: all.x, y: all.y + all.height + (placed.length > 0 ? GAP : 0) };
  let at = { x: neighbor.x + neighbor.width + 2 * GAP, y: neighbor.y };
  for (;;) {
    const blocking = placed.find((other) => overlaps({ ...node, ...at }, other, GAP / 2));
    if (!blocking) return at;
    at = { ...at, y: blocking.y + blocking.height + GAP };
  }
}

const coordinate = v.pipe(v.number(), v.finite(), v.minValue(-1e6), v.maxValue(1e6));
const PLACES = eachEntry(v.object({ x: coordinate, y: coordinate }));

export const readMoved = (stored: unknown): MovedTables => v.parse(PLACES, stored);
