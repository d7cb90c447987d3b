// The window's frames as the user gets them: when one begins, and when all that it shows has been handed over to be shown; and one clock for two
// windows.
import type { RunControl } from '../target.ts';

interface FrameTimes {
  /** Time of the frame on the screen's clock: frames that are on time are one refresh apart. */
  readonly beginsMs: number;
  /** Scripts, layout and painting are done. */
  readonly doneMs: number;
  /** How long the frame kept the window's thread busy. */
  readonly busyMs: number;
}

/** @param inFrame runs as the frame begins */
export function nextFrame(inFrame: () => void = () => undefined): Promise<FrameTimes> {
  return new Promise((resolve) => {
    requestAnimationFrame((beginsMs) => {
      const began = performance.now();
      inFrame();
      const { port1, port2 } = new MessageChannel();
      // The first task after the frame.
      port2.onmessage = () => {
        port2.close();
        const doneMs = performance.now();
        resolve({ beginsMs, doneMs, busyMs: doneMs - began });
      };
      port1.postMessage(null);
    });
  });
}

/** Time at which the first frame in which `isThere` returned true was done. */
export async function frameWith(isThere: () => boolean, control: RunControl): Promise<number> {
  for (;;) {
    let found = false;
    const { doneMs } = await control.wait(nextFrame(() => (found = isThere())));
    if (found) return doneMs;
  }
}

const REFRESH_MS = 1000 / 60;

/** Waits for a moment anywhere between two screen refreshes, as a user's action would come. */
export function anyMoment(share: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, share * REFRESH_MS));
}

/** Again as long as the window was hidden in the meantime: it has no frames then. */
export async function whileShown<T>(work: () => Promise<T>, control: RunControl): Promise<T> {
  for (;;) {
    await control.wait(shown());
    let wasHidden = false;
    const note = (): void => void (wasHidden ||= document.hidden);
    document.addEventListener('visibilitychange', note);
    try {
      const result = await work();
      if (!wasHidden) return result;
    } finally {
      document.removeEventListener('visibilitychange', note);
    }
  }
}

function shown(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    look();
  });
}

const LOOKS = 15;

/** Milliseconds since 1970, in small steps. The clocks of two windows differ only by what {@link aheadOf} returns. */
export const clockNow = (): number => performance.timeOrigin + performance.now();

/** How far another clock is ahead of this one, judged by the quickest answer, which is assumed to be half a round trip old. */
export async function aheadOf(ask: () => Promise<{ readonly atMs: number }>, now = clockNow): Promise<number> {
  let quickest = Infinity;
  let aheadMs = 0;
  for (let look = 0; look < LOOKS; look++) {
    const asked = now();
    const { atMs } = await ask();
    const answered = now();
    if (answered - asked >= quickest) continue;
    quickest = answered - asked;
    aheadMs = atMs - (asked + answered) / 2;
  }
  return aheadMs;
}
