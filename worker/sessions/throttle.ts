// Calls through at once, then at most once an interval; the last call is never lost.

export interface Throttled {
  (): void;
  cancel(): void;
}

export function throttle(call: () => void, intervalMs: number): Throttled {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let again = false;
  const tick = (): void => {
    timer = null;
    if (again) run();
  };
  const run = (): void => {
    again = false;
    timer = setTimeout(tick, intervalMs);
    call();
  };
  const throttled = (): void => {
    if (timer === null) run();
    else again = true;
  };
  const cancel = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    again = false;
  };
  return Object.assign(throttled, { cancel });
}
