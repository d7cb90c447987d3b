// The stored places of windows, as plain data: parsing them, fitting a place to the current displays, finding free numbers.
import * as v from 'valibot';
import { each, flag } from '#shared/stored.ts';

const whole = v.pipe(v.number(), v.integer());
const RECTANGLE = v.object({ x: whole, y: whole, width: whole, height: whole });
const PLACEMENT = v.object({
  windowId: v.string(),
  number: whole,
  /** Null: the system chooses the position. */
  bounds: v.fallback(v.nullable(RECTANGLE), null),
  maximized: flag(false),
  fullScreen: flag(false),
});

type Rectangle = Readonly<v.InferOutput<typeof RECTANGLE>>;
export type WindowPlacement = Readonly<v.InferOutput<typeof PLACEMENT>>;

/** Invalid entries are dropped. */
export const PLACEMENTS = each(PLACEMENT);

export const DEFAULT_SIZE = { width: 1280, height: 820 };
export const MINIMUM_SIZE = { width: 640, height: 400 };

/** Moves and shrinks `bounds` until it is completely inside `area`: the display it was on may be gone or smaller. */
export function fitInto(bounds: Rectangle, area: Rectangle): Rectangle {
  const width = Math.min(Math.max(bounds.width, MINIMUM_SIZE.width), area.width);
  const height = Math.min(Math.max(bounds.height, MINIMUM_SIZE.height), area.height);
  return {
    x: Math.min(Math.max(bounds.x, area.x), area.x + area.width - width),
    y: Math.min(Math.max(bounds.y, area.y), area.y + area.height - height),
    width,
    height,
  };
}

export function lowestFreeNumber(taken: readonly number[]): number {
  let number = 1;
  while (taken.includes(number)) number++;
  return number;
}
