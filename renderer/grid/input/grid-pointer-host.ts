// Pointer actions on the grid, implemented with its controller.
import type { ColumnModel } from '../layout/column-model.ts';
import type { Fitters } from '../paint/frame.ts';
import type { GridView } from '../layout/geometry.ts';
import type { GridSurface } from '../grid-surface.ts';
import type { GridEvents } from '../grid-events.ts';
import type { PointerHost } from './grid-pointer.ts';
import { dropIndexAt, hitTest } from '../layout/hit-test.ts';
import type { HitSpace } from '../layout/hit-test.ts';
import type { CachedRow } from '../rows/row-cache.ts';
import { clicked, cursorOf, extendTo, isSelected, selectAll, selectCell } from './selection.ts';
import type { GridElements, Viewport } from '../layout/viewport.ts';

export interface PointerParts {
  readonly grid: GridSurface;
  readonly elements: GridElements;
  readonly events: GridEvents;
  readonly columns: ColumnModel;
  readonly viewport: Viewport;
  readonly hitSpace: () => HitSpace;
  readonly fitters: () => Fitters;
  readonly loadedRows: () => readonly CachedRow[];
  readonly showDrop: (before: number | null) => void;
}

export function createPointerHost(parts: PointerParts): PointerHost {
  const { grid, elements, events, columns, viewport, hitSpace, fitters, loadedRows } = parts;
  /** `done` false: the user is still dragging. */
  const rearrange = (view: GridView, done = true): void => {
    grid.setView(view);
    if (done) events.onViewChange(view);
  };
  const focus = (): void => elements.layer.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
  /** Keys that were pressed before may have opened an editor by then: it loses the focus, and so stores its text. */
  const inOrder = (step: () => void): void =>
    events.afterKeys(() => {
      focus();
      step();
    });
  return {
    targetAt: (x, y) => hitTest(hitSpace(), x, y),
    titleOf(displayIndex) {
      const format = grid.shownColumns[grid.layout.columns[displayIndex] ?? -1]?.format;
      return format ? `Shown as ${format.label}` : '';
    },
    focus,
    select: (position, span, modifiers) =>
      inOrder(() => grid.point(clicked(grid.selection, position, span, modifiers), span === 'cells')),
    isSelected: (position) => isSelected(grid.selection, position.row, position.displayIndex, grid.bounds),
    selectAll: () => inOrder(() => grid.point(selectAll(grid.selection), false)),
    extendTo: (position) => inOrder(() => grid.point(extendTo(grid.selection, position), false)),
    editAt: (position) =>
      inOrder(() => {
        grid.point(selectCell(position));
        events.onEdit(position, null);
      }),
    sortBy: (displayIndex, additive) => events.onSort(grid.layout.columns[displayIndex]!, additive),
    widthOf: (displayIndex) => grid.layout.edges[displayIndex + 1]! - grid.layout.edges[displayIndex]!,
    resize: (displayIndex, width, done) => rearrange(columns.resized(displayIndex, width), done),
    fitColumn: (displayIndex) => rearrange(columns.fitted(displayIndex, loadedRows(), fitters())),
    dropIndexAt: (x) => dropIndexAt(hitSpace(), x),
    showDrop: parts.showDrop,
    reorder: (from, before) => rearrange(columns.moved(from, before)),
    scrollBy: (x, y) => viewport.scrollBy(x, y),
  };
}

/** Opens the context menu as if the user had right-clicked the current cell. */
export function askForMenu(grid: GridSurface, { scroller, layer }: GridElements): void {
  const box = grid.boxOf(cursorOf(grid.selection));
  const origin = scroller.getBoundingClientRect();
  const point = { clientX: origin.left + box.x + 12, clientY: origin.top + box.y + box.height - 2 };
  layer.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, button: 2, ...point }));
}
