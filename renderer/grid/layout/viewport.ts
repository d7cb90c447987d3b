// The viewport: combines the native scroll bars, the pixel-exact position behind them and the size of the canvas.
import {
  HEADER_HEIGHT,
  contentHeight,
  mustResync,
  scrollHeight,
  scrollTo,
  scrollToAround,
  scrollToRow,
  scrolled,
} from './geometry.ts';
import { columnWindow, leftToShow } from './column-window.ts';
import type { ColumnLayout, ScrollSpace, ScrollState } from './geometry.ts';

/** Space right of the last column, so that its edge can be dragged. */
const RIGHT_SLACK = 48;

export interface GridElements {
  readonly canvas: HTMLCanvasElement;
  /** Has the native scroll bars. */
  readonly scroller: HTMLElement;
  /** Is as large as all cells together, up to what the browser can scroll. */
  readonly sizer: HTMLElement;
  /** Sticks to the visible part: contains the ARIA mirror and the cell editor. */
  readonly layer: HTMLElement;
}

export class Viewport {
  readonly #elements: GridElements;
  readonly #onMove: () => void;
  readonly #disposers: (() => void)[] = [];
  #scroll: ScrollState = { top: 0, scrollTop: 0 };
  #left = 0;
  #direction: -1 | 0 | 1 = 0;
  #rows = 0;
  #gutter = 0;
  #width = 0;
  #height = 0;
  #sizerSize = '';

  /** `onResize`: resizing has cleared the canvas, which must be painted before the browser shows it. */
  constructor(elements: GridElements, onMove: () => void, onResize: () => void) {
    this.#elements = elements;
    this.#onMove = onMove;
    const { scroller, canvas } = elements;
    const onScroll = (): void => this.#scrolled();
    scroller.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver((entries) => {
      this.#resized(entries[entries.length - 1]);
      onResize();
    });
    observer.observe(canvas, { box: 'device-pixel-content-box' });
    this.#disposers.push(
      () => scroller.removeEventListener('scroll', onScroll),
      () => observer.disconnect(),
    );
  }

  dispose(): void {
    for (const dispose of this.#disposers) dispose();
  }

  /** Pixels from the first row. */
  get top(): number {
    return this.#scroll.top;
  }

  get left(): number {
    return this.#left;
  }

  /** Direction of the last movement. */
  get direction(): -1 | 0 | 1 {
    return this.#direction;
  }

  /** Excludes scroll bars. */
  get width(): number {
    return this.#width;
  }

  get height(): number {
    return this.#height;
  }

  get cellsWidth(): number {
    return Math.max(0, this.#width - this.#gutter);
  }

  get space(): ScrollSpace {
    return { rows: this.#rows, viewportHeight: Math.max(0, this.#height - HEADER_HEIGHT) };
  }

  /** Differs from the canvas's own ratio: for a box of 522.5 px that would be slightly off, and the last row of pixels would stay black. */
  get pixelRatio(): number {
    return devicePixelRatio;
  }

  /** How wide all columns together may be without horizontal scrolling. */
  get room(): number {
    return Math.max(0, this.cellsWidth - RIGHT_SLACK);
  }

  setContent(rows: number, columnsWidth: number, gutter: number): void {
    this.#rows = rows;
    this.#gutter = gutter;
    const width = columnsWidth + gutter + RIGHT_SLACK;
    const height = scrollHeight(rows) + HEADER_HEIGHT;
    const size = `${width}×${height}`;
    if (size === this.#sizerSize) return;
    this.#sizerSize = size;
    this.#elements.sizer.style.width = `${width}px`;
    this.#elements.sizer.style.height = `${height}px`;
    this.#measure(); // a scroll bar may have appeared or disappeared
    this.#place(scrollTo(this.#scroll.top, this.space));
  }

  scrollToTop(top: number): void {
    this.#moveTo(scrollTo(top, this.space));
  }

  /** The rows under the viewport have moved: the same rows stay in view, and this does not count as scrolling by the user. */
  holdAt(top: number): void {
    if (top !== this.#scroll.top) this.#place(scrollTo(top, this.space));
  }

  /** Scrolls both axes, as far as there is content. */
  scrollTo({ top, left }: { readonly top: number; readonly left: number }): void {
    if (top !== this.#scroll.top) this.scrollToTop(top);
    this.#moveToLeft(left);
  }

  scrollBy(x: number, y: number): void {
    this.scrollToTop(this.#scroll.top + y);
    this.#moveToLeft(this.#left + x);
  }

  reveal(row: number, displayIndex: number, layout: ColumnLayout): void {
    const next = scrollToRow(this.#scroll, row, this.space);
    if (next !== this.#scroll) this.#moveTo(next);
    this.#revealColumn(displayIndex, layout);
  }

  /** Scrolls until the row is in view, with rows around it. */
  revealAround(row: number, displayIndex: number, layout: ColumnLayout): void {
    const next = scrollToAround(this.#scroll, row, this.space);
    if (next !== this.#scroll) this.#moveTo(next);
    this.#revealColumn(displayIndex, layout);
  }

  #revealColumn(displayIndex: number, layout: ColumnLayout): void {
    if (displayIndex >= layout.columns.length) return;
    const left = leftToShow(columnWindow(layout, this.#left, this.cellsWidth), displayIndex);
    this.#moveToLeft(left);
  }

  /** Painted at once, as for the other axis. Where the content ends before that, and while the grid is hidden, the browser reports the position. */
  #moveToLeft(left: number): void {
    if (left === this.#left) return;
    const { scroller } = this.#elements;
    scroller.scrollLeft = left;
    if (scroller.scrollLeft !== left) return;
    this.#left = left;
    this.#onMove();
  }

  /** Moves the scroll bar back to its proportional position, in a quiet moment. */
  settle(): void {
    this.#direction = 0;
    if (contentHeight(this.#rows) <= scrollHeight(this.#rows)) return;
    const exact = scrollTo(this.#scroll.top, this.space);
    if (Math.abs(exact.scrollTop - this.#scroll.scrollTop) > 1) this.#place(exact);
  }

  #scrolled(): void {
    const { scroller } = this.#elements;
    // The browser also reports positions set here: then nothing has moved.
    if (scroller.scrollLeft === this.#left && scroller.scrollTop === this.#scroll.scrollTop) return;
    this.#left = scroller.scrollLeft;
    if (scroller.scrollTop !== this.#scroll.scrollTop) {
      const next = scrolled(this.#scroll, scroller.scrollTop, this.space);
      this.#direction = next.top > this.#scroll.top ? 1 : -1;
      this.#scroll = next;
      if (mustResync(next, this.space)) this.#place(scrollTo(next.top, this.space));
    }
    this.#onMove();
  }

  #moveTo(state: ScrollState): void {
    if (state.top !== this.#scroll.top) this.#direction = state.top > this.#scroll.top ? 1 : -1;
    this.#place(state);
    this.#onMove();
  }

  #place(state: ScrollState): void {
    const { scroller } = this.#elements;
    if (Math.abs(scroller.scrollTop - state.scrollTop) > 0.5) scroller.scrollTop = state.scrollTop;
    // Read back, because the browser rounds, and the difference would look like a step by the user.
    this.#scroll = { top: state.top, scrollTop: scroller.scrollTop };
  }

  #resized(entry: ResizeObserverEntry | undefined): void {
    const { canvas } = this.#elements;
    const exact = entry?.devicePixelContentBoxSize?.[0];
    canvas.width = exact?.inlineSize ?? Math.round(canvas.clientWidth * devicePixelRatio);
    canvas.height = exact?.blockSize ?? Math.round(canvas.clientHeight * devicePixelRatio);
    this.#measure();
    this.scrollToTop(this.#scroll.top);
  }

  #measure(): void {
    const { scroller, layer } = this.#elements;
    this.#width = scroller.clientWidth;
    this.#height = scroller.clientHeight;
    layer.style.width = `${this.#width}px`;
    layer.style.height = `${this.#height}px`;
  }
}
