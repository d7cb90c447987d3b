// Mouse and pen input on the grid: selecting, dragging, resizing and moving columns, sorting by click.
import { HEADER_HEIGHT } from '../layout/geometry.ts';
import type { HitTarget } from '../layout/hit-test.ts';
import type { CellPosition, Modifiers, Span } from './selection.ts';

/** Actions of the pointer on the grid. */
export interface PointerHost {
  targetAt(x: number, y: number): HitTarget;
  /** What a header’s marks mean; empty without any. */
  titleOf(displayIndex: number): string;
  focus(): void;
  select(position: CellPosition, span: Span, modifiers: Modifiers): void;
  isSelected(position: CellPosition): boolean;
  selectAll(): void;
  extendTo(position: CellPosition): void;
  editAt(position: CellPosition): void;
  sortBy(displayIndex: number, additive: boolean): void;
  widthOf(displayIndex: number): number;
  resize(displayIndex: number, width: number, done: boolean): void;
  fitColumn(displayIndex: number): void;
  /** The display index before which a dragged column would be dropped, at this x. */
  dropIndexAt(x: number): number;
  showDrop(before: number | null): void;
  reorder(from: number, before: number): void;
  scrollBy(x: number, y: number): void;
}

type Drag =
  | { readonly kind: 'select' }
  | { readonly kind: 'resize'; readonly displayIndex: number; readonly startX: number; readonly startWidth: number }
  /** A press on a header: becomes a move once it has moved far enough, otherwise a click that sorts. */
  | { readonly kind: 'header'; readonly displayIndex: number; readonly startX: number; moved: boolean };

const DRAG_THRESHOLD = 5;
const EDGE = 18;

export class GridPointer {
  readonly #element: HTMLElement;
  readonly #host: PointerHost;
  #drag: Drag | null = null;
  #last: { x: number; y: number } = { x: 0, y: 0 };
  #autoScroll = 0;
  /** The header under the pointer. */
  #header: number | null = null;
  readonly #abort = new AbortController();

  constructor(element: HTMLElement, host: PointerHost) {
    this.#element = element;
    this.#host = host;
    const { signal } = this.#abort;
    element.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    element.addEventListener('pointermove', (event) => this.#move(event), { signal });
    element.addEventListener('pointerup', (event) => this.#up(event), { signal });
    element.addEventListener('pointercancel', () => this.#end(), { signal });
    element.addEventListener('dblclick', (event) => this.#doubleClick(event), { signal });
  }

  dispose(): void {
    this.#abort.abort();
    this.#end();
  }

  #point(event: MouseEvent): { x: number; y: number } {
    const box = this.#element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #down(event: PointerEvent): void {
    if (isInEditor(event.target)) return;
    if (event.button === 2) return this.#downForMenu(event);
    if (event.button !== 0) return;
    const { x, y } = this.#point(event);
    const target = this.#host.targetAt(x, y);
    if (target.zone === 'scroll-bar') return;
    event.preventDefault(); // the focus goes to the grid, not to the scrolled element
    this.#host.focus();
    this.#last = { x, y };
    this.#element.setPointerCapture(event.pointerId);
    const modifiers = { extend: event.shiftKey, add: event.ctrlKey || event.metaKey };
    if (target.zone === 'corner') return this.#host.selectAll();
    if (target.zone === 'header') return this.#downOnHeader(event, target, x, modifiers);
    if (target.zone === 'outside') return;
    this.#host.select(target.position, target.zone === 'gutter' ? 'rows' : 'cells', modifiers);
    this.#drag = { kind: 'select' };
  }

  #downOnHeader(event: PointerEvent, target: HitTarget, x: number, modifiers: Modifiers): void {
    const { displayIndex } = target.position;
    if (target.resizable !== null) {
      this.#drag = {
        kind: 'resize',
        displayIndex: target.resizable,
        startX: x,
        startWidth: this.#host.widthOf(target.resizable),
      };
    } else if (event.altKey) {
      this.#host.select(target.position, 'columns', modifiers);
      this.#drag = { kind: 'select' };
    } else this.#drag = { kind: 'header', displayIndex, startX: x, moved: false };
  }

  #move(event: PointerEvent): void {
    const { x, y } = this.#point(event);
    this.#last = { x, y };
    const drag = this.#drag;
    if (!drag) return this.#showCursor(x, y);
    if (drag.kind === 'resize') return this.#host.resize(drag.displayIndex, drag.startWidth + x - drag.startX, false);
    if (drag.kind === 'header') {
      drag.moved ||= Math.abs(x - drag.startX) > DRAG_THRESHOLD;
      if (drag.moved) this.#host.showDrop(this.#host.dropIndexAt(x));
      return;
    }
    this.#host.extendTo(this.#host.targetAt(x, y).position);
    this.#startAutoScroll();
  }

  #up(event: PointerEvent): void {
    const drag = this.#drag;
    const { x } = this.#point(event);
    this.#end();
    if (drag?.kind === 'resize') this.#host.resize(drag.displayIndex, drag.startWidth + x - drag.startX, true);
    else if (drag?.kind === 'header') {
      if (drag.moved) this.#host.reorder(drag.displayIndex, this.#host.dropIndexAt(x));
      else this.#host.sortBy(drag.displayIndex, event.ctrlKey || event.metaKey || event.shiftKey);
    }
  }

  #end(): void {
    if (this.#drag?.kind === 'header') this.#host.showDrop(null);
    this.#drag = null;
    cancelAnimationFrame(this.#autoScroll);
    this.#autoScroll = 0;
  }

  #doubleClick(event: MouseEvent): void {
    if (isInEditor(event.target)) return;
    const { x, y } = this.#point(event);
    const target = this.#host.targetAt(x, y);
    if (target.zone === 'header' && target.resizable !== null) this.#host.fitColumn(target.resizable);
    else if (target.zone === 'cells') this.#host.editAt(target.position);
  }

  /** The following context menu applies to the cell under the pointer. */
  #downForMenu(event: PointerEvent): void {
    const { x, y } = this.#point(event);
    const { zone, position } = this.#host.targetAt(x, y);
    this.#host.focus();
    if ((zone !== 'cells' && zone !== 'gutter') || this.#host.isSelected(position)) return;
    this.#host.select(position, zone === 'gutter' ? 'rows' : 'cells', { extend: false, add: false });
  }

  #showCursor(x: number, y: number): void {
    const target = this.#host.targetAt(x, y);
    const cursor = target.zone === 'header' && target.resizable !== null ? 'col-resize' : 'default';
    if (this.#element.style.cursor !== cursor) this.#element.style.cursor = cursor;
    const header = target.zone === 'header' ? target.position.displayIndex : null;
    if (header === this.#header) return;
    this.#header = header;
    this.#element.title = header === null ? '' : this.#host.titleOf(header);
  }

  /** Keeps the grid scrolling while the pointer is held outside the cells. */
  #startAutoScroll(): void {
    if (this.#autoScroll !== 0) return;
    const step = (): void => {
      this.#autoScroll = 0;
      if (this.#drag?.kind !== 'select') return;
      const { x, y } = this.#last;
      const { clientWidth, clientHeight } = this.#element;
      const dx = x > clientWidth - EDGE ? 24 : x < EDGE ? -24 : 0;
      const overshoot = y > clientHeight - EDGE ? y - clientHeight + EDGE : y < HEADER_HEIGHT ? y - HEADER_HEIGHT : 0;
      if (dx === 0 && overshoot === 0) return;
      this.#host.scrollBy(dx, overshoot);
      this.#host.extendTo(this.#host.targetAt(x, y).position);
      this.#autoScroll = requestAnimationFrame(step);
    };
    this.#autoScroll = requestAnimationFrame(step);
  }
}

const isInEditor = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-cell-editor]') !== null;
