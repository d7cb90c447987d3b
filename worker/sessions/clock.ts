// Time as sessions see it: injected, so that tests own it.

export interface Clock {
  /** Milliseconds on a monotonic scale, the one deadlines are given in. */
  now(): number;
  /** Resolves in a fresh task: requests that have arrived meanwhile are heard first. */
  nextTask(): Promise<void>;
  /** Calls `action` once after `delayMs`. Answers the function that calls it off. */
  after(delayMs: number, action: () => void): () => void;
}

/** Of Node alone. */
const { setImmediate } = globalThis as { readonly setImmediate?: (action: () => void) => void };

export function createClock(): Clock {
  return {
    now: () => performance.now(),
    nextTask: setImmediate ? () => new Promise((resolve) => setImmediate(resolve)) : messageTasks(),
    after: (delayMs, action) => {
      const timer = setTimeout(action, delayMs);
      return () => clearTimeout(timer);
    },
  };
}

/**
 * A message to oneself is the quickest task of a browser: `setTimeout` is held up to 4 ms once nested. Node would go through 1,000 such messages
 * before it looks at any other port.
 */
function messageTasks(): () => Promise<void> {
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      channel.port2.postMessage(null);
    });
}
