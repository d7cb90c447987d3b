// Which column has an open card, and its position: its values and statistics, or its colors.
import { useRef, useState, type RefObject } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import type { GridHandle } from '../../../grid/grid-handle.ts';
import { headerRect, type ColumnPositions } from '../../../grid/layout/column-positions.ts';
import { useCommand } from '../../../workbench/commands/commands.ts';
import type { TableSource } from '../../../workbench/rows/table-source.ts';

export type CardKind = 'values' | 'colors';

export interface ColumnCardControl {
  /** Null: no card. */
  readonly column: string | null;
  readonly kind: CardKind;
  /** The element that holds the grid. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly anchor: () => DOMRect;
  readonly show: (column: string, kind?: CardKind) => void;
  readonly hide: () => void;
}

const NO_CARD = { column: null, kind: 'values' } as const;

export function useColumnCard(
  grid: RefObject<GridHandle | null>,
  source: TableSource | null,
  places: StoreApi<ColumnPositions>,
  isActive: boolean,
): ColumnCardControl {
  const [{ column, kind }, setCard] = useState<{ column: string | null; kind: CardKind }>(NO_CARD);
  const box = useRef<HTMLDivElement>(null);
  const indexOf = (name: string | null): number => source?.columns.findIndex((each) => each.name === name) ?? -1;
  const show = (name: string, wanted: CardKind = 'values'): void => {
    if (indexOf(name) < 0) return;
    grid.current?.revealColumn(indexOf(name));
    setCard({ column: name, kind: wanted });
  };
  const hide = (): void => {
    setCard(NO_CARD);
    grid.current?.focus();
  };
  const anchor = (): DOMRect =>
    headerRect(box.current?.getBoundingClientRect() ?? new DOMRect(), places.getState(), indexOf(column));
  const showCurrent = (wanted: CardKind) => (): void =>
    show(source?.columns[grid.current?.cursor.column ?? 0]?.name ?? '', wanted);
  useCommand('grid.columnValues', showCurrent('values'), isActive && source !== null);
  useCommand('grid.colorColumn', showCurrent('colors'), isActive && source !== null);
  return { column: indexOf(column) >= 0 ? column : null, kind, box, anchor, show, hide };
}
