// The window's frames as the user gets them: when one begins, and when all that it shows has been handed over to be shown.
import type { RunControl } from '../control.ts';

export interface FrameTimes {
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
