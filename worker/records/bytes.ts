// Bytes in pieces and in places.

/** The pieces as one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Whether `wanted` stands at `at`. */
export function isAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let n = 0; n < wanted.length; n++) if (bytes[at + n] !== wanted[n]) return false;
  return true;
}
