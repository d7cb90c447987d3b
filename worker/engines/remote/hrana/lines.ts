// Lines of a reply of any size.
import type { HttpReply } from '../network/blocking-http.ts';
import { malformed } from './malformed.ts';

/** One row of a cursor. */
const MAX_LINE_BYTES = 64 << 20;
const NEW_LINE = 0x0a;

/** Splits a reply into lines, reading each byte once. */
export class Lines {
  readonly #reply: HttpReply;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #isDone = false;

  constructor(reply: HttpReply) {
    this.#reply = reply;
  }

  next(): string | null {
    let length = 0;
    const pieces: Uint8Array[] = [];
    for (;;) {
      const end = this.#bytes.indexOf(NEW_LINE, this.#at);
      const piece = this.#bytes.subarray(this.#at, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.#bytes.length : end + 1;
      pieces.push(piece);
      length += piece.length;
      if (length > MAX_LINE_BYTES) {
        this.cancel();
        throw malformed('one row is longer than 64 MB');
      }
      if (end >= 0) {
        if (length > 0) return this.#decoder.decode(pieces.length === 1 ? piece : Buffer.concat(pieces));
        pieces.length = 0;
        continue;
      }
      const next = this.#isDone ? null : this.#reply.next();
      if (next === null) {
        this.#isDone = true;
        return length === 0 ? null : this.#decoder.decode(Buffer.concat(pieces));
      }
      this.#bytes = next;
      this.#at = 0;
    }
  }

  cancel(): void {
    if (!this.#isDone) this.#reply.cancel();
    this.#isDone = true;
  }
}
