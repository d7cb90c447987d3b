// The checksum of Zstandard frames: XXH64 (github.com/Cyan4973/xxHash, doc/xxhash_spec.md) with seed 0. BigInt takes ten times as long for
// the bytes, so it only does the end.

const STRIPE_BYTES = 32;
const LANES = 4;
const MASK = 64;
const [PRIME_1, PRIME_2, PRIME_3, PRIME_4, PRIME_5] = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
] as const;
/** Halves of the first and the second prime. */
const [LOW_1, HIGH_1, LOW_2, HIGH_2] = [0x85ebca87 | 0, 0x9e3779b1 | 0, 0x27d4eb4f | 0, 0xc2b2ae3d | 0];

/** The high half of the product of two 64-bit numbers; `Math.imul` makes the low one. */
function highOfProduct(low: number, high: number, byLow: number, byHigh: number): number {
  const ofLows = (low & 0xffff) * (byLow & 0xffff);
  const middle = (low >>> 16) * (byLow & 0xffff) + (ofLows >>> 16);
  const other = (low & 0xffff) * (byLow >>> 16) + (middle & 0xffff);
  const carried = (low >>> 16) * (byLow >>> 16) + (middle >>> 16) + (other >>> 16);
  return (carried + Math.imul(high, byLow) + Math.imul(low, byHigh)) | 0;
}

const wrapped = (number: bigint): bigint => BigInt.asUintN(MASK, number);
const rotated = (number: bigint, by: bigint): bigint => wrapped(number << by) | (number >> (64n - by));
const round = (lane: bigint, input: bigint): bigint => wrapped(rotated(wrapped(lane + input * PRIME_2), 31n) * PRIME_1);

export class Xxh64 {
  /** Low and high half of each of the four lanes. */
  readonly #lanes = Int32Array.from(
    [PRIME_1 + PRIME_2, PRIME_2, 0n, -PRIME_1].flatMap((lane) => [
      Number(BigInt.asIntN(32, lane)),
      Number(BigInt.asIntN(32, lane >> 32n)),
    ]),
  );
  readonly #rest = new Uint8Array(STRIPE_BYTES);
  #restBytes = 0;
  #bytes = 0;

  update(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    let at = 0;
    if (this.#restBytes > 0) {
      at = Math.min(STRIPE_BYTES - this.#restBytes, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#restBytes);
      this.#restBytes += at;
      if (this.#restBytes < STRIPE_BYTES) return;
      this.#stripes(this.#rest);
    }
    const end = bytes.length - ((bytes.length - at) % STRIPE_BYTES);
    this.#stripes(bytes.subarray(at, end));
    this.#rest.set(bytes.subarray(end));
    this.#restBytes = bytes.length - end;
  }

  /** The low 32 bits for all bytes so far. */
  low(): number {
    const halves = Array.from(this.#lanes, (half) => BigInt(half >>> 0));
    const lanes = [0, 2, 4, 6].map((at) => halves[at]! | (halves[at + 1]! << 32n));
    let hash: bigint = PRIME_5;
    if (this.#bytes >= STRIPE_BYTES) {
      hash = wrapped([1n, 7n, 12n, 18n].reduce((sum, by, at) => sum + rotated(lanes[at]!, by), 0n));
      for (const lane of lanes) hash = wrapped((hash ^ round(0n, lane)) * PRIME_1 + PRIME_4);
    }
    hash = wrapped(hash + BigInt(this.#bytes));
    const rest = new DataView(this.#rest.buffer, 0, this.#restBytes);
    let at = 0;
    for (; at + 8 <= this.#restBytes; at += 8)
      hash = wrapped(rotated(hash ^ round(0n, rest.getBigUint64(at, true)), 27n) * PRIME_1 + PRIME_4);
    for (; at + 4 <= this.#restBytes; at += 4)
      hash = wrapped(rotated(hash ^ wrapped(BigInt(rest.getUint32(at, true)) * PRIME_1), 23n) * PRIME_2 + PRIME_3);
    for (; at < this.#restBytes; at++)
      hash = wrapped(rotated(hash ^ wrapped(BigInt(rest.getUint8(at)) * PRIME_5), 11n) * PRIME_1);
    hash = wrapped((hash ^ (hash >> 33n)) * PRIME_2);
    hash = wrapped((hash ^ (hash >> 29n)) * PRIME_3);
    return Number(BigInt.asUintN(32, hash ^ (hash >> 32n)));
  }

  /** One lane after the other: each takes eight bytes of every stripe. */
  #stripes(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let lane = 0; lane < LANES; lane++) {
      let low = this.#lanes[2 * lane]!;
      let high = this.#lanes[2 * lane + 1]!;
      for (let at = 8 * lane; at < bytes.length; at += STRIPE_BYTES) {
        const inputLow = view.getInt32(at, true);
        const inputHigh = view.getInt32(at + 4, true);
        // The lane plus the input times the second prime, turned by 31 bits, times the first prime.
        const added = Math.imul(inputLow, LOW_2);
        const sum = (low + added) | 0;
        const carry = sum >>> 0 < added >>> 0 ? 1 : 0;
        const sumHigh = (high + highOfProduct(inputLow, inputHigh, LOW_2, HIGH_2) + carry) | 0;
        const turned = (sum << 31) | (sumHigh >>> 1);
        const turnedHigh = (sumHigh << 31) | (sum >>> 1);
        low = Math.imul(turned, LOW_1);
        high = highOfProduct(turned, turnedHigh, LOW_1, HIGH_1);
      }
      this.#lanes[2 * lane] = low;
      this.#lanes[2 * lane + 1] = high;
    }
  }
}
