// Finds invalid UTF-8 and NUL bytes in a batch of text: quickly where there are none.
import { FIELD, type RecordBatch } from '../../records/record-batch.ts';

interface OddFields {
  /** Fields that are not UTF-8: from now on they are blobs, so that their bytes are kept. */
  readonly invalid: number;
  readonly invalidLine: number;
  /** Fields with a NUL byte. */
  readonly nuls: number;
  readonly nulLine: number;
}

/** A view of words costs more than to look at so many bytes. */
const LONG_BYTES = 64;
const [HAS_NUL, HAS_INVALID] = [1, 2];

/** Null where everything is UTF-8 without NUL. @param from where the bytes of the batch begin, and `to` where they end. */
export function markOddFields(batch: RecordBatch, from: number, to: number): OddFields | null {
  const { bytes, starts, ends, kinds, recordEnds } = batch;
  const has = oddBytes(bytes, from, to);
  if (has === 0) return null;
  const found = { invalid: 0, invalidLine: 0, nuls: 0, nulLine: 0 };
  for (let record = 0, field = 0; record < batch.records; record++) {
    for (; field < recordEnds[record]!; field++) {
      const [start, end] = [starts[field]!, ends[field]!];
      if ((has & HAS_INVALID) !== 0 && utf8End(bytes, start, end) < end) {
        kinds[field] = FIELD.blob;
        if (found.invalid++ === 0) found.invalidLine = batch.lines[record]!;
      } else if ((has & HAS_NUL) !== 0 && bytes.subarray(start, end).includes(0)) {
        if (found.nuls++ === 0) found.nulLine = batch.lines[record]!;
      }
    }
  }
  return found.invalid + found.nuls > 0 ? found : null;
}

/** Checks four bytes at a time for ASCII. The bytes between fields may make it report too much, never too little. */
function oddBytes(bytes: Uint8Array, from: number, length: number): number {
  const words = new Uint32Array(bytes.buffer, 0, length >> 2);
  let has = 0;
  let done = from;
  for (let at = from >> 2; at < words.length; at++) {
    const word = words[at]!;
    // Borrows set the high bit of a byte that is 0.
    if (((word | (word - 0x01010101)) & 0x80808080) === 0) continue;
    const end = at * 4 + 4;
    if (done < at * 4) done = at * 4;
    while (done < end) {
      if (bytes[done] === 0) has |= HAS_NUL;
      const next = bytes[done]! < 0x80 ? done + 1 : sequenceEnd(bytes, done, length);
      if (next === 0) return has | HAS_INVALID | HAS_NUL;
      done = next;
    }
  }
  for (done = Math.max(done, words.length * 4); done < length; done++) {
    if (bytes[done]! >= 0x80) return has | HAS_INVALID | HAS_NUL;
    if (bytes[done] === 0) has |= HAS_NUL;
  }
  return has;
}

/** The position of the first byte that is not ASCII; the length where all are. */
export function asciiEnd(bytes: Uint8Array): number {
  const { buffer, byteOffset, length } = bytes;
  // A view of words begins at a multiple of their size.
  const begin = Math.min(length, -byteOffset & 3);
  const words = new Uint32Array(buffer, byteOffset + begin, (length - begin) >> 2);
  let at = 0;
  while (at < begin && bytes[at]! < 0x80) at++;
  if (at < begin) return at;
  let word = 0;
  while (word < words.length && (words[word]! & 0x80808080) === 0) word++;
  at = begin + word * 4;
  while (at < length && bytes[at]! < 0x80) at++;
  return at;
}

/** Returns the position where the text stops being UTF-8; `end` where it is all UTF-8. */
export function utf8End(bytes: Uint8Array, start: number, end: number): number {
  let at = end - start > LONG_BYTES ? start + asciiEnd(bytes.subarray(start, end)) : start;
  while (at < end) {
    const next = bytes[at]! < 0x80 ? at + 1 : sequenceEnd(bytes, at, end);
    if (next === 0) return at;
    at = next;
  }
  return end;
}

/** The end of a sequence of two to four bytes; 0 where it is invalid: surrogates, longer than needed, or beyond U+10FFFF. */
function sequenceEnd(bytes: Uint8Array, at: number, end: number): number {
  const byte = bytes[at]!;
  const length = byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > end) return 0;
  const second = bytes[at + 1]!;
  if (second < (byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80)) return 0;
  if (second > (byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf)) return 0;
  for (let n = 2; n < length; n++) if ((bytes[at + n]! & 0xc0) !== 0x80) return 0;
  return at + length;
}

/** Counts characters beyond ASCII, and bytes that are not UTF-8. A character that is cut off at the end counts as neither. */
export function utf8Facts(
  bytes: Uint8Array,
  isWhole: boolean,
): { readonly sequences: number; readonly invalid: number } {
  let sequences = 0;
  let invalid = 0;
  const end = bytes.length;
  for (let at = 0; at < end;) {
    const next = bytes[at]! < 0x80 ? at + 1 : sequenceEnd(bytes, at, end);
    if (next > at + 1) sequences++;
    if (next === 0 && (isWhole || at < end - 3)) invalid++;
    at = next || at + 1;
  }
  return { sequences, invalid };
}
