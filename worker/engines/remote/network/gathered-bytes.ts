// The pieces of a reply as one, without an object for each: a server may send a byte at a time.

/** Room is at least doubled, so that each byte is moved a few times at most. */
export class GatheredBytes {
  #room = new Uint8Array(0);
  length = 0;

  add(piece: Uint8Array): void {
    const length = this.length + piece.length;
    if (length > this.#room.length) {
      const room = new Uint8Array(Math.max(length, 2 * this.#room.length));
      room.set(this.bytes);
      this.#room = room;
    }
    this.#room.set(piece, this.length);
    this.length = length;
  }

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.length);
  }
}
