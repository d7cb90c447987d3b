// The part of a map that is on screen. Y of the map goes up, Y of the screen down.
import type { Bounds } from '#shared/geometry/geometry.ts';

export interface MapView {
  /** The middle of the screen, in coordinates of the map. */
  readonly x: number;
  readonly y: number;
  /** Pixels for each unit. */
  readonly scale: number;
}

export interface MapSize {
  readonly width: number;
  readonly height: number;
}

const MARGIN = 24;
/** Limits around the scale at which everything fits. */
const [MOST_OUT, MOST_IN] = [1 / 16, 1e6] as const;

export function fitted(bounds: Bounds, { width, height }: MapSize): MapView {
  const room = { x: Math.max(1, width - 2 * MARGIN), y: Math.max(1, height - 2 * MARGIN) };
  const [across, up] = [bounds.maxX - bounds.minX, bounds.maxY - bounds.minY];
  const scale = Math.min(across > 0 ? room.x / across : Infinity, up > 0 ? room.y / up : Infinity);
  return {
    x: bounds.minX / 2 + bounds.maxX / 2,
    y: bounds.minY / 2 + bounds.maxY / 2,
    scale: Number.isFinite(scale) && scale > 0 ? scale : 1,
  };
}

export const moved = ({ x, y, scale }: MapView, right: number, down: number): MapView => ({
  x: x + right / scale,
  y: y - down / scale,
  scale,
});

/** @param at the point of the screen that stays where it is, from its middle */
export function zoomed(
  view: MapView,
  factor: number,
  fit: MapView,
  at: { readonly right: number; readonly down: number } = { right: 0, down: 0 },
): MapView {
  const scale = Math.min(fit.scale * MOST_IN, Math.max(fit.scale * MOST_OUT, view.scale * factor));
  const held = moved(view, at.right, at.down);
  return moved({ ...held, scale }, -at.right, -at.down);
}

/** The view moved as little as needed to have a box on screen; as it is, if it is. */
export function revealing(view: MapView, box: Bounds, { width, height }: MapSize): MapView {
  const [halfX, halfY] = [width / 2 / view.scale, height / 2 / view.scale];
  const isOut =
    box.maxX < view.x - halfX || box.minX > view.x + halfX || box.maxY < view.y - halfY || box.minY > view.y + halfY;
  return isOut ? { ...view, x: box.minX / 2 + box.maxX / 2, y: box.minY / 2 + box.maxY / 2 } : view;
}
