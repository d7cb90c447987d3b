// The commands that sort a table or a result by the column of the current cell.
import type { RefObject } from 'react';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { announce } from '../../ui/announcer.tsx';
import { useCommand } from '../commands/commands.ts';
import { sortLabel, withTerm, type SortTermOf } from './sort-terms.ts';

interface SortCommands<C> {
  readonly grid: RefObject<GridHandle | null>;
  readonly isReady: boolean;
  readonly sort: readonly SortTermOf<C>[];
  /** How the sort order names the column; null while there is none. */
  readonly columnAt: (index: number) => C | null;
  readonly nameOf: (column: C) => string;
  readonly onSort: (terms: readonly SortTermOf<C>[]) => void;
}

export function useSortCommands<C>({ grid, isReady, sort, columnAt, nameOf, onSort }: SortCommands<C>): void {
  const sortBy = (termsWith: (column: C) => readonly SortTermOf<C>[]) => (): void => {
    const column = grid.current && columnAt(grid.current.cursor.column);
    if (column === null) return;
    const terms = termsWith(column);
    onSort(terms);
    announce(sortLabel(terms, nameOf));
  };
  const by = (descending: boolean) => sortBy((column) => [{ column, descending }]);
  useCommand('grid.sortAscending', by(false), isReady);
  useCommand('grid.sortDescending', by(true), isReady);
  useCommand(
    'grid.addToSorting',
    sortBy((column) => withTerm(sort, column)),
    isReady,
  );
  useCommand(
    'grid.clearSorting',
    sortBy(() => []),
    isReady && sort.length > 0,
  );
}
