// Which tables the search of a diagram finds.
import type { DiagramTable } from '#shared/protocol/index.ts';
import type { PlacedNode } from './placement.ts';
import { readingOrder } from './walk.ts';

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
