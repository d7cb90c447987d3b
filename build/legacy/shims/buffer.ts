// What Node 16 lacks of `node:buffer`.

export function isAscii(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! > 0x7f) return false;
  return true;
}
