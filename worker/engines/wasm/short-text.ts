// Short text out of wasm memory: a call of TextDecoder costs more than the characters of a name.

/** Up to here a loop over ASCII beats the decoder. */
export const SHORT_BYTES = 24;

const chars = String.fromCharCode;

/** Null when it is not all ASCII. `length` is at most {@link SHORT_BYTES}. */
export function shortAscii(bytes: Uint8Array, from: number, length: number): string | null {
  const end = from + length;
  let text = '';
  let at = from;
  for (; at + 4 <= end; at += 4) {
    const a = bytes[at]!;
    const b = bytes[at + 1]!;
    const c = bytes[at + 2]!;
    const d = bytes[at + 3]!;
    if ((a | b | c | d) > 0x7f) return null;
    text += chars(a, b, c, d);
  }
  for (; at < end; at++) {
    const unit = bytes[at]!;
    if (unit > 0x7f) return null;
    text += chars(unit);
  }
  return text;
}
