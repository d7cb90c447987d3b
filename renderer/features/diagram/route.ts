// Lines between tables that were moved: right-angled, from side to side, at the rows of the key.
import { HEADER_HEIGHT, ROW_HEIGHT } from './graph.ts';
import type { GraphEdge, GraphNode } from './graph.ts';
import type { Box, Point, Route } from './geometry.ts';

/** Space in front of a table for the symbol at the end of a line. */
const STUB = 22;
/** Lines that would overlap are moved apart by this. */
const APART = 7;

/** @param lane distinguishes lines of the same table */
export function routeBetween(edge: GraphEdge, target: GraphNode & Box, table: GraphNode & Box, lane: number): Route {
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
