// Makes Chromium collect messages with bytes of files. What it keeps of a message beside the array that was read from it, it frees with the
// next full collection, and does not count: in a thread that allocates little else, a copy of the whole file piles up.

/** The collector, as far as it can be asked. */
export interface Collector {
  /** Makes it begin, or continue what it has begun. */
  urge(): void;
  /** Calls `listener` once, after a collection that ends after now. */
  afterNext(listener: () => void): void;
}

/** Of messages that may pile up. */
const MOST_BYTES = 16 << 20;
/** V8 begins a collection for 64 MB of new memory. Pages that nobody has written to take none. */
const COUNTED_BYTES = 80 << 20;

const collected = new FinalizationRegistry<() => void>((listener) => listener());
/** The build would leave out memory that nothing refers to. */
let counted: ArrayBuffer | null = null;

const OURS: Collector = {
  urge() {
    counted = new ArrayBuffer(COUNTED_BYTES);
    if (counted.byteLength > 0) counted = null;
  },
  afterNext: (listener) => collected.register({}, listener),
};

/** A listener that, when 16 MB have come, urges the collector with each further message with bytes until it has collected. */
export function collectReceived<M>(listener: (message: M) => void, collector = OURS): (message: M) => void {
  let received = 0;
  const start = (): void => {
    received = 0;
    collector.afterNext(start);
  };
  start();
  return (message) => {
    const bytes = bytesIn(message);
    received += bytes;
    listener(message);
    if (bytes > 0 && received >= MOST_BYTES) collector.urge();
  };
}

/** The answer to a read, on the files port and from there to a thread that reads. */
function bytesIn(message: unknown): number {
  const { value } = message as { readonly value?: unknown };
  return value instanceof Uint8Array ? value.byteLength : 0;
}
