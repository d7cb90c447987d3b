// A fake window for tests: its frames begin on request, and it can be hidden.
import { vi } from 'vitest';

export interface FakeFrames {
  /** The next frame begins. */
  next(): void;
  hide(): void;
  show(): void;
  /** Asked for and not begun yet. */
  readonly waiting: number;
}

/** Replaces the globals until `vi.unstubAllGlobals`. */
export function fakeFrames(): FakeFrames {
  let frames = new Map<number, () => void>();
  let lastId = 0;
  const listeners = new Set<() => void>();
  const page = {
    hidden: false,
    addEventListener: (_type: string, listener: () => void) => void listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => void listeners.delete(listener),
  };
  vi.stubGlobal('document', page);
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => {
    frames.set(++lastId, callback);
    return lastId;
  });
  vi.stubGlobal('cancelAnimationFrame', (id: number) => void frames.delete(id));
  const become = (hidden: boolean): void => {
    page.hidden = hidden;
    for (const listener of [...listeners]) listener();
  };
  return {
    next() {
      if (page.hidden) return;
      const due = frames;
      frames = new Map();
      for (const callback of due.values()) callback();
    },
    hide: () => become(true),
    show: () => become(false),
    get waiting() {
      return frames.size;
    },
  };
}
