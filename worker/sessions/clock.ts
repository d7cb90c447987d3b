// Time as sessions see it: injected, so that tests own it.

export interface Clock {
  /** Milliseconds on the monotonic scale of the deadlines. */
  now(): number;
  /** Resolves in a new task, after requests that have arrived in the meantime. */
  nextTask(): Promise<void>;
  /** Calls `action` once after `delayMs`. Returns a function that cancels it. */
  after(delayMs: number, action: () => void): () => void;
}

/** Exists in Node only. */
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
 * A message to oneself is the fastest task in a browser, where a nested `setTimeout` waits up to 4 ms. Node would process 1,000 such
 * messages before it checks any other port.
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
