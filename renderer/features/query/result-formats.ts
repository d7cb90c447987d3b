// The display formats of a result's columns: those of the table's columns that they come from, otherwise formats of their own.
import { useMemo, type RefObject } from 'react';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { choiceAt, resultPlaces, tablePlace, useFormatChoices } from '../../workbench/columns/format-memory.ts';
import { useColumnFormats } from '../../workbench/columns/use-column-formats.tsx';
import type { ColumnFormatControl, FormattedColumn } from '../../workbench/columns/use-column-formats.tsx';
import type { ResultSource } from '../../workbench/rows/result-source.ts';

const columnsOf = ({ database, info, hiddenColumns }: ResultSource): readonly FormattedColumn[] => {
  const shown = info.columns.slice(hiddenColumns);
  const places = resultPlaces(
    database,
    shown.map(({ name }) => name),
  );
  return shown.map(({ name, declaredType, origin }, at) => ({
    name,
    declaredType,
    place: origin ? tablePlace(database, origin.table, origin.column) : places[at]!,
  }));
};

/** Whether columns are shown in another form than the stored one, by column. */
export function useHasFormat(source: ResultSource): readonly boolean[] {
  const kept = useFormatChoices((state) => state.kept);
  return useMemo(() => columnsOf(source).map(({ place }) => choiceAt(kept, place) !== undefined), [source, kept]);
}

export function useResultFormats(
  tabId: string,
  source: ResultSource,
  grid: RefObject<GridHandle | null>,
  isActive: boolean,
): ColumnFormatControl {
  const { hiddenColumns } = source;
  const columns = useMemo(() => columnsOf(source), [source]);
  return useColumnFormats({ tabId, grid, columns, hiddenColumns, isActive });
}
