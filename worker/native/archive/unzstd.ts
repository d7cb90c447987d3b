// Zstandard (RFC 8878), a block at a time: what a frame says of itself decides over no memory before it is checked. Frames that follow each
// other are one file.
import { Decompress } from 'fzstd';
import { AppError } from '#shared/protocol/errors.ts';
import { joined } from '../../records/bytes.ts';
import type { Pieces } from './packed-file.ts';

const MAGIC = 0xfd2fb528;
/** Magic number of a frame that holds no data of the file; its last four bits are free. */
const SKIPPABLE = 0x184d2a50;
/** Most bytes of a block (section 3.1.1.2.4). */
const MOST_OF_BLOCK = 1 << 17;
/** The largest window of `zstd` without `--ultra -21`, `--ultra -22`, and `--long`; it is moved with each block. */
const LARGEST_WINDOW = 1 << 25;
const [RLE, RESERVED] = [1, 3];
/** A block of a few bytes may take milliseconds: others get their turn in between. */
const PAUSE_AFTER_MS = 20;

/** @throws AppError `invalid`, `unavailable`, and what `packed` throws */
export async function* unzstd(packed: Pieces): Pieces {
  const bytes = new Pulled(packed[Symbol.asyncIterator]());
  try {
    for (let frames = 0; ; frames++) {
      const magic = await bytes.take(4);
      if (magic.length === 0 && frames > 0) return;
      const number = numberOf(magic);
      if (magic.length === 4 && (number & 0xfffffff0) >>> 0 === SKIPPABLE)
        await bytes.skip(numberOf(await bytes.exactly(4)));
      else if (magic.length === 4 && number === MAGIC) yield* frame(bytes, magic);
      else throw damaged();
    }
  } finally {
    await bytes.end();
  }
}

async function* frame(bytes: Pulled, magic: Uint8Array): Pieces {
  const header = await headerOf(bytes, magic);
  const made: Uint8Array[] = [];
  const hash = header.hasChecksum ? new Xxh64() : null;
  const stream = new Decompress((piece) => {
    hash?.update(piece);
    if (piece.length > 0) made.push(piece);
  });
  let pending: readonly Uint8Array[] = header.parts;
  let pausedAtMs = performance.now();
  for (let isLast = false; !isLast;) {
    const block = await bytes.exactly(3);
    const number = numberOf(block);
    isLast = (number & 1) !== 0;
    const [type, size] = [(number >> 1) & 3, number >>> 3];
    if (type === RESERVED || size > MOST_OF_BLOCK) throw damaged();
    const body = await bytes.exactly(type === RLE ? 1 : size);
    const checksum = isLast && hash !== null ? await bytes.exactly(4) : new Uint8Array();
    try {
      stream.push(joined([...pending, block, body, checksum]), isLast);
    } catch (error) {
      throw damaged(error);
    }
    if (isLast && hash !== null && hash.low() !== numberOf(checksum)) throw damaged();
    pending = [];
    yield* made.splice(0);
    if (performance.now() - pausedAtMs < PAUSE_AFTER_MS) continue;
    await new Promise((resolve) => void setImmediate(resolve));
    pausedAtMs = performance.now();
  }
}

interface FrameHeader {
  readonly parts: readonly Uint8Array[];
  readonly hasChecksum: boolean;
}

/** @throws AppError `unavailable` where the frame needs a dictionary, or more memory than there should be */
async function headerOf(bytes: Pulled, magic: Uint8Array): Promise<FrameHeader> {
  const first = await bytes.exactly(1);
  const descriptor = first[0]!;
  const isSingle = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const windowBytes = isSingle ? 0 : 1;
  const rest = await bytes.exactly(windowBytes + dictionaryBytes + sizeBytes);
  if (rest.subarray(windowBytes, windowBytes + dictionaryBytes).some((byte) => byte !== 0))
    throw AppError.unavailable(
      'It was compressed with a dictionary of its own, which Sidelite does not have. Unpack it with the program that packed it.',
    );
  const window = isSingle ? contentSize(rest.subarray(dictionaryBytes)) : windowSize(rest[0]!);
  if (window > LARGEST_WINDOW)
    throw AppError.unavailable(
      'It was compressed in a way that takes more than 32 MB of memory to unpack. Unpack it with zstd first.',
    );
  return { parts: [magic, first, rest], hasChecksum: (descriptor & 4) !== 0 };
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

const contentSize = (field: Uint8Array): number =>
  field.reduce((sum, byte, at) => sum + byte * 256 ** at, field.length === 2 ? 256 : 0);

/** Bytes taken in parts of any length from pieces of any length. */
class Pulled {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #piece = new Uint8Array();
  #at = 0;

  constructor(pieces: AsyncIterator<Uint8Array>) {
    this.#pieces = pieces;
  }

  /** Fewer at the end. */
  async take(length: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (let missing = length; missing > 0;) {
      if (!(await this.#more())) break;
      const part = this.#piece.subarray(this.#at, this.#at + missing);
      parts.push(part);
      this.#at += part.length;
      missing -= part.length;
    }
    return parts.length === 1 ? parts[0]! : joined(parts);
  }

  /** @throws AppError `invalid` at the end */
  async exactly(length: number): Promise<Uint8Array> {
    const bytes = await this.take(length);
    if (bytes.length < length) throw damaged();
    return bytes;
  }

  /** Keeps nothing of what it skips. @throws as {@link exactly} */
  async skip(length: number): Promise<void> {
    for (let missing = length; missing > 0;) {
      if (!(await this.#more())) throw damaged();
      const skipped = Math.min(missing, this.#piece.length - this.#at);
      this.#at += skipped;
      missing -= skipped;
    }
  }

  async end(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #more(): Promise<boolean> {
    while (this.#at === this.#piece.length) {
      const { done, value } = await this.#pieces.next();
      if (done === true) return false;
      [this.#piece, this.#at] = [new Uint8Array(value), 0];
    }
    return true;
  }
}

/** Little-endian; at most four bytes. */
const numberOf = (bytes: Uint8Array): number => bytes.reduce((sum, byte, at) => sum + byte * 256 ** at, 0);

function damaged(cause?: unknown): AppError {
  const error = AppError.invalid(
    'The file is damaged or incomplete: its compressed data cannot be read. Nothing was changed. Download or copy it again.',
  );
  if (cause !== undefined) error.cause = cause;
  return error;
}

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

class Xxh64 {
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
