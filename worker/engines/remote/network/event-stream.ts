// Listens to a server that sends events while there is a listener (`text/event-stream`). The content of an event is not kept: listeners
// learn only that there was one, through shared memory, so a server can send as much as it likes without any of it being stored.
import type { HttpRequest } from './network-messages.ts';

/** The words of the memory that a listener shares with the thread that talks to servers. */
export const EAR_WORD = { state: 0, heard: 1 } as const;
/** `ended`: another try may work. `refused`: the server does not offer events, or sends something else. */
export const EAR_STATES = ['beginning', 'on', 'ended', 'refused'] as const;
export type EarState = (typeof EAR_STATES)[number];

interface Limits {
  /** A server that sends nothing for this long is gone; `sqld` sends a comment every 15 seconds. */
  readonly silenceMs: number;
  /** The longest line that an event may have. */
  readonly lineBytes: number;
  /** Limit on the bytes that may arrive within `windowMs`. */
  readonly windowBytes: number;
  readonly windowMs: number;
}

const LIMITS: Limits = { silenceMs: 45_000, lineBytes: 64 << 10, windowBytes: 1 << 20, windowMs: 10_000 };
const NEW_LINE = 0x0a;
const RETURN = 0x0d;
const COLON = 0x3a;

type Send = (request: HttpRequest, signal: AbortSignal) => Promise<Response>;

interface Listener {
  readonly ear: Int32Array;
  /** No listener is left. */
  readonly abort: AbortController;
  readonly limits?: Limits;
}

/** Returns when the stream has ended, for whatever reason; the state of the ear says which. */
export async function listen(
  send: Send,
  request: HttpRequest,
  { ear, abort, limits = LIMITS }: Listener,
): Promise<void> {
  const become = (state: EarState): void => void Atomics.store(ear, EAR_WORD.state, EAR_STATES.indexOf(state));
  const giveUp = (): void => abort.abort();
  let silence = setTimeout(giveUp, limits.silenceMs);
  let end: EarState = 'ended';
  try {
    const response = await send(request, abort.signal);
    if (!isEventStream(response)) {
      // A server that is busy or about to be replaced answers with 5xx, and may offer it later.
      if (response.status < 500) end = 'refused';
      return await response.body?.cancel();
    }
    become('on');
    const events = new EventCounter(limits);
    for await (const bytes of response.body ?? []) {
      clearTimeout(silence);
      silence = setTimeout(giveUp, limits.silenceMs);
      const count = events.countIn(bytes, performance.now());
      if (count === null) end = 'refused';
      if (count === null) break;
      Atomics.add(ear, EAR_WORD.heard, count);
    }
  } catch {
    // The server is away, or silent, or no listener is left.
  } finally {
    clearTimeout(silence);
    become(end);
  }
}

const isEventStream = ({ status, headers }: Response): boolean =>
  status === 200 && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');

/** Counts events without keeping a byte of them. An event ends with an empty line; a line that begins with a colon says nothing. */
class EventCounter {
  readonly #limits: Limits;
  #lineBytes = 0;
  #isComment = false;
  /** The event that has begun has a line that says something. */
  #hasField = false;
  #windowFromMs = -Infinity;
  #windowBytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Null: no well-behaved server sends this. */
  countIn(bytes: Uint8Array, nowMs: number): number | null {
    if (nowMs - this.#windowFromMs > this.#limits.windowMs) [this.#windowFromMs, this.#windowBytes] = [nowMs, 0];
    this.#windowBytes += bytes.length;
    if (this.#windowBytes > this.#limits.windowBytes) return null;
    let count = 0;
    for (const byte of bytes) {
      if (byte === NEW_LINE) count += this.#endLine();
      else if (byte !== RETURN) {
        if (this.#lineBytes === 0) this.#isComment = byte === COLON;
        if (++this.#lineBytes > this.#limits.lineBytes) return null;
      }
    }
    return count;
  }

  #endLine(): number {
    const isEmpty = this.#lineBytes === 0;
    this.#lineBytes = 0;
    if (!isEmpty) {
      if (!this.#isComment) this.#hasField = true;
      return 0;
    }
    const isEvent = this.#hasField;
    this.#hasField = false;
    return isEvent ? 1 : 0;
  }
}
