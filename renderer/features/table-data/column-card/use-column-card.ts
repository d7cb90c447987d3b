// Which column has its card open, and where that is.
import { useRef, useState } from 'react';
import type { RefObject } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import type { GridHandle } from '../../../grid/grid.tsx';
import type { ColumnPlaces } from '../../../grid/layout/column-places.ts';
import { HEADER_HEIGHT } from '../../../grid/layout/geometry.ts';
import { useCommand } from '../../../workbench/commands.ts';
import type { TableSource } from '../../../workbench/rows/table-source.ts';

export interface ColumnCardControl {
  /** Null: no card. */
  readonly column: string | null;
  /** The element that holds the grid. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly anchor: () => DOMRect;
  readonly show: (column: string) => void;
  readonly hide: () => void;
}

export function useColumnCard(
  grid: RefObject<GridHandle | null>,
  source: TableSource | null,
  places: StoreApi<ColumnPlaces>,
  isActive: boolean,
): ColumnCardControl {
  const [column, setColumn] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const indexOf = (name: string | null): number => source?.columns.findIndex((each) => each.name === name) ?? -1;
  const show = (name: string): void => {
    if (indexOf(name) < 0) return;
    grid.current?.revealColumn(indexOf(name));
    setColumn(name);
  };
  const hide = (): void => {
    setColumn(null);
    grid.current?.focus();
  };
  const anchor = (): DOMRect => {
    const { x, y } = box.current?.getBoundingClientRect() ?? new DOMRect();
    const place = places.getState().columns.find((each) => each.column === indexOf(column));
    return new DOMRect(x + (place?.left ?? 0), y, place?.width ?? 0, HEADER_HEIGHT);
  };
  useCommand(
    'grid.columnValues',
    () => show(source?.columns[grid.current?.cursor.column ?? 0]?.name ?? ''),
    isActive && source !== null,
  );
  return { column: indexOf(column) >= 0 ? column : null, box, anchor, show, hide };
}
