// A field above each column in view: text typed there filters by that column. The filter itself is in the tab's view; a field shows the
// part that applies to its column.
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useStore as useSharedStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { ColumnPositions } from '../../grid/layout/column-positions.ts';
import type { TableView } from '../../workbench/tabs/table.ts';
import { FilterField } from './filter-field.tsx';
import type { FilterColumn } from '../../workbench/filter/filter-form-rows.ts';
import { entriesOf, withEntries } from './filter-entries.ts';

export interface FilterRowProps {
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

export function FilterRow({
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
