// State of a grid on screen, and queries about it: rows, columns, scroll position, and where a cell is.
import type { ErrorCode } from '#shared/protocol/errors.ts';
import type { RowSelection } from '#shared/protocol/index.ts';
import { ColumnModel } from './layout/column-model.ts';
import type { Sample } from './layout/column-widths.ts';
import { ROW_HEIGHT } from './layout/geometry.ts';
import type { ColumnLayout, GridView } from './layout/geometry.ts';
import type { GridDecorations } from './grid-decorations.ts';
import type { GridCursor } from './input/grid-cursor.ts';
import type { ChangedColumn } from './input/column-change.ts';
import type { GridRows } from './rows/grid-rows.ts';
import { GridSpace } from './layout/grid-space.ts';
import type { CellBox, GridHit } from './layout/grid-space.ts';
import type { CellReference, ColumnFormats, GridColumn, GridSource } from './grid-source.ts';
import type { GridCompanion } from './companion.ts';
import { Painter } from './paint/painter.ts';
import { seenIn, selectedKeysOf } from './rows/seen-rows.ts';
import type { SeenRows } from './rows/seen-rows.ts';
import type { CachedRow } from './rows/row-cache.ts';
import { RowMotion } from './rows/row-motion.ts';
import { cursorOf, selectedRows } from './input/selection.ts';
import type { Bounds, CellPosition, Interval, Selection } from './input/selection.ts';
import { readTheme } from './paint/theme.ts';
import { Viewport } from './layout/viewport.ts';
import type { GridElements } from './layout/viewport.ts';

/** Failures after which rows can still arrive. */
export const COMES_BACK: readonly ErrorCode[] = ['unavailable', 'locked', 'disconnected'];

export abstract class GridState {
  /** Everything that the grid shows besides its rows. */
  abstract readonly decorations: GridDecorations;
  abstract readonly cursor: GridCursor;
  /** The grid that shows the same rows from elsewhere. */
  companion: GridCompanion | null = null;
  protected abstract rows: GridRows;
  /** The first rows could not be read: the layout does not wait for them. */
  protected isUnreadable = false;
  protected readonly elements: GridElements;
  protected readonly painter: Painter;
  protected readonly columns: ColumnModel;
  protected readonly viewport: Viewport;
  protected readonly motion = new RowMotion();
  protected readonly space: GridSpace;

  constructor(
    elements: GridElements,
    source: GridSource,
    view: GridView,
    formats: ColumnFormats,
    on: { readonly moved: () => void; readonly paint: () => void },
  ) {
    this.elements = elements;
    this.painter = new Painter(elements.canvas, readTheme(elements.scroller));
    this.columns = new ColumnModel(source, view, this.painter.fitters, formats);
    this.viewport = new Viewport(elements, on.moved, on.paint);
    this.space = new GridSpace({
      viewport: this.viewport,
      motion: this.motion,
      layout: () => this.layout,
      gutter: () => this.columns.gutter,
      rowCount: () => this.rowCount,
      isLaidOut: () => this.isLaidOut,
    });
  }

  get source(): GridSource {
    return this.rows.source;
  }

  /** The columns of the source with their formats. */
  get shownColumns(): readonly GridColumn[] {
    return this.columns.shown;
  }

  get layout(): ColumnLayout {
    return this.columns.layout;
  }

  get gutter(): number {
    return this.space.gutter;
  }

  /** The places of columns and rows are decided, and stay. Until then the grid shows nothing, because its content would have to move. */
  get isLaidOut(): boolean {
    return this.columns.isMeasured && (this.companion?.sharesWidths?.() ?? true);
  }

  get bounds(): Bounds {
    return { rows: this.rowCount, displayColumns: this.layout.columns.length };
  }

  /** The draft row's position, or −1. */
  get draftPosition(): number {
    return this.decorations.draft ? this.rowCount - 1 : -1;
  }

  get topRow(): number {
    return Math.round(this.viewport.top / ROW_HEIGHT);
  }

  /** Pixels from the first cell. */
  get scrolledTo(): { readonly top: number; readonly left: number } {
    return { top: this.viewport.top, left: this.viewport.left };
  }

  /** Null until there are rows to measure. */
  get naturalWidths(): readonly number[] | null {
    return this.columns.natural;
  }

  get visible(): GridSpace['visible'] {
    return this.space.visible;
  }

  get frozen(): number {
    return this.space.columns.frozen;
  }

  get frozenWidth(): number {
    return this.space.columns.frozenWidth;
  }

  /** Size of the viewport, excluding scroll bars. */
  get viewportSize(): { width: number; height: number } {
    return { width: this.viewport.width, height: this.viewport.height };
  }

  row(position: number): CachedRow | null {
    return position === this.draftPosition ? null : this.rows.row(position);
  }

  /** A cell by row and source column, or null while its row is not loaded. */
  cell(position: number, column: number): CellReference | null {
    const row = this.row(position);
    return row && column < this.source.columns.length ? { position, column, rows: row.rows, index: row.index } : null;
  }

  get selection(): Selection {
    return this.cursor.selection;
  }

  /** False while the current cell is in a row that has moved to a page that is being read again, and still shows another row there. */
  isReady(position: number): boolean {
    return position !== cursorOf(this.selection).row || this.cursor.isLoaded || !this.rows.isOutdated(position);
  }

  seenIn(intervals: readonly Interval[]): SeenRows {
    return seenIn(this.rows.known, intervals, this.cursor.corners);
  }

  get selectedKeys(): Pick<RowSelection, 'corners' | 'seen'> {
    const { ranges } = this.selection;
    const isOneRange = ranges.length === 1 && (ranges[0].span === 'cells' || ranges[0].span === 'rows');
    return selectedKeysOf(this.rows.known, selectedRows(this.selection, this.bounds), this.cursor.corners, isOneRange);
  }

  /** Returns what is at a point of the window. */
  hitAt(clientX: number, clientY: number): GridHit {
    const origin = this.elements.scroller.getBoundingClientRect();
    return this.space.hitAt(clientX - origin.left, clientY - origin.top);
  }

  /** Returns the box of what is at a point of the window, as far as it is on screen; null outside of cells, headers, and row numbers. */
  hitBoxAt(clientX: number, clientY: number): DOMRect | null {
    const { left, top } = this.elements.scroller.getBoundingClientRect();
    const box = this.space.hitBoxAt(clientX - left, clientY - top);
    return box && new DOMRect(left + box.x, top + box.y, box.width, box.height);
  }

  /** Returns the box of a cell, by source column, in pixels of the window. */
  windowBoxOf(row: number, column: number): DOMRect {
    const origin = this.elements.scroller.getBoundingClientRect();
    const { x, y, width, height } = this.boxOf({ row, displayIndex: this.layout.columns.indexOf(column) });
    return new DOMRect(origin.x + x, origin.y + y, width, height);
  }

  /** Returns the position of a cell, in pixels of the grid's box. */
  boxOf(position: CellPosition): CellBox {
    return this.space.boxOf(position);
  }

  /** Result of a change of the column at this position. */
  protected columnAt(displayIndex: number): ChangedColumn {
    const { columns, edges } = this.layout;
    return {
      name: this.source.columns[columns[displayIndex]!]!.name,
      displayIndex,
      count: columns.length,
      widthPixels: edges[displayIndex + 1]! - edges[displayIndex]!,
    };
  }

  protected get rowCount(): number {
    return this.rows.count + (this.decorations.draft ? 1 : 0);
  }

  protected get isEmpty(): boolean {
    return this.source.extent.exact && this.rowCount === 0;
  }

  protected loadedRows(): CachedRow[] {
    const { first, last } = this.visible.rows;
    return this.rows.loaded(first, Math.max(last, first + 127));
  }

  /** Decides the layout as soon as there are rows to fit it to, or none will come. */
  protected layOut(): void {
    const fit = (): void => {
      // Until columns have widths there is nothing to scroll to at their right.
      const isPlaced = this.columns.isMeasured || this.viewport.left > 0;
      this.viewport.setContent(this.rowCount, isPlaced ? this.layout.width : 0, this.gutter);
    };
    fit(); // a scroll bar takes some of the room that the columns have
    if (this.columns.isMeasured) return;
    const sample = this.sample();
    const { rows, exact } = this.source.extent;
    if (sample.rows.length === 0 && !this.isUnreadable && !(exact && rows === 0)) return;
    this.columns.measure(sample, this.painter.fitters);
    this.companion?.rowsChanged();
    fit();
  }

  protected sample(): Sample {
    return { rows: this.loadedRows(), rowCount: this.rowCount, room: this.viewport.room };
  }
}
