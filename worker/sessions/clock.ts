// Time as sessions see it: injected, so that tests own it.

export interface Clock {
  /** Milliseconds on a monotonic scale, the one deadlines are given in. */
  now(): number;
  /** Resolves in a fresh task: requests that have arrived meanwhile are heard first. */
  nextTask(): Promise<void>;
  /** Calls `action` once after `delayMs`. Answers the function that calls it off. */
  after(delayMs: number, action: () => void): () => void;
}

/** A message to oneself is the quickest task there is: `setTimeout` is held up to 4 ms once nested. */
export function createClock(): Clock {
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  return {
    now: () => performance.now(),
    nextTask: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        channel.port2.postMessage(null);
      }),
    after: (delayMs, action) => {
      const timer = setTimeout(action, delayMs);
      return () => clearTimeout(timer);
    },
  };
}
