// Where windows were, as plain data: parsing what was stored, fitting a place to the displays of today, free numbers.

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface WindowPlacement {
  readonly windowId: string;
  readonly number: number;
  /** Null lets the system choose the position. */
  readonly bounds: Rectangle | null;
  readonly maximized: boolean;
  readonly fullScreen: boolean;
}

export const DEFAULT_SIZE = { width: 1280, height: 820 };
export const MINIMUM_SIZE = { width: 640, height: 400 };

/** Forgiving: entries that make no sense are dropped. */
export function parsePlacements(stored: unknown): WindowPlacement[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry: Partial<WindowPlacement> | null) =>
    entry && typeof entry.windowId === 'string' && Number.isInteger(entry.number)
      ? [
          {
            windowId: entry.windowId,
            number: entry.number as number,
            bounds: parseRectangle(entry.bounds),
            maximized: entry.maximized === true,
            fullScreen: entry.fullScreen === true,
          },
        ]
      : [],
  );
}

function parseRectangle(stored: unknown): Rectangle | null {
  const { x, y, width, height } = (stored ?? {}) as Rectangle;
  return [x, y, width, height].every(Number.isInteger) ? { x, y, width, height } : null;
}

/** Moves and shrinks `bounds` until it lies wholly in `area`: the display it was on may be gone or smaller. */
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
