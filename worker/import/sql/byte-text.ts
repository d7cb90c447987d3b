// Text made of bytes, one character (0 to 255) for each: SQL files are read this way, so that invalid UTF-8 is not lost before it is known
// whether it is text at all.

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BEYOND_ASCII = /[\x80-\xff]/;
/** Arguments of one call. */
const PIECE = 8192;

export function byteText(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE)
    pieces.push(String.fromCharCode.apply(null, bytes.subarray(at, at + PIECE) as unknown as number[]));
  return pieces.join('');
}

export function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Decodes UTF-8; bytes that are not UTF-8 become U+FFFD. */
export function asText(text: string): string {
  return BEYOND_ASCII.test(text) ? decoder.decode(bytesOf(text)) : text;
}

/**
 * Names and comments in another encoding as the bytes of UTF-8: bytes that are no character become U+FFFD.
 *
 * @throws RangeError for an encoding that is not known
 */
export function asUtf8(text: string, encoding: string): string {
  if (encoding === 'utf-8' || encoding === 'ascii' || !BEYOND_ASCII.test(text)) return text;
  return byteText(encoder.encode(new TextDecoder(encoding).decode(bytesOf(text))));
}

const exactDecoders = new Map<string, TextDecoder>();

/** A value in another encoding as the bytes of UTF-8. Null: some of its bytes are no character. @throws RangeError as {@link asUtf8} */
export function exactUtf8(text: string, encoding: string): string | null {
  if (!BEYOND_ASCII.test(text)) return text;
  const known = exactDecoders.get(encoding) ?? new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  exactDecoders.set(encoding, known);
  try {
    return byteText(encoder.encode(known.decode(bytesOf(text))));
  } catch {
    return null;
  }
}

export function isUtf8Text(text: string): boolean {
  if (!BEYOND_ASCII.test(text)) return true;
  try {
    strict.decode(bytesOf(text));
    return true;
  } catch {
    return false;
  }
}

export function hexOf(text: string): string {
  let hex = '';
  for (let at = 0; at < text.length; at++) hex += text.charCodeAt(at).toString(16).padStart(2, '0');
  return hex;
}
