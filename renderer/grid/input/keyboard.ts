// The action of each key in the grid: pure functions, with the keys of a spreadsheet.
import { clampPosition, cursorOf, extendTo, headOf, selectAll, selectCell, widened } from './selection.ts';
import type { Bounds, CellPosition, Selection } from './selection.ts';

export interface KeyPress {
  readonly key: string;
  /** Ctrl, or Command on macOS. */
  readonly command: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

type Direction = 'up' | 'down' | 'left' | 'right';

export type GridAction =
  | { readonly kind: 'step' | 'edge'; readonly direction: Direction; readonly extend: boolean }
  | { readonly kind: 'page'; readonly direction: 'up' | 'down'; readonly extend: boolean }
  | { readonly kind: 'row-start' | 'row-end' | 'first-cell' | 'last-cell'; readonly extend: boolean }
  | { readonly kind: 'next' | 'previous' }
  | { readonly kind: 'select-all' | 'select-rows' | 'select-columns' | 'collapse' }
  /** `text` null keeps the current value; otherwise typing replaces it. */
  | { readonly kind: 'edit'; readonly text: string | null }
  | { readonly kind: 'menu' };

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

/** Returns the action of a key, or null if the grid does not handle it. */
export function actionFor(press: KeyPress): GridAction | null {
  const { key, command, shift, alt } = press;
  if (key === 'ContextMenu' || (key === 'F10' && shift)) return { kind: 'menu' };
  if (alt) return null;
  const direction = ARROWS[key];
  if (direction) return { kind: command ? 'edge' : 'step', direction, extend: shift };
  switch (key) {
    case 'PageUp':
      return { kind: 'page', direction: 'up', extend: shift };
    case 'PageDown':
      return { kind: 'page', direction: 'down', extend: shift };
    case 'Home':
      return { kind: command ? 'first-cell' : 'row-start', extend: shift };
    case 'End':
      return { kind: command ? 'last-cell' : 'row-end', extend: shift };
    case 'Tab':
      return command ? null : { kind: shift ? 'previous' : 'next' };
    case 'Escape':
      return { kind: 'collapse' };
    case 'Enter':
      return command ? null : shift ? { kind: 'step', direction: 'up', extend: false } : { kind: 'edit', text: null };
    case 'F2':
      return { kind: 'edit', text: null };
    case ' ':
      if (command) return { kind: 'select-columns' };
      return shift ? { kind: 'select-rows' } : { kind: 'edit', text: ' ' };
  }
  if (command) return key.toLowerCase() === 'a' && !shift ? { kind: 'select-all' } : null;
  // Named keys (“F5”, “Insert”, “Process”) are longer than one character; emoji are one code point.
  return [...key].length === 1 ? { kind: 'edit', text: key } : null;
}

interface MoveBounds extends Bounds {
  /** Number of rows that a page key moves. */
  readonly pageRows: number;
}

/** The selection after the action, or null for actions that do not move it. */
export function moved(selection: Selection, action: GridAction, bounds: MoveBounds): Selection | null {
  switch (action.kind) {
    case 'select-all':
      return selectAll(selection);
    case 'select-rows':
      return widened(selection, 'rows');
    case 'select-columns':
      return widened(selection, 'columns');
    case 'collapse':
      return selectCell(cursorOf(selection));
    case 'next':
    case 'previous':
      return selectCell(nextCell(cursorOf(selection), action.kind === 'next' ? 1 : -1, bounds));
    case 'edit':
    case 'menu':
      return null;
    default: {
      const start = action.extend ? headOf(selection) : cursorOf(selection);
      const target = clampPosition(targetOf(start, action, bounds), bounds);
      return action.extend ? extendTo(selection, target) : selectCell(target);
    }
  }
}

type Move = Extract<GridAction, { readonly extend: boolean }>;

function targetOf(start: CellPosition, action: Move, bounds: MoveBounds): CellPosition {
  const lastRow = bounds.rows - 1;
  const lastDisplayIndex = bounds.displayColumns - 1;
  switch (action.kind) {
    case 'first-cell':
      return { row: 0, displayIndex: 0 };
    case 'last-cell':
      return { row: lastRow, displayIndex: lastDisplayIndex };
    case 'row-start':
      return { row: start.row, displayIndex: 0 };
    case 'row-end':
      return { row: start.row, displayIndex: lastDisplayIndex };
    case 'page':
      return {
        row: start.row + (action.direction === 'up' ? -bounds.pageRows : bounds.pageRows),
        displayIndex: start.displayIndex,
      };
    default: {
      const far = action.kind === 'edge';
      if (action.direction === 'up') return { row: far ? 0 : start.row - 1, displayIndex: start.displayIndex };
      if (action.direction === 'down') return { row: far ? lastRow : start.row + 1, displayIndex: start.displayIndex };
      if (action.direction === 'left') return { row: start.row, displayIndex: far ? 0 : start.displayIndex - 1 };
      return { row: start.row, displayIndex: far ? lastDisplayIndex : start.displayIndex + 1 };
    }
  }
}

/** Tab order: along the row, then to the next one. */
export function nextCell(from: CellPosition, step: 1 | -1, bounds: Bounds): CellPosition {
  const displayIndex = from.displayIndex + step;
  if (displayIndex >= 0 && displayIndex < bounds.displayColumns) return { row: from.row, displayIndex };
  const row = from.row + step;
  if (row < 0 || row >= bounds.rows) return from;
  return { row, displayIndex: step === 1 ? 0 : bounds.displayColumns - 1 };
}
