// How long work has been running, once that is worth showing.
import { useEffect, useState } from 'react';

/** Anything shorter should not flash. */
const QUIET_MS = 150;
const TICK_MS = 100;

/** Milliseconds since `startedAtMs` (performance.now), or null while `startedAtMs` is null or too short a time ago. */
export function useElapsed(startedAtMs: number | null): number | null {
  const [now, setNow] = useState<{ readonly startedAtMs: number; readonly elapsedMs: number } | null>(null);
  useEffect(() => {
    if (startedAtMs === null) return;
    const tick = (): void => setNow({ startedAtMs, elapsedMs: performance.now() - startedAtMs });
    let interval: ReturnType<typeof setInterval> | undefined;
    const timer = setTimeout(() => {
      tick();
      interval = setInterval(tick, TICK_MS);
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      clearInterval(interval);
    };
  }, [startedAtMs]);
  return now && now.startedAtMs === startedAtMs ? now.elapsedMs : null;
}
