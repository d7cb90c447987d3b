// What the owner of a grid can read from the grid and do to it.
import type { RefObject } from 'react';
import type { RowSelection } from '#shared/protocol/index.ts';
import { focusGrid } from './editing/use-cell-editing.tsx';
import type { CellEditing } from './editing/use-cell-editing.tsx';
import type { TypeAhead } from './editing/type-ahead.ts';
import type { GridController } from './grid-controller.ts';
import type { CellReference } from './grid-source.ts';
import { copyCells } from './input/clipboard.ts';
import type { CopyOutcome } from './input/clipboard.ts';
import type { ChangedColumn, ColumnChange } from './input/column-change.ts';
import { cursorOf, selectedRows } from './input/selection.ts';
import type { Bounds, Interval, Selection } from './input/selection.ts';
import type { GridHit } from './layout/grid-space.ts';
import type { SeenRows } from './rows/seen-rows.ts';

/** Rows are positions, columns are those of the source. */
export interface GridHandle {
  focus(): void;
  readonly selection: Selection;
  readonly bounds: Bounds;
  readonly topRow: number;
  /** How many rows are stored: rows that are not saved yet follow the stored rows. */
  readonly storedRows: number;
  /** Position of the draft row, or −1. */
  readonly draftPosition: number;
  readonly cursor: { readonly row: number; readonly column: number };
  cell(row: number, column: number): CellReference | null;
  /** The stored rows of these intervals that the user sees now, and loaded ones around them. */
  seenIn(intervals: readonly Interval[]): SeenRows;
  /** Keys and rows that say which stored rows are selected, wherever these rows are by now; empty if rows have no key. */
  selectedKeys(): Pick<RowSelection, 'corners' | 'seen'>;
  /** Returns the zone and the cell at a point of the window: for context menus. */
  hitAt(clientX: number, clientY: number): GridHit;
  /** Box in the window of the cell, header, or row number at a point, as far as it is on screen; null for anything else. */
  hitBoxAt(clientX: number, clientY: number): DOMRect | null;
  /** Box of the cell in the window. */
  boxOf(row: number, column: number): DOMRect;
  /** Source columns in display order. */
  readonly columns: readonly number[];
  goTo(row: number, column?: number): void;
  /** Scrolls sideways until the column is in view. The selection stays. */
  revealColumn(column: number): void;
  scrollToTopRow(row: number): void;
  /** @param typed replaces the value of the cell, and is not stored yet */
  editCell(typed?: string): void;
  /** Moves or resizes the column of the current cell, and returns its new position. */
  changeColumn(change: ColumnChange): ChangedColumn | null;
  /** Keys wait until `work`, which is based on the current selection, has ended. */
  during(work: Promise<unknown>): void;
  /** Runs `step` now, or as soon as the cell that is being stored is stored; never, if that fails. */
  inTurn(step: () => void): void;
  /** Time from `performance.now()` when a key or the pointer was last pressed in the grid. */
  readonly lastInputMs: number;
  /** @param asShown copies the forms in which columns show their values, not the stored values */
  copy(withHeaders: boolean, asShown?: boolean): Promise<CopyOutcome>;
}

/** Display index of the column; if it is not on screen, or none is asked for, the current one. */
function shownColumn({ layout, selection }: GridController, column: number | undefined): number {
  const found = column === undefined ? -1 : layout.columns.indexOf(column);
  return found >= 0 ? found : cursorOf(selection).displayIndex;
}

export function handleOf(
  controller: GridController,
  layer: RefObject<HTMLElement | null>,
  editing: RefObject<CellEditing>,
  ahead: TypeAhead,
): GridHandle {
  return {
    focus: () => focusGrid(layer),
    get selection() {
      return controller.selection;
    },
    get bounds() {
      return controller.bounds;
    },
    get topRow() {
      return controller.topRow;
    },
    get storedRows() {
      return controller.source.extent.rows;
    },
    get draftPosition() {
      return controller.draftPosition;
    },
    get cursor() {
      const { row, displayIndex } = cursorOf(controller.selection);
      return { row, column: controller.layout.columns[displayIndex] ?? 0 };
    },
    get columns() {
      return controller.layout.columns;
    },
    cell: (row, column) => controller.cell(row, column),
    seenIn: (intervals) => controller.seenIn(intervals),
    selectedKeys: () => controller.selectedKeys,
    hitAt: (clientX, clientY) => controller.hitAt(clientX, clientY),
    hitBoxAt: (clientX, clientY) => controller.hitBoxAt(clientX, clientY),
    boxOf: (row, column) => controller.windowBoxOf(row, column),
    goTo: (row, column) => controller.goTo({ row, displayIndex: shownColumn(controller, column) }),
    revealColumn(column) {
      const displayIndex = controller.layout.columns.indexOf(column);
      const { rows } = controller.visible;
      if (displayIndex >= 0) controller.reveal({ row: Math.min(rows.first + 1, rows.last), displayIndex });
    },
    scrollToTopRow: (row) => controller.scrollToTopRow(row),
    during: (work) => ahead.during(work),
    inTurn: (step) => ahead.inTurn(step),
    get lastInputMs() {
      return ahead.lastInputMs;
    },
    changeColumn: (change) => controller.changeColumn(change),
    editCell: (typed) => editing.current.begin(cursorOf(controller.selection), typed ?? null),
    copy: (withHeaders, asShown = false) => copySelected(controller, withHeaders, asShown),
  };
}

function copySelected(controller: GridController, withHeaders: boolean, asShown: boolean): Promise<CopyOutcome> {
  const { source, selection, bounds, layout } = controller;
  const filled = {
    rows: bounds.rows - (controller.decorations.draft ? 1 : 0),
    displayColumns: bounds.displayColumns,
  };
  const seen = controller.seenIn(selectedRows(selection, filled));
  const shown = asShown ? { shownAs: controller.shownColumns } : {};
  return copyCells({ source, selection, bounds: filled, columns: layout.columns, seen, withHeaders, ...shown });
}
