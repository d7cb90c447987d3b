// The part of a diagram that is on screen: where, and how large. Lives outside React: moving is one attribute, not a render.
import type { Box, Point } from './geometry.ts';
import type { Size } from './graph.ts';

interface CameraState {
  /** Point of the picture that is at the top left corner of the screen. */
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

const MIN_ZOOM = 0.01;
export const MAX_ZOOM = 3;
const FIT_MARGIN = 24;
/** Limit, so that a few tables are not enlarged to fill the window. */
const MAX_FIT_ZOOM = 1;

export class Camera {
  #state: CameraState = { x: 0, y: 0, zoom: 1 };
  #screen: Size = { width: 0, height: 0 };
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly state = (): CameraState => this.#state;
  readonly zoom = (): number => this.#state.zoom;
  get screen(): Size {
    return this.#screen;
  }

  get view(): Box {
    const { x, y, zoom } = this.#state;
    return { x, y, width: this.#screen.width / zoom, height: this.#screen.height / zoom };
  }

  resize(screen: Size): void {
    this.#screen = screen;
    this.#tell();
  }

  panBy(dx: number, dy: number): void {
    const { x, y, zoom } = this.#state;
    this.#set({ x: x + dx / zoom, y: y + dy / zoom, zoom });
  }

  /** Zooms around `at`, a point on screen that stays where it is. */
  zoomTo(wanted: number, at: Point = { x: this.#screen.width / 2, y: this.#screen.height / 2 }): void {
    const { x, y, zoom: before } = this.#state;
    const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, wanted));
    this.#set({ x: x + at.x / before - at.x / zoom, y: y + at.y / before - at.y / zoom, zoom });
  }

  fit(box: Box): void {
    const { width, height } = this.#screen;
    if (width === 0 || height === 0) return;
    const room = { width: width - 2 * FIT_MARGIN, height: height - 2 * FIT_MARGIN };
    const wanted = Math.min(room.width / Math.max(1, box.width), room.height / Math.max(1, box.height), MAX_FIT_ZOOM);
    const zoom = Math.max(MIN_ZOOM, wanted);
    this.#set({ ...this.#centered(box, zoom), zoom });
  }

  center(box: Box): void {
    this.#set({ ...this.#centered(box, this.#state.zoom), zoom: this.#state.zoom });
  }

  /** Moves only as far as needed to make `box` visible. */
  reveal(box: Box): void {
    const { x, y, width, height } = this.view;
    const margin = 16 / this.#state.zoom;
    const nearest = (from: number, size: number, low: number, high: number): number =>
      low - margin < from || high - low > size
        ? low - margin
        : high + margin > from + size
          ? high + margin - size
          : from;
    this.#set({
      x: nearest(x, width, box.x, box.x + box.width),
      y: nearest(y, height, box.y, box.y + box.height),
      zoom: this.#state.zoom,
    });
  }

  #centered(box: Box, zoom: number): Point {
    return {
      x: box.x + box.width / 2 - this.#screen.width / zoom / 2,
      y: box.y + box.height / 2 - this.#screen.height / zoom / 2,
    };
  }

  #set(state: CameraState): void {
    const { x, y, zoom } = this.#state;
    if (state.x === x && state.y === y && state.zoom === zoom) return;
    this.#state = state;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
