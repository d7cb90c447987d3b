// Where the arrow keys go in a diagram, along relations or to the nearest table, and which tables its search finds.
import type { PlacedNode, Placement } from './placement.ts';
import { centerOf } from './geometry.ts';
import type { DiagramTable } from '#shared/protocol/index.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/** Sorts tables in reading order, row by row, for keyboard navigation. */
export function readingOrder(nodes: readonly PlacedNode[]): readonly PlacedNode[] {
  return [...nodes].sort((a, b) => a.x - b.x || a.y - b.y || (a.name < b.name ? -1 : 1));
}

export function stepFrom({ nodes, edges }: Placement, name: string, direction: Direction): string | null {
  const from = nodes.find((node) => node.name === name);
  if (!from) return null;
  const related = new Set(
    edges.flatMap(({ relation: { table, target } }) => (table === name ? [target] : target === name ? [table] : [])),
  );
  const others = nodes.filter((node) => node !== from);
  return (
    nearest(
      from,
      others.filter((node) => related.has(node.name)),
      direction,
    ) ?? nearest(from, others, direction)
  );
}

/** The less it lies aside, the nearer. What lies further aside than ahead is another direction. */
function nearest(from: PlacedNode, candidates: readonly PlacedNode[], direction: Direction): string | null {
  const start = centerOf(from);
  let [best, bestCost]: [string | null, number] = [null, Infinity];
  for (const candidate of candidates) {
    const { x, y } = centerOf(candidate);
    const [dx, dy] = [x - start.x, y - start.y];
    const isAcross = direction === 'left' || direction === 'right';
    const ahead = { left: -dx, right: dx, up: -dy, down: dy }[direction];
    const aside = Math.abs(isAcross ? dy : dx);
    if (ahead <= 1 || aside > ahead * 2.5) continue;
    const cost = ahead + aside * 1.5;
    if (cost < bestCost) [best, bestCost] = [candidate.name, cost];
  }
  return best;
}

/** The next one in a list, wrapping around; the first if `name` is not in it. */
export function nextIn(names: readonly string[], name: string | null, step: 1 | -1): string | null {
  if (names.length === 0) return null;
  const at = name === null ? -1 : names.indexOf(name);
  if (at < 0) return names[step === 1 ? 0 : names.length - 1]!;
  return names[(at + step + names.length) % names.length]!;
}

/** Names: those that begin with the text first, and tables that are not in the picture last. Null: there is no text. */
export function findTables(
  text: string,
  nodes: readonly PlacedNode[],
  all: readonly DiagramTable[],
): readonly string[] | null {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return null;
  const has = (name: string, columns: readonly { readonly name: string }[]): boolean =>
    name.toLowerCase().includes(wanted) || columns.some((column) => column.name.toLowerCase().includes(wanted));
  const isBeginning = (name: string): boolean => name.toLowerCase().startsWith(wanted);
  const beginningFirst = (names: readonly string[]): readonly string[] => [
    ...names.filter(isBeginning),
    ...names.filter((name) => !isBeginning(name)),
  ];
  const found = nodes.filter(({ name, rows }) =>
    has(
      name,
      rows.map(({ column }) => column),
    ),
  );
  const shown = new Set(nodes.map(({ name }) => name));
  const others = all.filter(({ name, columns }) => !shown.has(name) && has(name, columns)).map(({ name }) => name);
  return [...beginningFirst(readingOrder(found).map(({ name }) => name)), ...beginningFirst(others)];
}
