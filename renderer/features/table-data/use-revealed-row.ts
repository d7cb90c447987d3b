// Moves the grid to the row that an undo or a redo changed, that Back leads to, or that was found by a search.
import { useEffect } from 'react';
import type { RefObject } from 'react';
import { useStore } from '../../state/store.ts';
import type { TableView } from '../../workbench/tabs/table.ts';
import { endFocusMove } from '../../workbench/commands/focus-content.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';

export function useRevealedRow(
  source: TableSource | null,
  grid: RefObject<GridHandle | null>,
  view: TableView,
  isActive: boolean,
): void {
  const row = useStore(({ revealedRow }) => revealedRow);
  useEffect(() => {
    // The rows of another filter or order are still on screen: wait for the new ones to search for the row.
    if (source && !shows(source, view)) return;
    if (!row || !source || !isActive || row.database !== source.database || row.table !== source.detail.name) return;
    useStore.setState({ revealedRow: null });
    // The row is filtered out, deleted, or in a table without keys: there is nowhere to go.
    source.find(row.key).then(
      (position) => {
        // If the user has typed or clicked in the meantime, the cursor stays where the next key belongs.
        if (position === null || !grid.current || grid.current.lastInputMs > row.askedAtMs) return;
        grid.current.goTo(position, columnOf(source, row.column));
        if (row.typed === undefined) return;
        endFocusMove();
        grid.current.editCell(row.typed);
      },
      () => undefined,
    );
  }, [row, source, grid, view, isActive]);
}

const shows = ({ view: shown }: TableSource, { sort, filter, where }: TableView): boolean =>
  shown.sort === sort && shown.filter === filter && shown.where === where;

function columnOf(source: TableSource, name: string | null): number | undefined {
  const index = source.columns.findIndex((column) => column.name === name);
  return index >= 0 ? index : undefined;
}
