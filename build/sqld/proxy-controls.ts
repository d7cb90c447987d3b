// Controls of the proxy in front of a test server, in memory that its thread shares: tests set them while their own thread is blocked.

/** Index of the word of each control. */
const WORD = { requests: 0, delayMs: 1, fault: 2, faults: 3, server: 4, before: 5 } as const;

/**
 * `cut`: the connection ends before the server hears of the request. `lose`: the server carries it out and the reply is lost. `truncate`:
 * the connection ends in the middle of the reply. `shorten`: half of the reply arrives and looks complete. `gateway`: it is carried out, and the reply is 504,
 * as from a proxy that has waited too long. `hang`: no reply ever comes. `kill`: the server is killed within a few milliseconds after it has
 * received the request.
 */
export const FAULTS = ['none', 'cut', 'lose', 'truncate', 'shorten', 'gateway', 'hang', 'kill'] as const;
export type Fault = (typeof FAULTS)[number];

export class ProxyControls {
  readonly words: Int32Array;

  constructor(words = new Int32Array(new SharedArrayBuffer(Object.keys(WORD).length * 4))) {
    this.words = words;
  }

  /** Requests so far: each is a round trip. */
  get requests(): number {
    return Atomics.load(this.words, WORD.requests);
  }

  noteRequest(): void {
    Atomics.add(this.words, WORD.requests, 1);
  }

  /** Delay of each round trip. */
  get delayMs(): number {
    return Atomics.load(this.words, WORD.delayMs);
  }

  set delayMs(ms: number) {
    Atomics.store(this.words, WORD.delayMs, ms);
  }

  /** Process id of the server; 0 while it is being started again. */
  get server(): number {
    return Atomics.load(this.words, WORD.server);
  }

  set server(id: number) {
    Atomics.store(this.words, WORD.server, id);
  }

  /** The next `times` requests fail that way, after `before` others. */
  fail(fault: Fault, times = 1, before = 0): void {
    Atomics.store(this.words, WORD.fault, FAULTS.indexOf(fault));
    Atomics.store(this.words, WORD.before, before);
    Atomics.store(this.words, WORD.faults, times);
  }

  /** Takes the fault for one request. */
  takeFault(): Fault {
    if (Atomics.load(this.words, WORD.faults) <= 0) return 'none';
    if (Atomics.load(this.words, WORD.before) > 0) {
      Atomics.sub(this.words, WORD.before, 1);
      return 'none';
    }
    Atomics.sub(this.words, WORD.faults, 1);
    return FAULTS[Atomics.load(this.words, WORD.fault)]!;
  }
}
