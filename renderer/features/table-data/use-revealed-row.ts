// Takes the grid to the row that an undo or a redo changed.
import { useEffect } from 'react';
import type { RefObject } from 'react';
import { useStore } from '../../state/store.ts';
import type { GridHandle } from '../../grid/grid.tsx';
import type { TableSource } from '../../workbench/rows/table-source.ts';

export function useRevealedRow(
  source: TableSource | null,
  grid: RefObject<GridHandle | null>,
  isActive: boolean,
): void {
  const row = useStore(({ revealedRow }) => revealedRow);
  useEffect(() => {
    if (!row || !source || !isActive || row.database !== source.database || row.table !== source.detail.name) return;
    useStore.setState({ revealedRow: null });
    // Filtered out, gone, or of a table without keys: there is nowhere to go then.
    source.find(row.key).then(
      (position) => {
        // If the user has typed or clicked meanwhile, the cursor stays where the next key belongs.
        if (position === null || !grid.current || grid.current.lastInputMs > row.askedAtMs) return;
        grid.current.goTo(position, columnOf(source, row.column));
      },
      () => undefined,
    );
  }, [row, source, grid, isActive]);
}

function columnOf(source: TableSource, name: string | null): number | undefined {
  const index = source.columns.findIndex((column) => column.name === name);
  return index >= 0 ? index : undefined;
}
