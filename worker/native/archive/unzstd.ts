// Zstandard (RFC 8878), a block at a time: what a frame says of itself decides over no memory before it is checked. Frames that follow each
// other are one file.
import { Decompress } from 'fzstd';
import { AppError } from '#shared/protocol/errors.ts';
import { joined } from '../../records/bytes.ts';
import { Xxh64 } from '../../records/xxh64.ts';
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
