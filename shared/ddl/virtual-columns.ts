// The columns of a virtual table of which Sidelite knows what its arguments mean.
import { fullTextOf } from './full-text.ts';
import type { VirtualTableModel } from './object-models.ts';
import { columnsOfRTree, rtreeOf } from './rtree.ts';

/** Null for other modules. */
export function columnsOfVirtual(model: VirtualTableModel): readonly string[] | null {
  const fullText = fullTextOf(model);
  if (fullText !== null) return fullText.columns.map(({ name }) => name);
  const rtree = rtreeOf(model);
  return rtree && columnsOfRTree(rtree).map(({ name }) => name);
}
