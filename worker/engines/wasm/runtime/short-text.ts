// Short text out of wasm memory: a call of TextDecoder costs more than the characters of a name or a title.

/** Up to this length ASCII takes a third of the decoder's time or less, and a half where each character is looked at afterwards. */
export const SHORT_BYTES = 96;

const chars = String.fromCharCode;

/** Null when the text is not all ASCII. `length` is at most {@link SHORT_BYTES}. */
export function shortAscii(bytes: Uint8Array, from: number, length: number): string | null {
  const end = from + length;
  let text = '';
  let at = from;
  // Every piece is a string that is joined to the one before: few and long ones are the point.
  for (; at + 16 <= end; at += 16) {
    const piece = sixteen(bytes, at);
    if (piece === null) return null;
    text += piece;
  }
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

function sixteen(bytes: Uint8Array, at: number): string | null {
  const a = bytes[at]!;
  const b = bytes[at + 1]!;
  const c = bytes[at + 2]!;
  const d = bytes[at + 3]!;
  const e = bytes[at + 4]!;
  const f = bytes[at + 5]!;
  const g = bytes[at + 6]!;
  const h = bytes[at + 7]!;
  const i = bytes[at + 8]!;
  const j = bytes[at + 9]!;
  const k = bytes[at + 10]!;
  const l = bytes[at + 11]!;
  const m = bytes[at + 12]!;
  const n = bytes[at + 13]!;
  const o = bytes[at + 14]!;
  const p = bytes[at + 15]!;
  if ((a | b | c | d | e | f | g | h | i | j | k | l | m | n | o | p) > 0x7f) return null;
  return chars(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
}
