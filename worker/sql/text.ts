// Bytes of a TEXT value as represented in JavaScript.
import type { Value } from '#shared/protocol/values.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A string, or the bytes themselves when they are not valid UTF-8. */
export function decodeText(bytes: Uint8Array): Value {
  try {
    return decoder.decode(bytes);
  } catch {
    return { textBytes: bytes.slice() };
  }
}
