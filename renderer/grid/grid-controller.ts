// One grid on screen: the code that moves, changes, and paints the grid, with one paint per animation frame, without React.
import { toAppError } from '#shared/protocol/errors.ts';
import { moved } from './input/keyboard.ts';
import type { ColumnModel } from './layout/column-model.ts';
import { NO_POSITIONS, columnPositions, samePositions } from './layout/column-positions.ts';
import { ROW_HEIGHT } from './layout/geometry.ts';
import type { GridView } from './layout/geometry.ts';
import { GridCursor } from './input/grid-cursor.ts';
import type { GridEvents } from './grid-events.ts';
import type { PairedGrid } from './companion.ts';
import { GridDecorations } from './grid-decorations.ts';
import type { DecorationChange } from './grid-decorations.ts';
import { COMES_BACK, GridState } from './grid-state.ts';
import type { GridSurface } from './grid-surface.ts';
import { changedColumns } from './input/column-change.ts';
import type { ChangedColumn, ColumnChange } from './input/column-change.ts';
import { GridPointer, type PointerHost } from './input/grid-pointer.ts';
import { dropIndexAt, hitTest, type HitSpace } from './layout/hit-test.ts';
import { cellFormat } from './paint/cell-format.ts';
import type { Fitters } from './paint/frame.ts';
import { GridRows } from './rows/grid-rows.ts';
import type { ColumnFormats, GridSource } from './grid-source.ts';
import type { GridAction } from './input/keyboard.ts';
import { PaintLoop } from './paint/paint-loop.ts';
import type { CachedRow } from './rows/row-cache.ts';
import type { ComingAndGoing } from './rows/row-motion.ts';
import type { FollowedRow } from './rows/row-follower.ts';
import type { RangeChange } from './rows/row-patch.ts';
import { scrollAlong } from './layout/scroll-anchor.ts';
import type { GridStart } from './grid-start.ts';
import { cursorOf, headOf, selectCell, clicked, extendTo, isSelected, selectAll } from './input/selection.ts';
import type { CellPosition, Selection } from './input/selection.ts';
import { readTheme, onThemeChange } from './paint/theme.ts';
import type { GridElements, Viewport } from './layout/viewport.ts';

export class GridController extends GridState implements GridSurface, PairedGrid {
  /** Everything that the grid shows besides its rows. */
  readonly decorations = new GridDecorations((kind) => this.#redecorated(kind));
  readonly #events: GridEvents;
  readonly #pointer: GridPointer;
  readonly #settle = new SettleTimer(() => this.#settled());
  readonly #stopListening: readonly (() => void)[];
  readonly cursor: GridCursor;
  readonly #painting: PaintLoop;
  readonly #report: PaintReport;
  protected rows: GridRows;

  constructor(elements: GridElements, source: GridSource, view: GridView, formats: ColumnFormats, events: GridEvents) {
    super(elements, source, view, formats, { moved: () => this.#moved(), paint: () => this.#painting.paint() });
    this.#events = events;
    this.rows = this.#createRows(source);
    this.cursor = new GridCursor(this, source, {
      onMoved: () => {
        events.onRowsMoved();
        this.requestPaint();
        this.#settle.soon(false);
      },
      onSearch: (search) => events.onSearch(search),
    });
    this.#report = new PaintReport(this, events);
    this.#painting = new PaintLoop({
      grid: this,
      state: this.decorations.state,
      painter: this.painter,
      viewport: this.viewport,
      motion: this.motion,
      rows: () => this.rows,
      onPainted: ({ firstRow }) => this.#report.painted(firstRow, this.isEmpty),
      onFailed: (error) => events.onFailed(error),
    });
    this.#pointer = new GridPointer(
      elements.scroller,
      createPointerHost({
        grid: this,
        elements,
        events,
        columns: this.columns,
        viewport: this.viewport,
        hitSpace: () => this.space.hits,
        fitters: () => this.painter.fitters,
        loadedRows: () => this.loadedRows(),
        showDrop: (before) => this.decorations.setDrop(before),
      }),
    );
    const onVisibility = (): void => (document.hidden ? this.rows.rest(0, -1) : this.#settle.soon(false));
    document.addEventListener('visibilitychange', onVisibility);
    this.#stopListening = [
      followFormat({
        onTheme: () => this.#themeChanged(),
        onFormat: (rowHeight) => this.#formatChanged(rowHeight),
      }),
      () => document.removeEventListener('visibilitychange', onVisibility),
    ];
    this.layOut();
  }

  dispose(): void {
    this.rows.dispose();
    this.cursor.dispose();
    this.#pointer.dispose();
    this.viewport.dispose();
    for (const stop of this.#stopListening) stop();
    this.#painting.dispose();
    this.#settle.dispose();
  }

  /** Reports no move, because no user has moved there. */
  begin({ topRow, cell }: GridStart): void {
    const displayIndex = cell?.column === undefined ? 0 : Math.max(0, this.layout.columns.indexOf(cell.column));
    this.cursor.put(selectCell({ row: cell?.row ?? topRow, displayIndex }), true);
    this.scrollToTopRow(topRow);
  }

  // ── what it shows ────────────────────────────────────────────────────────────────────────────

  /** Sets another source: keeps the scroll position, and the widths if it has the same columns, but no rows. */
  setSource(source: GridSource): void {
    if (source === this.source) return;
    const known = this.source.extent.exact ? this.rows.count : 0;
    const ordered = source.hasRowsOf?.(this.source) === true ? known : null;
    this.rows.dispose();
    this.#report.sourceChanged();
    this.motion.stop();
    this.isUnreadable = false;
    this.rows = this.#createRows(source);
    this.columns.setHeaders(source, this.rowCount, this.painter.fitters, ordered);
    this.cursor.setSource(source);
    this.#relayout();
    this.#extentChanged();
  }

  setView(view: GridView): void {
    if (view === this.columns.view) return;
    const before = this.layout.columns;
    this.columns.view = view;
    this.#relayout();
    this.cursor.columnsMoved(before, this.layout.columns);
  }

  /** Nothing moves: widths stay until a column is fitted. */
  setFormats(formats: ColumnFormats): void {
    if (formats === this.columns.formats) return;
    this.columns.formats = formats;
    this.#redecorated('texts');
  }

  differencesChanged(): void {
    this.#redecorated('texts');
  }

  /** Width of columns that the user has not resized. */
  setNaturalWidths(widths: readonly number[]): void {
    this.columns.natural = widths;
    this.#relayout();
  }

  // ── what can be done ─────────────────────────────────────────────────────────────────────────

  /** Returns true if the grid handled the action. */
  perform(action: GridAction): boolean {
    return performAction(action, {
      grid: this,
      pageRows: Math.max(1, Math.floor(this.viewport.space.viewportHeight / ROW_HEIGHT) - 1),
      edit: (position, text) => this.#events.onEdit(position, text),
      askForMenu: () => askForMenu(this, this.elements),
    });
  }

  select(selection: Selection): void {
    this.cursor.put(selection, false);
    this.#selected(true);
  }

  point(selection: Selection, reveal = true): void {
    this.cursor.put(selection, true);
    this.#selected(reveal);
  }

  /** Selects the cell of a followed row in the current column. */
  selectRow(row: FollowedRow): void {
    this.cursor.putOn(row);
    this.#selected(true);
  }

  /** Moves or resizes the column of the current cell, and returns its new position. Null if there is no column. */
  changeColumn(change: ColumnChange): ChangedColumn | null {
    const { displayIndex } = cursorOf(this.selection);
    if (displayIndex >= this.layout.columns.length) return null;
    const view = changedColumns(this.columns, displayIndex, change, this.loadedRows(), this.painter.fitters);
    this.setView(view);
    this.#events.onViewChange(view);
    const now = cursorOf(this.selection);
    this.reveal(now);
    return this.columnAt(now.displayIndex);
  }

  reveal(position: CellPosition): void {
    this.viewport.reveal(position.row, position.displayIndex, this.layout);
  }

  /** Selects a cell, and shows it with rows around it. */
  goTo(position: CellPosition): void {
    this.viewport.revealAround(position.row, position.displayIndex, this.layout);
    this.select(selectCell(position));
  }

  scrollToTopRow(row: number): void {
    this.viewport.scrollToTop(row * ROW_HEIGHT);
  }

  scrollTo(offset: { readonly top: number; readonly left: number }): void {
    this.viewport.scrollTo(offset);
  }

  requestPaint(): void {
    this.#painting.request();
  }

  // ── inside ───────────────────────────────────────────────────────────────────────────────────

  #selected(reveal: boolean): void {
    if (reveal) this.reveal(headOf(this.selection));
    this.#events.onSelectionChange();
    this.requestPaint();
    this.#settle.soon(false);
  }

  #createRows(source: GridSource): GridRows {
    return new GridRows(source, {
      onPage: () => {
        this.#extentChanged();
        this.#events.onRowsChanged();
      },
      onChange: ({ kind }) => {
        if (kind === 'changed') this.cursor.changed(this.rows.watched);
        this.#extentChanged();
        if (kind === 'unsaved') this.#events.onRowsChanged();
      },
      onPatch: (change, moves) => this.#patched(change, moves),
      onError: (error) => {
        this.isUnreadable = !COMES_BACK.includes(toAppError(error).code);
        this.#relayout();
        this.#events.onError(error);
      },
    });
  }

  /** The watched rows changed: the visible rows keep their place, and are painted at once. */
  #patched(change: RangeChange, moves: ComingAndGoing): void {
    const before = { top: this.viewport.top, ...this.visible.rows };
    this.cursor.patched(change);
    this.#extentChanged();
    scrollAlong(change, before, this.viewport, this.source, () => this.#relayout());
    const { first, last } = this.visible.rows;
    if (this.viewport.direction === 0) this.motion.start(moves, first, last, performance.now());
    this.#events.onRowsChanged();
    this.#painting.paint();
  }

  #redecorated(kind: DecorationChange): void {
    if (kind === 'extent') return this.#extentChanged();
    this.requestPaint();
    if (kind === 'texts') this.#settle.soon(false);
  }

  #extentChanged(): void {
    this.cursor.extentChanged();
    this.#relayout();
  }

  #moved(): void {
    this.requestPaint();
    this.#settle.soon(true);
    this.#events.onScrolled();
  }

  #relayout(): void {
    this.layOut();
    this.requestPaint();
    this.#settle.soon(false);
  }

  #themeChanged(): void {
    this.painter.theme = readTheme(this.elements.scroller);
    this.requestPaint();
  }

  /** Other texts, or rows of another height: the row at the top stays there. */
  #formatChanged(rowHeight: number): void {
    const row = this.viewport.top / rowHeight;
    this.columns.measureAgain(this.sample(), this.painter.fitters);
    this.#relayout();
    this.viewport.holdAt(row * ROW_HEIGHT);
  }

  #settled(): void {
    // The mirror has cells at their final places, so it waits for moving rows.
    if (this.motion.isMoving(performance.now())) return this.#settle.soon(true);
    this.viewport.settle();
    this.cursor.follow();
    const { first, last } = this.visible.rows;
    const isSeen = !document.hidden && this.viewport.height > 0;
    if (isSeen) this.rows.rest(first, Math.max(first, last));
    else this.rows.rest(0, -1);
    this.#events.onSettled();
  }
}

/** This long after the last movement, the ARIA mirror and the scroll bar are updated, and the rows are watched. */
const SETTLE_MS = 80;

class SettleTimer {
  readonly #onSettled: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onSettled: () => void) {
    this.#onSettled = onSettled;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  /** Fires once the grid has been quiet if it is moving. Otherwise fires after this time at the latest, however often it is called. */
  soon(isMoving: boolean): void {
    if (isMoving) clearTimeout(this.#timer);
    else if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#onSettled();
    }, SETTLE_MS);
  }
}

// The theme, the fonts, and the format of cells that a grid was last laid out for. Calls back when the page has changed them.
interface Listener {
  /** Colors or fonts may have changed. */
  onTheme(): void;
  /** Cells have other texts, or rows another height than `rowHeight`. Called before {@link onTheme}'s paint. */
  onFormat(rowHeight: number): void;
}

/** Returns a function that ends this. */
function followFormat({ onTheme, onFormat }: Listener): () => void {
  let format = cellFormat;
  let rowHeight = ROW_HEIGHT;
  const changed = (): void => {
    const before = rowHeight;
    const isOther = format !== cellFormat || before !== ROW_HEIGHT;
    format = cellFormat;
    rowHeight = ROW_HEIGHT;
    onTheme();
    if (isOther) onFormat(before);
  };
  const stop = onThemeChange(changed);
  let isOver = false;
  void document.fonts.ready.then(() => !isOver && changed());
  return () => {
    isOver = true;
    stop();
  };
}

// Performs a key's action: moves the cursor of a grid, or asks its owner for an editor or a menu.
interface ActionHost {
  readonly grid: GridSurface;
  readonly pageRows: number;
  edit(position: CellPosition, text: string | null): void;
  askForMenu(): void;
}

/** Returns true if the grid handled the action. */
function performAction(action: GridAction, { grid, pageRows, edit, askForMenu }: ActionHost): boolean {
  const before = grid.selection;
  if (action.kind === 'edit') {
    edit(cursorOf(before), action.text);
    return true;
  }
  if (action.kind === 'menu') {
    askForMenu();
    return true;
  }
  const after = moved(before, action, { ...grid.bounds, pageRows });
  if (!after) return false;
  grid.select(after);
  // Tab at the last cell and Escape with nothing to cancel belong to the element that contains the grid.
  const stays =
    cursorOf(after).row === cursorOf(before).row && cursorOf(after).displayIndex === cursorOf(before).displayIndex;
  const isNothing =
    action.kind === 'next' || action.kind === 'previous' || (action.kind === 'collapse' && before.ranges.length === 1);
  return !(stays && isNothing);
}

// Tells the owner of a grid after a paint that the first rows are there, and where the columns are now.
type Events = Pick<GridEvents, 'onFrame' | 'onFirstRows' | 'onColumnsPlaced'>;

type PaintedGrid = Pick<GridSurface, 'isLaidOut'> &
  Parameters<typeof columnPositions>[0] & {
    /** The row; null while it is not loaded. */
    row(position: number): unknown;
  };

class PaintReport {
  readonly #grid: PaintedGrid;
  readonly #events: Events;
  #firstRowsSeen = false;
  #positions = NO_POSITIONS;

  constructor(grid: PaintedGrid, events: Events) {
    this.#grid = grid;
    this.#events = events;
  }

  /** The next rows are the first of another source. */
  sourceChanged(): void {
    this.#firstRowsSeen = false;
  }

  /** @param isEmpty there are no rows, and no row will arrive */
  painted(firstRow: number, isEmpty: boolean): void {
    this.#events.onFrame();
    if (!this.#grid.isLaidOut) return;
    this.#tellPositions();
    if (this.#firstRowsSeen || !(isEmpty || this.#grid.row(firstRow) !== null)) return;
    this.#firstRowsSeen = true;
    this.#events.onFirstRows();
  }

  #tellPositions(): void {
    const positions = columnPositions(this.#grid);
    if (samePositions(positions, this.#positions)) return;
    this.#positions = positions;
    this.#events.onColumnsPlaced(positions);
  }
}

// Pointer actions on the grid, implemented with its controller.
interface PointerParts {
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

function createPointerHost(parts: PointerParts): PointerHost {
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
function askForMenu(grid: GridSurface, { scroller, layer }: GridElements): void {
  const box = grid.boxOf(cursorOf(grid.selection));
  const origin = scroller.getBoundingClientRect();
  const point = { clientX: origin.left + box.x + 12, clientY: origin.top + box.y + box.height - 2 };
  layer.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, button: 2, ...point }));
}
