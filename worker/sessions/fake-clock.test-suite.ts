// A clock that tests move by hand.
import type { Clock } from './clock.ts';

export interface FakeClock extends Clock {
  advance(ms: number): void;
}

export function fakeClock(): FakeClock {
  let time = 0;
  const timers = new Set<{ at: number; action: () => void }>();
  return {
    now: () => time,
    nextTask: () => new Promise((resolve) => setImmediate(resolve)),
    after(delayMs, action) {
      const timer = { at: time + delayMs, action };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      time += ms;
      for (const timer of [...timers].filter(({ at }) => at <= time)) {
        timers.delete(timer);
        timer.action();
      }
    },
  };
}
