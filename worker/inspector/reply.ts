// The shared memory of an inspection: two words and the requested bytes. Only the owner of the file writes it; the inspector sends requests
// as messages and waits here. One request is under way at a time.
import type { ErrorData } from '#shared/protocol/errors.ts';
import type { FileFindings } from '#shared/protocol/session.ts';

/** Largest request. */
export const BLOCK_BYTES = 128 * 1024;

/**
 * `answered`: the number of the request that the rest belongs to; requests are numbered from 1. `given`: how many bytes there are, or
 * {@link REFUSED}.
 */
const Word = { answered: 0, given: 1 } as const;
const REFUSED = -1;
const DATA_AT = 8;

export class ReplyMemory {
  readonly shared: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #data: Uint8Array;

  constructor(shared = new SharedArrayBuffer(DATA_AT + BLOCK_BYTES)) {
    this.shared = shared;
    this.#words = new Int32Array(shared, 0, DATA_AT / 4);
    this.#data = new Uint8Array(shared, DATA_AT);
  }

  /** Sends the owner's one reply to a request. More than {@link BLOCK_BYTES} is refused. */
  give(request: number, bytes: Uint8Array): void {
    if (bytes.length > BLOCK_BYTES) return this.refuse(request);
    this.#data.set(bytes);
    this.#answer(request, bytes.length);
  }

  /** Owner's alternative to {@link give}. */
  refuse(request: number): void {
    this.#answer(request, REFUSED);
  }

  /**
   * Called by the inspector after it has asked. The bytes stay until the next request; null when the owner has refused, or has given
   * another number of bytes than `length`.
   */
  waitFor(request: number, length: number): Uint8Array | null {
    for (;;) {
      const answered = Atomics.load(this.#words, Word.answered);
      if (answered === request) break;
      // Being woken says nothing: the owner stores the reply and then wakes, so the wake-up for a reply that was read without waiting
      // arrives while the next request is waited for.
      Atomics.wait(this.#words, Word.answered, answered);
    }
    return Atomics.load(this.#words, Word.given) === length ? this.#data.subarray(0, length) : null;
  }

  /** `answered` is written last: a thread that sees the number also sees everything written before it. */
  #answer(request: number, given: number): void {
    Atomics.store(this.#words, Word.given, given);
    Atomics.store(this.#words, Word.answered, request);
    Atomics.notify(this.#words, Word.answered);
  }
}

// Messages between the inspector and the worker that owns the file. Requests are messages; replies go through shared memory
// (`reply.ts`), because the inspector waits for them inside SQLite, where it can hear no message.

export type InspectionKind = 'quick' | 'integrity';

/** The first and only message to the inspector. */
export interface InspectionOrder {
  readonly kind: InspectionKind;
  readonly sizeBytes: number;
  /** See `reply.ts`. */
  readonly shared: SharedArrayBuffer;
}

export type FromInspector =
  /** Asks for exactly `length` bytes, at most `BLOCK_BYTES`. The reply names `request`, which no two requests share. */
  | { readonly t: 'read'; readonly request: number; readonly offset: number; readonly length: number }
  | { readonly t: 'done'; readonly findings: FileFindings }
  | { readonly t: 'failed'; readonly error: ErrorData };
