// The commands that sort a result by the column of the current cell, and search its rows.
import type { RefObject } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import type { ResultArrangement, ResultSortTerm } from '#shared/protocol/index.ts';
import type { GridHandle } from '../../grid/grid.tsx';
import { announce } from '../../ui/announcer.tsx';
import { useCommand } from '../../workbench/commands.ts';
import { sortLabel, withTerm } from '../../workbench/sort-terms.ts';
import type { QueryResult } from './query-view.ts';

interface ResultCommands {
  readonly grid: RefObject<GridHandle | null>;
  readonly result: QueryResult;
  readonly isActive: boolean;
  onArrange(arrangement: ResultArrangement): void;
}

export function useResultCommands({ grid, result, isActive, onArrange }: ResultCommands): void {
  const { arrangement, source, ended } = result;
  const { sort } = arrangement;
  const sortBy = (termsWith: (column: number) => readonly ResultSortTerm[]) => (): void => {
    if (!grid.current || source.columns.length === 0) return;
    const terms = termsWith(grid.current.cursor.column);
    onArrange({ ...arrangement, sort: terms });
    announce(sortLabel(terms, (column) => visibleName(source.columns[column]?.name ?? '')));
  };
  const by = (descending: boolean) => sortBy((column) => [{ column, descending }]);
  const isReady = isActive && ended;
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
