// Bytes of TEXT as the database stores it: UTF-8, or UTF-16 in either byte order (sqlite.org/pragma.html#pragma_encoding).
import { decodeText } from '#shared/packed-rows/reader.ts';
import type { Value } from '#shared/protocol/values.ts';

export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be';

export function encodeText(text: string, encoding: TextEncodingName): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), encoding === 'utf-16le');
  return new Uint8Array(view.buffer);
}

export const decodeBytes = (bytes: Uint8Array, encoding: TextEncodingName): Value =>
  encoding === 'utf-8' ? decodeText(bytes) : new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);

/** How many bytes at the start belong to a character that begins before them. */
export function brokenStart(bytes: Uint8Array, offset: number, encoding: TextEncodingName): number {
  if (encoding === 'utf-8') {
    let at = 0;
    while (at < 3 && at < bytes.length && (bytes[at]! & 0xc0) === 0x80) at++;
    return offset === 0 ? 0 : at;
  }
  const odd = offset % 2;
  return odd + (isLowSurrogate(bytes, odd, encoding) && offset > 0 ? 2 : 0);
}

/** How many bytes there are up to the end of the last whole character. */
export function wholeCharacters(bytes: Uint8Array, encoding: TextEncodingName): number {
  if (encoding !== 'utf-8') {
    const even = bytes.length - (bytes.length % 2);
    return isHighSurrogate(bytes, even - 2, encoding) ? even - 2 : even;
  }
  let start = bytes.length;
  while (start > 0 && start > bytes.length - 4 && (bytes[start - 1]! & 0xc0) === 0x80) start--;
  const lead = start > 0 ? bytes[start - 1]! : 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
  return length > bytes.length - start + 1 ? start - 1 : bytes.length;
}

function unitAt(bytes: Uint8Array, at: number, encoding: TextEncodingName): number {
  if (at < 0 || at + 1 >= bytes.length) return 0;
  return encoding === 'utf-16le' ? bytes[at]! | (bytes[at + 1]! << 8) : (bytes[at]! << 8) | bytes[at + 1]!;
}

const isHighSurrogate = (bytes: Uint8Array, at: number, encoding: TextEncodingName): boolean =>
  (unitAt(bytes, at, encoding) & 0xfc00) === 0xd800;

const isLowSurrogate = (bytes: Uint8Array, at: number, encoding: TextEncodingName): boolean =>
  (unitAt(bytes, at, encoding) & 0xfc00) === 0xdc00;
