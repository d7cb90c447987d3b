// The contents of the ARIA mirror while the grid rests: plain data, made from the controller.
import { displayCell, headerText, unsetDisplay } from '../paint/cell-display.ts';
import type { CellDisplay } from '../paint/cell-display.ts';
import { HEADER_HEIGHT, ROW_HEIGHT } from '../layout/geometry.ts';
import type { GridController } from '../grid-controller.ts';
import type { TintColor } from '../cell-tints.ts';
import type { CellDifference } from '../companion.ts';
import type { UnsavedMark } from '../unsaved-rows.ts';
import { cursorOf, isSelected } from '../input/selection.ts';
import type { StorageClass } from '#shared/protocol/values.ts';

export interface MirrorCell {
  readonly displayIndex: number;
  readonly name: string;
  readonly text: string;
  /** Null while the row is not loaded, and in a draft row. */
  readonly storageClass: StorageClass | null;
  readonly selected: boolean;
  readonly difference: CellDifference | null;
  readonly unsaved: UnsavedMark | null;
  readonly tint: TintColor | null;
  readonly x: number;
  readonly width: number;
}

export interface MirrorRow {
  readonly position: number;
  readonly y: number;
  readonly height: number;
  readonly isDraft: boolean;
  readonly isLoading: boolean;
  readonly cells: readonly MirrorCell[];
}

interface MirrorHeader {
  readonly displayIndex: number;
  readonly name: string;
  /** Name and type, as shown in a header. */
  readonly label: string;
  readonly sort: 'ascending' | 'descending' | 'none';
  readonly x: number;
  readonly width: number;
}

export interface MirrorSnapshot {
  readonly rowCount: number;
  readonly columnCount: number;
  readonly gutter: number;
  readonly cursor: { readonly row: number; readonly displayIndex: number };
  readonly headers: readonly MirrorHeader[];
  readonly rows: readonly MirrorRow[];
}

export function mirrorOf(grid: GridController): MirrorSnapshot {
  const { rows, displayColumns } = grid.visible;
  const shared = {
    rowCount: grid.bounds.rows,
    columnCount: grid.bounds.displayColumns,
    gutter: grid.gutter,
    cursor: cursorOf(grid.selection),
  };
  if (!grid.isLaidOut) return { ...shared, headers: [], rows: [] };
  const headers: MirrorHeader[] = [];
  for (let displayIndex = 0; displayIndex < grid.frozen; displayIndex++) headers.push(headerOf(grid, displayIndex));
  for (let displayIndex = displayColumns.first; displayIndex <= displayColumns.last; displayIndex++)
    headers.push(headerOf(grid, displayIndex));
  const mirrored: MirrorRow[] = [];
  for (let row = rows.first; row <= rows.last; row++) mirrored.push(rowOf(grid, row, headers));
  return { ...shared, headers, rows: mirrored };
}

function headerOf(grid: GridController, displayIndex: number): MirrorHeader {
  const column = grid.layout.columns[displayIndex]!;
  const { name, typeLabel, format } = grid.shownColumns[column]!;
  const mark = grid.decorations.sort.find((candidate) => candidate.column === column);
  const covered = displayIndex < grid.frozen ? 0 : grid.frozenWidth;
  const box = visiblePart(grid, grid.boxOf({ row: 0, displayIndex }), covered);
  return {
    displayIndex,
    name,
    label: headerText([name, typeLabel, format ? `shown as ${format.label}` : ''].filter(Boolean).join(', ')),
    sort: mark && !mark.isPending ? (mark.descending ? 'descending' : 'ascending') : 'none',
    x: box.x,
    width: box.width,
  };
}

function rowOf(grid: GridController, position: number, headers: readonly MirrorHeader[]): MirrorRow {
  const isDraft = position === grid.draftPosition;
  const cached = grid.row(position);
  const cells = headers.map(({ displayIndex, name, x, width }): MirrorCell => {
    const column = grid.layout.columns[displayIndex]!;
    const packed = column + grid.source.hiddenColumns;
    const display: CellDisplay | undefined = isDraft
      ? grid.decorations.draft?.cells.get(column)
      : cached
        ? grid.source.unsaved?.isUnset(cached, column)
          ? unsetDisplay(grid.source.columns[column]!)
          : displayCell(cached.rows, cached.index, packed, grid.shownColumns[column])
        : undefined;
    const text = display
      ? display.text + (display.cut ? '…' : '')
      : isDraft
        ? unsetDisplay(grid.source.columns[column]!).text
        : '';
    const selected = isSelected(grid.selection, position, displayIndex, grid.bounds);
    return {
      displayIndex,
      name,
      text,
      storageClass: cached?.rows.storageClass(cached.index, packed) ?? null,
      selected,
      difference: cached ? grid.decorations.differenceAt(position, column) : null,
      unsaved: (cached && grid.source.unsaved?.markOf(cached, column)) ?? null,
      tint: (cached && grid.decorations.tintOf(cached, column)?.color) ?? null,
      x,
      width,
    };
  });
  const { y } = grid.boxOf({ row: position, displayIndex: 0 });
  const top = Math.max(y, HEADER_HEIGHT);
  return {
    position,
    y: top,
    height: Math.min(y + ROW_HEIGHT, grid.viewportSize.height) - top,
    isDraft,
    isLoading: !isDraft && !cached,
    cells,
  };
}

/**
 * A mirrored cell is placed where it is visible and clickable, so that no scrolling is needed to reach it.
 *
 * @param covered how far frozen columns reach over it
 */
function visiblePart(
  grid: GridController,
  box: { readonly x: number; readonly width: number },
  covered: number,
): { x: number; width: number } {
  const x = Math.max(box.x, grid.gutter + covered);
  return { x, width: Math.max(1, Math.min(box.x + box.width, grid.viewportSize.width) - x) };
}
