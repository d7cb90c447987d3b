// The current cell of a table, kept while its tab is not on screen, and restored when the tab is shown again.
import { useEffect, useState } from 'react';
import type { RefObject } from 'react';
import type { Value } from '#shared/protocol/values.ts';
import { capabilitiesOf } from '#shared/protocol/index.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import { useStore } from '../../state/store.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { GridStart } from '../../grid/grid-start.ts';
import { isSameView } from '../../workbench/rows/scan-consent.ts';
import type { RowsView } from '../../workbench/rows/scan-consent.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { TableTab } from '../../workbench/tabs/table.ts';

interface KeptCell {
  /** Its position in this view. */
  readonly row: number;
  readonly view: RowsView;
  readonly column: string | null;
  /** `draft`: the row that is being added. Null if the row has no key, or was never on screen. */
  readonly key: readonly Value[] | 'draft' | null;
}

const keptCells = tabSessions((_tab: TableTab): { cell: KeptCell | null; dispose(): void } => ({
  cell: null,
  dispose: () => undefined,
}));

export function keepCell(tab: TableTab, source: TableSource, grid: GridHandle): void {
  const { row, column } = grid.cursor;
  const cell = grid.cell(row, column);
  const kept = keptCells(tab);
  const before = kept.cell;
  const known = before?.row === row && isSameView(before.view, source.view) ? before.key : null;
  const stored = cell ? source.keyOf(cell.rows, cell.index) : known;
  const key = row === grid.draftPosition ? 'draft' : stored;
  kept.cell = { row, view: source.view, column: source.columns[column]?.name ?? null, key };
}

/**
 * Initial position of the grid: the cell that was current. Rows may have been added and removed meanwhile: the row is found by its
 * key, except on a server, where that has a cost.
 */
export function useKeptCell(tab: TableTab, source: TableSource, grid: RefObject<GridHandle | null>): GridStart {
  const [kept] = useState(() => cellOf(tab, source));
  useEffect(() => {
    const isAskedElsewhere = useStore.getState().revealedRow !== null;
    if (!kept || isAskedElsewhere || !grid.current) return;
    const { key } = kept;
    if (key === 'draft') {
      const { draftPosition } = grid.current;
      if (draftPosition >= 0) grid.current.goTo(draftPosition, columnOf(source, kept));
    } else if (key) {
      const shownAtMs = performance.now();
      source.find(key).then(
        (row) => {
          if (row === null || !grid.current || grid.current.lastInputMs > shownAtMs) return;
          if (row !== grid.current.cursor.row) grid.current.goTo(row, columnOf(source, kept));
        },
        () => undefined, // It is a comfort: the rows say themselves what is wrong with them.
      );
    }
  }, [kept, source, grid]);
  const { topRow } = tab.view;
  return kept ? { topRow, cell: { row: kept.row, column: columnOf(source, kept) } } : { topRow };
}

function cellOf(tab: TableTab, source: TableSource): KeptCell | null {
  const { cell } = keptCells(tab);
  return cell && isSameView(cell.view, source.view) && capabilitiesOf(source.database).freeReads ? cell : null;
}

function columnOf(source: TableSource, { column: name }: KeptCell): number | undefined {
  const index = source.columns.findIndex((column) => column.name === name);
  return index >= 0 ? index : undefined;
}
