// Finds in a batch of text what is no UTF-8, and NUL bytes: quickly where there are none.
import { FIELD, type RecordBatch } from '../../records/record-batch.ts';

export interface OddFields {
  /** Fields that are no UTF-8: from now on they are blobs, so that their bytes are kept. */
  readonly invalid: number;
  readonly invalidLine: number;
  /** Fields with a NUL byte. */
  readonly nuls: number;
  readonly nulLine: number;
}

/** Null where there is nothing but UTF-8 without NUL. @param length of the bytes of the batch that are in use. */
export function markOddFields(batch: RecordBatch, length: number): OddFields | null {
  const { bytes, starts, ends, kinds, recordEnds } = batch;
  const has = oddBytes(bytes, length);
  const mayBeInvalid = has.high && !isUtf8(bytes, 0, length);
  if (!has.nul && !mayBeInvalid) return null;
  const found = { invalid: 0, invalidLine: 0, nuls: 0, nulLine: 0 };
  for (let record = 0, field = 0; record < batch.records; record++) {
    for (; field < recordEnds[record]!; field++) {
      const [start, end] = [starts[field]!, ends[field]!];
      if (mayBeInvalid && !isUtf8(bytes, start, end)) {
        (kinds as Uint8Array)[field] = FIELD.blob;
        if (found.invalid++ === 0) found.invalidLine = batch.lines[record]!;
      } else if (has.nul && bytes.subarray(start, end).includes(0)) {
        if (found.nuls++ === 0) found.nulLine = batch.lines[record]!;
      }
    }
  }
  return found.invalid + found.nuls > 0 ? found : null;
}

/** Four bytes at a time. May say too much of either, never too little. */
function oddBytes(bytes: Uint8Array, length: number): { readonly high: boolean; readonly nul: boolean } {
  const words = new Uint32Array(bytes.buffer, 0, length >> 2);
  let high = 0;
  let nul = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    high |= word;
    nul |= (word - 0x01010101) & ~word;
  }
  for (let at = words.length * 4; at < length; at++) {
    high |= bytes[at]!;
    if (bytes[at] === 0) nul |= 0x80;
  }
  return { high: (high & 0x80808080) !== 0, nul: (nul & 0x80808080) !== 0 };
}

/** Strictly: no surrogates, nothing longer than needed, nothing beyond U+10FFFF. */
export function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    const byte = bytes[at++]!;
    if (byte < 0x80) continue;
    const more = byte < 0xc2 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : byte < 0xf5 ? 3 : 0;
    if (more === 0 || at + more > end) return false;
    const next = bytes[at]!;
    if (next < (byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80)) return false;
    if (next > (byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf)) return false;
    for (let n = 1; n < more; n++) if ((bytes[at + n]! & 0xc0) !== 0x80) return false;
    at += more;
  }
  return true;
}
