// Values of a page that may still be moving: where something is, or what it says, once that is known and stays.
import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where `target` is painted. Parts of the grid's mirror are made anew, and one can be gone between finding and measuring it. */
export async function boxOf(target: Locator): Promise<Box> {
  let box: Box | null = null;
  const measure = async (): Promise<Box | null> => (box = await target.boundingBox());
  await expect.poll(measure, `where it is: ${target.toString()}`).not.toBeNull();
  return box!;
}

/** What `read` says as soon as two looks in a row agree. For values that a window still reaches after what was just done. */
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
