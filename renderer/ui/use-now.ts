// The time, for components that show how long ago an event was.
import { useEffect, useState } from 'react';

const sinceStart = (): number => performance.now();

/**
 * Milliseconds, updated every `everyMs` while `isTicking`.
 * @param clock `Date.now` for times of other processes, whose `performance.now` counts from another beginning; must keep its identity
 */
export function useNow(everyMs: number, clock = sinceStart, isTicking = true): number {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    if (!isTicking) return undefined;
    const timer = setInterval(() => setNow(clock()), everyMs);
    return () => clearInterval(timer);
  }, [clock, everyMs, isTicking]);
  return now;
}
