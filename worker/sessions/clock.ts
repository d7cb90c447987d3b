// Time as sessions see it: injected, so that tests own it, and timers that go by it.

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

// Runs an action once nothing has happened for a while. Calling it after every commit is cheap: it sets a timer only when none runs.

export class QuietTimer {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #action: () => void;
  #dueMs = 0;
  #callOff: (() => void) | null = null;

  constructor(clock: Clock, delayMs: number, action: () => void) {
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#action = action;
  }

  /** Something happened: it is quiet `delayMs` after the last of these. */
  poke(): void {
    this.#dueMs = this.#clock.now() + this.#delayMs;
    if (this.#callOff === null) this.#wait(this.#delayMs);
  }

  cancel(): void {
    this.#callOff?.();
    this.#callOff = null;
  }

  #wait(delayMs: number): void {
    this.#callOff = this.#clock.after(delayMs, () => {
      this.#callOff = null;
      const leftMs = this.#dueMs - this.#clock.now();
      if (leftMs > 0) this.#wait(leftMs);
      else this.#action();
    });
  }
}

// Runs the first call at once, then at most one per interval; the last call is never lost.

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
