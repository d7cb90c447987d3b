// Values of a page that may still be moving: where something is, or what it says, once that is known and stays.
import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Box where `target` is painted. Parts of the grid's mirror are recreated, and one can be gone between finding and measuring it. */
export async function boxOf(target: Locator): Promise<Box> {
  let box: Box | null = null;
  const measure = async (): Promise<Box | null> => (box = await target.boundingBox());
  await expect.poll(measure, `where it is: ${target.toString()}`).not.toBeNull();
  return box!;
}

/**
 * Position at which to click `target`, a part of `whole`: once it rests from one frame to the next and nothing else lies over that place. A
 * click of the pointer goes to a place, whatever has come there since it was measured.
 */
export async function placeIn(target: Locator, whole: string): Promise<{ x: number; y: number }> {
  let place: { x: number; y: number } | null = null;
  const look = async (): Promise<typeof place> => (place = await target.evaluate(placeAtRest, whole));
  await expect.poll(look, `where it can be clicked: ${target.toString()}`).not.toBeNull();
  return place!;
}

/** Runs in the page. */
async function placeAtRest(element: Element, whole: string): Promise<{ x: number; y: number } | null> {
  const before = element.getBoundingClientRect();
  await new Promise(requestAnimationFrame);
  const { x, y, width, height } = element.getBoundingClientRect();
  const isResting = x === before.x && y === before.y && width === before.width && height === before.height;
  const place = { x: x + Math.min(width / 2, 40), y: y + height / 2 };
  const there = document.elementFromPoint(place.x, place.y);
  // An element that was recreated meanwhile has no place, and is in no whole: its place would be the corner of the window.
  return isResting && element.isConnected && there?.closest(whole) === element.closest(whole) ? place : null;
}

/** Result of `read` as soon as two looks in a row agree. For values that a window still reaches after what was just done. */
export async function settled<T>(read: () => Promise<T>): Promise<T> {
  let last: { readonly text: string; readonly value: T } | null = null;
  const isSame = async (): Promise<boolean> => {
    const value = await read();
    const text = JSON.stringify(value);
    const wasSame = last?.text === text;
    last = { text, value };
    return wasSame;
  };
  await expect.poll(isSame, { message: 'comes to rest', intervals: [100] }).toBe(true);
  return last!.value;
}
