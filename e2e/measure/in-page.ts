// Functions that run inside a window of the app: what it painted and how long its frames took.
import type { Page } from '@playwright/test';

/** Times on the clock that all windows share; 0: not yet. */
interface Moments {
  pressed: number;
  /** The first frame after the text was drawn on a canvas begins: it shows the text, if the one before did not. */
  painted: number;
}

interface Watch {
  /** Milliseconds between frames since {@link startWatch} or the last {@link takeFrames}. */
  frames: number[];
  /** Texts painted on canvases in the frame under way and in the one before. */
  painted: string[];
  lastPainted: string[];
  moments: Moments;
  /** Asked after each frame. */
  conditions: Set<() => void>;
}

declare global {
  interface Window {
    watch?: Watch;
    /** Milliseconds from the next event of a kind to the first frame after an element is there. */
    timed?: Promise<number>;
    /** Longest frame in that time. */
    longestFrame?: number;
  }
}

interface Awaited {
  readonly event: string;
  /** Only this key begins it; missing: any does. */
  readonly key?: string;
  readonly selector: string;
}

/** Starts {@link Window.timed}. */
export function timeUntil({ event, key, selector }: Awaited): void {
  window.timed = new Promise((resolve) => {
    const begin = (begun: Event): void => {
      const { timeStamp } = begun;
      if (key !== undefined && (begun as KeyboardEvent).key.toLowerCase() !== key) return;
      window.removeEventListener(event, begin, true);
      let before = performance.now();
      window.longestFrame = 0;
      const look = (now: number): void => {
        window.longestFrame = Math.max(window.longestFrame!, now - before);
        before = now;
        // It was in the document before this frame, so the frame before showed it at the earliest, and this one does at the latest.
        if (document.querySelector(selector)) resolve(performance.now() - timeStamp);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    window.addEventListener(event, begin, true);
  });
}

/** Listens to every text painted on a canvas: what is on the screen of the grid. */
export function startWatch(): void {
  const watch: Watch = {
    frames: [],
    painted: [],
    lastPainted: [],
    moments: { pressed: 0, painted: 0 },
    conditions: new Set(),
  };
  window.watch = watch;
  const paint = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    watch.painted.push(text);
    paint.call(this, text, ...rest);
  };
  let before = performance.now();
  const onFrame = (now: number): void => {
    watch.frames.push(now - before);
    before = now;
    watch.lastPainted = watch.painted;
    watch.painted = [];
    for (const condition of watch.conditions) condition();
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
}

/** The frames since the last time; the first one began before. */
export function takeFrames(): number[] {
  return window.watch!.frames.splice(0).slice(1);
}

/** Starts to wait for the key and then for a frame with the text; {@link takeMoments} has both. */
export function expectPainted({ key, text }: { readonly key: string | null; readonly text: string }): void {
  const watch = window.watch!;
  const now = (): number => performance.timeOrigin + performance.now();
  watch.moments = { pressed: 0, painted: 0 };
  if (key !== null) {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== key) return;
      window.removeEventListener('keydown', listen, true);
      watch.moments.pressed = performance.timeOrigin + event.timeStamp;
    };
    window.addEventListener('keydown', listen, true);
  }
  const look = (): void => {
    if (!watch.lastPainted.includes(text)) return;
    watch.conditions.delete(look);
    watch.moments.painted = now();
  };
  watch.conditions.add(look);
}

/** Waits until there has been such a frame. */
export async function takeMoments(): Promise<Moments> {
  const watch = window.watch!;
  while (watch.moments.painted === 0) await new Promise(requestAnimationFrame);
  return watch.moments;
}

/** Presses the keys. Returns the milliseconds until the frame with the text. */
export async function keyToPainted(page: Page, keys: string, text: string): Promise<number> {
  await page.evaluate(expectPainted, { key: keys.split('+').at(-1)!, text });
  await page.keyboard.press(keys);
  const { pressed, painted } = await page.evaluate(takeMoments);
  return painted - pressed;
}

/** Scrolls to a place and waits for the first frame that paints `text` in every row, at its beginning: long texts are painted cut off. */
export function jumpTo({ share, text: expected }: { readonly share: number; readonly text: string }): Promise<number> {
  const watch = window.watch!;
  const scroller = document.querySelector('.grid-scroller')!;
  const rowsThere = Math.floor(scroller.clientHeight / 25) - 2;
  watch.painted = [];
  watch.lastPainted = [];
  const began = performance.now();
  scroller.scrollTop = (scroller.scrollHeight - scroller.clientHeight) * share;
  return new Promise((resolve) => {
    const look = (): void => {
      if (watch.lastPainted.filter((text) => text.startsWith(expected)).length < rowsThere) return;
      watch.conditions.delete(look);
      resolve(performance.now() - began);
    };
    watch.conditions.add(look);
  });
}
