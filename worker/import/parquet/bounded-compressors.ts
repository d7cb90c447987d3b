// Decompressors of pages that never make more than the page is said to have: what compressed data says of itself is not believed.
import { Decompress } from 'fzstd';
import { compressors } from 'hyparquet-compressors';
import type { Compressors } from 'hyparquet/src/types.js';
import type { ReadingLimits } from '../reading-limits.ts';

type Decompressor = (input: Uint8Array, length: number) => Uint8Array;

/** The other ones take the memory they are to fill (see `build/bounded-parquet.ts`). */
const OWN: Readonly<Record<string, Decompressor>> = { ZSTD: zstd };

/** @throws Error where the data has more or less than it is said to have */
export function boundedCompressors({ pageBytes }: Pick<ReadingLimits, 'pageBytes'>): Compressors {
  return Object.fromEntries(
    Object.entries(compressors).map(([codec, decompress]) => [
      codec,
      (input: Uint8Array, length: number): Uint8Array => {
        // This is the empty dictionary of a column without values: LZ4 fails on it.
        if (length === 0) return new Uint8Array();
        if (!(length > 0 && length <= pageBytes)) throw new Error(`a page claims ${length} bytes`);
        return (OWN[codec] ?? decompress)(input, length);
      },
    ]),
  );
}

/** A frame needs no larger window than its page, but some writers do not know the size of a page beforehand. */
const LARGE_WINDOW = 32 << 20;

/** A block at a time: a frame may say nothing of its size, or something else. */
function zstd(input: Uint8Array, length: number): Uint8Array {
  if (windowOf(input) > Math.max(length, LARGE_WINDOW))
    throw new Error('a page needs too much memory to be decompressed');
  const output = new Uint8Array(length);
  let filled = 0;
  const stream = new Decompress((block) => {
    if (filled + block.length > length) throw new Error(`a page has more than the ${length} bytes it says`);
    output.set(block, filled);
    filled += block.length;
  });
  stream.push(input, true);
  if (filled < length) throw new Error(`a page has ${filled} bytes and says ${length}`);
  return output;
}

/** What a frame says it needs (RFC 8878, section 3.1.1.1): its window, or all of its content. */
function windowOf(input: Uint8Array): number {
  const descriptor = input[4] ?? 0;
  const isSingle = (descriptor & 0x20) !== 0;
  if (!isSingle) {
    const window = input[5] ?? 0;
    const base = 2 ** (10 + (window >> 3));
    return base + (base / 8) * (window & 7);
  }
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeBytes = [1, 2, 4, 8][descriptor >> 6]!;
  let size = sizeBytes === 2 ? 256 : 0;
  for (let at = 0; at < sizeBytes; at++) size += (input[5 + dictionaryBytes + at] ?? 0) * 256 ** at;
  return size;
}
