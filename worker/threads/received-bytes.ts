// Makes Chromium collect messages with bytes of files. What it keeps of a message beside the array that was read from it, it frees with the
// next full collection, and does not count: in a thread that allocates little else, a copy of the whole file piles up.
//
// The thread has to be idle for that. A collection that ends while JavaScript runs takes what lies on the stack for pointers, and in one of a
// dozen starts it kept each message of a file that way; one that ends as a task of its own frees them all. So messages wait meanwhile. A
// reader asks for a few blocks ahead and no more: nothing piles up while it waits.

/** The collector, as far as it can be controlled. */
interface Collector {
  /** Makes it begin, or continue what it has begun. */
  urge(): void;
  /** Calls `listener` once, after a collection that ends after now. */
  afterNext(listener: () => void): void;
}

/** Most bytes of messages that may pile up. */
const MOST_BYTES = 32 << 20;
/** A collection takes 10 to 60 ms as tasks; with each call it would end in one. */
const URGE_MS = 100;
/** The longest wait: a reader that continues with more memory is better than one that stands still. */
const MOST_WAIT_MS = 1000;
/** V8 begins a collection for 64 MB of new memory. Pages that were never written to take none. */
const COUNTED_BYTES = 80 << 20;

const collected = new FinalizationRegistry<() => void>((listener) => listener());
/** The build would remove memory that nothing refers to. */
let counted: ArrayBuffer | null = null;

const OURS: Collector = {
  urge() {
    counted = new ArrayBuffer(COUNTED_BYTES);
    if (counted.byteLength > 0) counted = null;
  },
  afterNext: (listener) => collected.register({}, listener),
};

/** A listener that, once 32 MB have arrived, lets messages wait for a collection, one second at most, and then delivers them in order. */
export function collectReceived<M>(listener: (message: M) => void, collector = OURS): (message: M) => void {
  const received = new ReceivedBytes<M>(listener, collector);
  return (message) => received.take(message);
}

class ReceivedBytes<M> {
  readonly #listener: (message: M) => void;
  readonly #collector: Collector;
  /** Bytes since the last collection. */
  #bytes = 0;
  /** Null: none waits, and each is delivered as it arrives. */
  #waiting: { readonly messages: M[]; readonly timer: ReturnType<typeof setInterval> } | null = null;

  constructor(listener: (message: M) => void, collector: Collector) {
    this.#listener = listener;
    this.#collector = collector;
    this.#startAgain();
  }

  take(message: M): void {
    if (this.#waiting) {
      this.#waiting.messages.push(message);
      return;
    }
    const bytes = bytesIn(message);
    this.#bytes += bytes;
    if (bytes > 0 && this.#bytes >= MOST_BYTES) this.#wait(message);
    else this.#listener(message);
  }

  #startAgain(): void {
    this.#bytes = 0;
    this.#collector.afterNext(() => {
      this.#startAgain();
      this.#deliver();
    });
  }

  #wait(message: M): void {
    let urges = 0;
    const urge = (): void => {
      if (urges++ < MOST_WAIT_MS / URGE_MS) return this.#collector.urge();
      this.#bytes = 0;
      this.#deliver();
    };
    this.#waiting = { messages: [message], timer: setInterval(urge, URGE_MS) };
    urge();
  }

  #deliver(): void {
    if (!this.#waiting) return;
    const { messages, timer } = this.#waiting;
    clearInterval(timer);
    this.#waiting = null;
    for (const message of messages) this.#listener(message);
  }
}

/** The answer to a read, on the files port and from there to a thread that reads. */
function bytesIn(message: unknown): number {
  const { value } = message as { readonly value?: unknown };
  return value instanceof Uint8Array ? value.byteLength : 0;
}
