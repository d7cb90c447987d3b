// Filters of a table: the bar with its chips and, if shown, the row of fields.
import { useMemo, useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { capabilitiesOf, type AppError } from '#shared/protocol/index.ts';
import type { ColumnPositions } from '../../grid/layout/column-positions.ts';
import { useSchema } from '../../state/schema.ts';
import { useStore as useSharedStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { FilterColumn } from '../../workbench/filter/filter-form-rows.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { TableTab, TableView } from '../../workbench/tabs/table.ts';
import { FilterBar } from './filter-bar.tsx';
import { declaredColumns } from './declared-columns.ts';
import { entriesOf, withEntries } from './filter-entries.ts';
import { FilterField } from './filter-field.tsx';
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

// A field above each column in view: text typed there filters by that column. The filter itself is in the tab's view; a field shows the
// part that applies to its column.

interface FilterRowProps {
  readonly view: TableView;
  /** Filters are applied as the user types. */
  readonly isQuick: boolean;
  readonly columns: readonly FilterColumn[];
  readonly places: StoreApi<ColumnPositions>;
  /** The field that last requested the focus, by the column's name. */
  readonly wanted: { readonly column: string } | null;
  onChange(change: Partial<TableView>): void;
  onReveal(column: number): void;
  onValues(column: string): void;
  onLeave(): void;
}

function FilterRow({
  view,
  isQuick,
  columns,
  places,
  wanted,
  onChange,
  onReveal,
  onValues,
  onLeave,
}: FilterRowProps): ReactNode {
  const { gutter, columns: shown } = useSharedStore(places);
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!wanted) return;
    const index = columns.findIndex(({ name }) => name === wanted.column);
    strip.current?.querySelector<HTMLInputElement>(`[data-column="${index}"] input`)?.focus();
    // Only a new request moves the focus, not each change of the columns.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted]);
  return (
    <div className="ruled-bar sunken">
      <div
        ref={strip}
        className="clip anchor filter-row"
        role="group"
        aria-label="Filter by column"
        style={{ marginLeft: gutter }}
        // The browser scrolls to a field that gets the focus; the grid is scrolled there instead, and the fields follow it.
        onScroll={({ currentTarget }) => void (currentTarget.scrollLeft = 0)}
      >
        {shown.map(({ column, left, width }) => {
          const named = columns[column];
          return (
            named && (
              <div
                key={column}
                className="clip full-height filter-cell"
                data-column={column}
                style={{ transform: `translateX(${left - gutter - 1}px)`, width }}
                onFocus={() => onReveal(column)}
              >
                <FilterField
                  column={named}
                  isQuick={isQuick}
                  entries={entriesOf(view.filter, named.name)}
                  onApply={(entries) => onChange({ filter: withEntries(view.filter, named.name, entries) })}
                  onValues={() => onValues(named.name)}
                  onLeave={onLeave}
                />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
