// The commands that sort a table by the column of the current cell.
import type { RefObject } from 'react';
import type { SortTerm } from '#shared/protocol/rows.ts';
import { visibleName } from '#shared/visible-text.ts';
import type { GridHandle } from '../../grid/grid.tsx';
import type { TableTab } from '../../workbench/table-tabs.ts';
import { announce } from '../../ui/announcer.tsx';
import { useCommand } from '../../workbench/commands.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import { changeView } from './change-view.ts';
import { sortLabel, withTerm } from '../../workbench/sort-terms.ts';

interface SortCommands {
  readonly tab: TableTab;
  readonly grid: RefObject<GridHandle | null>;
  readonly source: TableSource | null;
  readonly isActive: boolean;
}

export function useSortCommands({ tab, grid, source, isActive }: SortCommands): void {
  const { sort } = tab.view;
  const sortBy = (termsWith: (column: string) => readonly SortTerm[]) => (): void => {
    const column = grid.current && source?.columns[grid.current.cursor.column]?.name;
    if (column === undefined || column === null) return;
    const terms = termsWith(column);
    changeView(tab.id, { sort: terms });
    announce(sortLabel(terms, visibleName));
  };
  const isReady = isActive && source !== null;
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
