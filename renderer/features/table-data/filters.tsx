// Filters of a table: the bar with its chips and, if shown, the row of fields.
import { useMemo } from 'react';
import type { ReactNode, RefObject } from 'react';
import { capabilitiesOf } from '#shared/protocol/index.ts';
import { useSchema } from '../../state/schema.ts';
import type { AppError } from '#shared/protocol/errors.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { TableTab, TableView } from '../../workbench/tabs/table.ts';
import { FilterBar } from './filter-bar.tsx';
import { declaredColumns } from './declared-columns.ts';
import { FilterRow } from './filter-row.tsx';
import type { FilterRowControl } from './use-filter-row.ts';

interface FiltersProps {
  readonly tab: TableTab;
  readonly source: TableSource;
  readonly row: FilterRowControl;
  /** Names of the columns that are shown in a format. */
  readonly formatted: readonly string[];
  readonly error: AppError | null;
  readonly editing: number | 'new' | null;
  readonly grid: RefObject<GridHandle | null>;
  onEditing(editing: number | 'new' | null): void;
  onChange(change: Partial<TableView>): void;
  onValues(column: string): void;
}

export function Filters(props: FiltersProps): ReactNode {
  const { tab, source, row, formatted, error, editing, grid, onEditing, onChange, onValues } = props;
  const { view } = tab;
  const columns = useMemo(
    () => declaredColumns(source).map((column) => ({ ...column, hasFormat: formatted.includes(column.name) })),
    [source, formatted],
  );
  const isQuick = useIsQuick(tab);
  const leave = (): void => grid.current?.focus();
  return (
    <>
      <FilterBar
        tab={tab}
        view={view}
        columns={columns}
        error={error}
        editing={editing}
        currentColumn={source.columns[grid.current?.cursor.column ?? 0]?.name ?? ''}
        isRowShown={row.isShown}
        isQuick={isQuick}
        onEditing={onEditing}
        onChange={onChange}
        onLeave={leave}
      />
      {row.isShown && (
        <FilterRow
          view={view}
          isQuick={isQuick}
          columns={columns}
          places={row.places}
          wanted={row.wanted}
          onChange={onChange}
          onReveal={(column) => grid.current?.revealColumn(column)}
          onValues={onValues}
          onLeave={leave}
        />
      )}
    </>
  );
}

/** Up to this number of rows, a filter is known before the user types on. */
const MOST_QUICK_ROWS = 100_000;

/**
 * Whether a filter of the table may run at each pause. A server bills the rows that it reads, and a view with few rows may read any number
 * of them.
 */
function useIsQuick({ database, table }: TableTab): boolean {
  const object = useSchema(database)?.objects.find(({ name }) => name === table);
  return (
    object?.kind !== 'view' &&
    (object?.rows?.count ?? Infinity) <= MOST_QUICK_ROWS &&
    capabilitiesOf(database).freeReads
  );
}
