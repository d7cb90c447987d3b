// The life of one grid on screen: scroll position, selection, cache and canvas, one paint per animation frame, no React.
import type { Frame, DraftRow, SortMark } from './frame.ts';
import { ColumnModel } from './column-model.ts';
import type { Sample } from './column-widths.ts';
import { HEADER_HEIGHT, ROW_HEIGHT, gutterWidth, visiblePlaces, visibleRows } from './geometry.ts';
import type { ColumnLayout, GridView } from './geometry.ts';
import { GridPointer } from './grid-pointer.ts';
import type { PointerHost } from './grid-pointer.ts';
import { GridRows } from './grid-rows.ts';
import type { CellReference, GridSource } from './grid-source.ts';
import { dropPlaceAt, hitTest } from './hit-test.ts';
import type { HitSpace, HitTarget } from './hit-test.ts';
import { moved } from './keyboard.ts';
import type { GridAction } from './keyboard.ts';
import { Painter } from './painter.ts';
import type { CachedRow } from './row-cache.ts';
import {
  FIRST_CELL,
  clampSelection,
  clicked,
  cursorOf,
  extendTo,
  headOf,
  isSelected,
  movePlaces,
  selectAll,
  selectCell,
} from './selection.ts';
import type { Bounds, CellPosition, Selection } from './selection.ts';
import { onThemeChange, readTheme } from './theme.ts';
import { Viewport } from './viewport.ts';
import type { GridElements } from './viewport.ts';

/** Scrolling has settled: the ARIA mirror and the scroll bar are brought up to date. */
const SETTLE_MS = 80;

/** What lies at a point of the grid. `row` and `column` are the nearest when the point is outside of all. */
export interface GridHit {
  readonly zone: HitTarget['zone'];
  readonly row: number;
  readonly column: number;
}

/** What the grid tells its owner. */
export interface GridEvents {
  onSelectionChange(): void;
  /** Painted rows, selection or columns are at rest: mirror them. */
  onSettled(): void;
  /** After each paint: the cell editor follows its cell. */
  onFrame(): void;
  onEdit(position: CellPosition, text: string | null): void;
  onFirstRows(): void;
  onError(error: unknown): void;
  onSort(column: number, additive: boolean): void;
  onViewChange(view: GridView): void;
}

export class GridController {
  readonly #elements: GridElements;
  readonly #events: GridEvents;
  readonly #painter: Painter;
  readonly #columns: ColumnModel;
  readonly #viewport: Viewport;
  readonly #pointer: GridPointer;
  readonly #stopTheme: () => void;
  #rows: GridRows;
  #sort: readonly SortMark[] = [];
  #draft: DraftRow | null = null;
  #draftWasAt = -1;
  #selection: Selection = FIRST_CELL;
  #focused = false;
  #dropBefore: number | null = null;
  #frameRequest = 0;
  #settleTimer: ReturnType<typeof setTimeout> | undefined;
  #firstRowsSeen = false;

  constructor(elements: GridElements, source: GridSource, view: GridView, events: GridEvents) {
    this.#elements = elements;
    this.#events = events;
    this.#painter = new Painter(elements.canvas, readTheme(elements.scroller));
    this.#rows = this.#createRows(source);
    this.#columns = new ColumnModel(source, view, this.#painter.fitters);
    this.#viewport = new Viewport(
      elements,
      () => {
        this.requestPaint();
        this.#settleSoon(true);
      },
      () => this.#paint(),
    );
    this.#pointer = new GridPointer(elements.scroller, this.#createPointerHost());
    this.#stopTheme = onThemeChange(() => this.#themeChanged());
    void document.fonts.ready.then(() => this.#themeChanged());
    this.#fitContent();
  }

  dispose(): void {
    this.#rows.dispose();
    this.#pointer.dispose();
    this.#viewport.dispose();
    this.#stopTheme();
    cancelAnimationFrame(this.#frameRequest);
    clearTimeout(this.#settleTimer);
  }

  // ── what it shows ────────────────────────────────────────────────────────────────────────────

  /** Another source: same place on screen, same widths if it has the same columns, nothing kept of the rows. */
  setSource(source: GridSource): void {
    if (source === this.source) return;
    this.#rows.dispose();
    this.#columns.setHeaders(source, this.#painter.fitters);
    this.#firstRowsSeen = false;
    this.#rows = this.#createRows(source);
    this.#relayout();
    this.#extentChanged();
  }

  setView(view: GridView): void {
    if (view === this.#columns.view) return;
    const before = this.layout.columns;
    this.#columns.view = view;
    this.#relayout();
    const places = new Map(this.layout.columns.map((column, place) => [column, place]));
    this.#selection = movePlaces(this.#selection, (place) => places.get(before[place] ?? -1) ?? 0);
  }

  setSort(sort: readonly SortMark[]): void {
    this.#sort = sort;
    this.requestPaint();
  }

  setDraft(draft: DraftRow | null): void {
    const appeared = (draft === null) !== (this.#draft === null);
    this.#draft = draft;
    if (appeared) this.#extentChanged();
    else this.requestPaint();
    this.#settleSoon(false);
  }

  setFocused(focused: boolean): void {
    this.#focused = focused;
    this.requestPaint();
  }

  // ── what can be asked ────────────────────────────────────────────────────────────────────────

  get source(): GridSource {
    return this.#rows.source;
  }

  get selection(): Selection {
    return this.#selection;
  }

  get layout(): ColumnLayout {
    return this.#columns.layout;
  }

  get sort(): readonly SortMark[] {
    return this.#sort;
  }

  get draft(): DraftRow | null {
    return this.#draft;
  }

  get gutter(): number {
    return gutterWidth(this.#rowCount);
  }

  get bounds(): Bounds {
    return { rows: this.#rowCount, places: this.layout.columns.length };
  }

  /** The draft row's position, or −1. */
  get draftPosition(): number {
    return this.#draft ? this.#rowCount - 1 : -1;
  }

  get topRow(): number {
    return Math.round(this.#viewport.top / ROW_HEIGHT);
  }

  get visible(): { rows: { first: number; last: number }; places: { first: number; last: number } } {
    return {
      rows: visibleRows(this.#viewport.top, this.#viewport.space),
      places: visiblePlaces(this.layout, this.#viewport.left, this.#viewport.cellsWidth),
    };
  }

  /** Without scroll bars. */
  get viewportSize(): { width: number; height: number } {
    return { width: this.#viewport.width, height: this.#viewport.height };
  }

  row(position: number): CachedRow | null {
    return position === this.draftPosition ? null : this.#rows.row(position);
  }

  /** A cell by row and source column, or null while its row is not here. */
  cell(position: number, column: number): CellReference | null {
    const row = this.row(position);
    return row && column < this.source.columns.length ? { position, column, rows: row.rows, index: row.index } : null;
  }

  /** What lies at a point of the window. */
  hitAt(clientX: number, clientY: number): GridHit {
    const origin = this.#elements.scroller.getBoundingClientRect();
    const { zone, position } = hitTest(this.#hitSpace, clientX - origin.left, clientY - origin.top);
    return { zone, row: position.row, column: this.layout.columns[position.place] ?? 0 };
  }

  /** Where a cell is, in pixels of the grid's box. */
  boxOf(position: CellPosition): { x: number; y: number; width: number; height: number } {
    const { edges } = this.layout;
    return {
      x: this.gutter + (edges[position.place] ?? 0) - this.#viewport.left,
      y: HEADER_HEIGHT + position.row * ROW_HEIGHT - this.#viewport.top,
      width: (edges[position.place + 1] ?? 0) - (edges[position.place] ?? 0),
      height: ROW_HEIGHT,
    };
  }

  // ── what can be done ─────────────────────────────────────────────────────────────────────────

  /** Answers true when the key's action was the grid's. */
  perform(action: GridAction): boolean {
    if (action.kind === 'edit') {
      this.#events.onEdit(cursorOf(this.#selection), action.text);
      return true;
    }
    if (action.kind === 'menu') {
      this.#askForMenu();
      return true;
    }
    const pageRows = Math.max(1, Math.floor(this.#viewport.space.viewportHeight / ROW_HEIGHT) - 1);
    const before = this.#selection;
    const after = moved(before, action, { ...this.bounds, pageRows });
    if (!after) return false;
    this.select(after);
    // Tab at the last cell and Escape with nothing to give up belong to whoever is around the grid.
    const stays = cursorOf(after).row === cursorOf(before).row && cursorOf(after).place === cursorOf(before).place;
    return !(
      stays &&
      (action.kind === 'next' ||
        action.kind === 'previous' ||
        (action.kind === 'collapse' && before.ranges.length === 1))
    );
  }

  select(selection: Selection, reveal = true): void {
    this.#selection = clampSelection(selection, this.bounds);
    if (reveal) this.reveal(headOf(this.#selection));
    this.#events.onSelectionChange();
    this.requestPaint();
    this.#settleSoon(false);
  }

  reveal(position: CellPosition): void {
    this.#viewport.reveal(position.row, position.place, this.layout);
  }

  /** Puts `row` at the top of the grid. */
  scrollToTopRow(row: number): void {
    this.#viewport.scrollToTop(row * ROW_HEIGHT);
  }

  requestPaint(): void {
    if (this.#frameRequest === 0) this.#frameRequest = requestAnimationFrame(() => this.#paint());
  }

  // ── inside ───────────────────────────────────────────────────────────────────────────────────

  get #rowCount(): number {
    return this.source.extent.rows + (this.#draft ? 1 : 0);
  }

  #createRows(source: GridSource): GridRows {
    return new GridRows(source, {
      onPage: () => {
        this.#columns.measure(() => this.#sample(), this.#painter.fitters);
        this.#extentChanged();
      },
      onChange: () => this.#extentChanged(),
      onError: (error) => this.#events.onError(error),
    });
  }

  #extentChanged(): void {
    this.#fitContent();
    const cursor = cursorOf(this.#selection);
    // The draft row moves when rows come or go before it, and takes the cursor along.
    if (this.#draft && cursor.row === this.#draftWasAt)
      this.#selection = selectCell({ row: this.draftPosition, place: cursor.place });
    else this.#selection = clampSelection(this.#selection, this.bounds);
    this.#draftWasAt = this.draftPosition;
    this.requestPaint();
    this.#settleSoon(false);
  }

  #relayout(): void {
    this.#fitContent();
    this.requestPaint();
    this.#settleSoon(false);
  }

  #loadedRows(): CachedRow[] {
    const { first, last } = visibleRows(this.#viewport.top, this.#viewport.space);
    return this.#rows.loaded(first, Math.max(last, first + 127));
  }

  #sample(): Sample {
    return { rows: this.#loadedRows(), rowCount: this.#rowCount, room: this.#viewport.room };
  }

  #fitContent(): void {
    this.#viewport.setContent(this.#rowCount, this.layout.width, this.gutter);
  }

  #themeChanged(): void {
    this.#painter.theme = readTheme(this.#elements.scroller);
    this.requestPaint();
  }

  /** While it moves: once it has been quiet. Otherwise at the latest after the time, however often it is called. */
  #settleSoon(isMoving: boolean): void {
    if (isMoving) clearTimeout(this.#settleTimer);
    else if (this.#settleTimer !== undefined) return;
    this.#settleTimer = setTimeout(() => {
      this.#settleTimer = undefined;
      this.#viewport.settle();
      this.#events.onSettled();
    }, SETTLE_MS);
  }

  #paint(): void {
    cancelAnimationFrame(this.#frameRequest);
    this.#frameRequest = 0;
    if (this.#viewport.width === 0 || this.#viewport.height === 0) return;
    const frame = this.#frame();
    this.#rows.want(frame.firstRow, frame.lastRow, this.#viewport.direction);
    this.#painter.paint(frame, this.#viewport.pixelRatio);
    if (this.#rows.glow.isGlowing(frame.nowMs)) this.requestPaint();
    this.#events.onFrame();
    if (
      !this.#firstRowsSeen &&
      (this.#rows.row(frame.firstRow) || (this.source.extent.exact && this.#rowCount === 0))
    ) {
      this.#firstRowsSeen = true;
      this.#events.onFirstRows();
    }
  }

  #frame(): Frame {
    const { rows, places } = this.visible;
    return {
      width: this.#elements.canvas.clientWidth,
      height: this.#elements.canvas.clientHeight,
      top: this.#viewport.top,
      left: this.#viewport.left,
      gutter: this.gutter,
      columns: this.source.columns,
      hiddenColumns: this.source.hiddenColumns,
      layout: this.layout,
      firstRow: rows.first,
      lastRow: rows.last,
      firstPlace: places.first,
      lastPlace: places.last,
      bounds: this.bounds,
      selection: this.#selection,
      focused: this.#focused,
      sort: this.#sort,
      row: (position) => this.#rows.row(position),
      glow: this.#rows.glow,
      nowMs: performance.now(),
      draft: this.#draft,
      dropBefore: this.#dropBefore,
    };
  }

  /** As if the person had pressed the other mouse button on the current cell. */
  #askForMenu(): void {
    const box = this.boxOf(cursorOf(this.#selection));
    const origin = this.#elements.scroller.getBoundingClientRect();
    const point = { clientX: origin.left + box.x + 12, clientY: origin.top + box.y + box.height - 2 };
    this.#elements.layer.dispatchEvent(
      new MouseEvent('contextmenu', { bubbles: true, cancelable: true, button: 2, ...point }),
    );
  }

  get #hitSpace(): HitSpace {
    const { top, left, width, height } = this.#viewport;
    return { layout: this.layout, gutter: this.gutter, rows: this.#rowCount, top, left, width, height };
  }

  /** The person rearranged columns. `done` false: still dragging. */
  #rearrange(view: GridView, done = true): void {
    this.setView(view);
    if (done) this.#events.onViewChange(view);
  }

  #createPointerHost(): PointerHost {
    return {
      targetAt: (x, y) => hitTest(this.#hitSpace, x, y),
      focus: () => this.#elements.layer.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true }),
      select: (position, span, modifiers) =>
        this.select(clicked(this.#selection, position, span, modifiers), span === 'cells'),
      isSelected: (position) => isSelected(this.#selection, position.row, position.place, this.bounds),
      selectAll: () => this.select(selectAll(this.#selection), false),
      extendTo: (position) => this.select(extendTo(this.#selection, position), false),
      editAt: (position) => {
        this.select(selectCell(position));
        this.#events.onEdit(position, null);
      },
      sortBy: (place, additive) => this.#events.onSort(this.layout.columns[place]!, additive),
      widthOf: (place) => this.layout.edges[place + 1]! - this.layout.edges[place]!,
      resize: (place, width, done) => this.#rearrange(this.#columns.resized(place, width), done),
      fitColumn: (place) => this.#rearrange(this.#columns.fitted(place, this.#loadedRows(), this.#painter.fitters)),
      dropPlaceAt: (x) => dropPlaceAt(this.#hitSpace, x),
      showDrop: (before) => {
        this.#dropBefore = before;
        this.requestPaint();
      },
      reorder: (from, before) => this.#rearrange(this.#columns.moved(from, before)),
      scrollBy: (x, y) => this.#viewport.scrollBy(x, y),
    };
  }
}
