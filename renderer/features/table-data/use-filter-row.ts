// Whether tables have a filter row, which of its fields is requested, and the positions of the columns its fields belong to.
import { useState, type RefObject } from 'react';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { NO_POSITIONS, type ColumnPositions } from '../../grid/layout/column-positions.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { useStore } from '../../state/store.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';

export interface FilterRowControl {
  readonly isShown: boolean;
  /** The field that was requested last; a new object each time. */
  readonly wanted: { readonly column: string } | null;
  /** A separate store, so that scrolling the grid sideways renders only the fields again. */
  readonly places: StoreApi<ColumnPositions>;
  placed(places: ColumnPositions): void;
  /** Moves the focus to the field of the current column. */
  focus(): void;
}

export function useFilterRow(
  grid: RefObject<GridHandle | null>,
  source: TableSource | null,
  isActive: boolean,
): FilterRowControl {
  const isShown = useStore(({ layout }) => layout.filterRowVisible);
  const [places] = useState(() => createStore<ColumnPositions>(() => NO_POSITIONS));
  const [wanted, setWanted] = useState<FilterRowControl['wanted']>(null);
  const focus = (): void => {
    const column = grid.current?.cursor.column ?? 0;
    grid.current?.revealColumn(column);
    setWanted({ column: source?.columns[column]?.name ?? '' });
  };
  const toggle = (): void => {
    // A row that is not being typed in was asked for, not asked to go.
    const isLeft = isShown && document.activeElement?.closest('.filter-row') != null;
    if (isShown === isLeft) useStore.getState().setLayout({ filterRowVisible: !isShown });
    if (isLeft) grid.current?.focus();
    else focus();
  };
  useCommand('grid.filterRow', toggle, isActive && source !== null);
  return { isShown, wanted, places, focus, placed: (placed) => places.setState(placed, true) };
}
