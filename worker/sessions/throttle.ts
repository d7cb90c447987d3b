// Runs the first call at once, then at most one per interval; the last call is never lost.
import type { Clock } from './clock.ts';

type Timers = Pick<Clock, 'after'>;

export interface Throttled {
  (): void;
  cancel(): void;
}

export function throttle(call: () => void, intervalMs: number, clock: Timers = BY_TIMEOUT): Throttled {
  let callOff: (() => void) | null = null;
  let again = false;
  const tick = (): void => {
    callOff = null;
    if (again) run();
  };
  const run = (): void => {
    again = false;
    callOff = clock.after(intervalMs, tick);
    call();
  };
  const throttled = (): void => {
    if (callOff === null) run();
    else again = true;
  };
  const cancel = (): void => {
    callOff?.();
    callOff = null;
    again = false;
  };
  return Object.assign(throttled, { cancel });
}

const BY_TIMEOUT: Timers = {
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};
