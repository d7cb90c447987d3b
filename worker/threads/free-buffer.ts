// Gives memory back before it is collected: of gigabytes that pass through in chunks, hundreds of megabytes would pile up as garbage.

const nowhere = new MessageChannel();
nowhere.port2.close();

/** Frees the memory of `bytes` by transferring it to a closed port. Does nothing for a part of a larger buffer. */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === buffer.byteLength) nowhere.port1.postMessage(null, [buffer as ArrayBuffer]);
}

/** Smaller pieces are not worth the call. */
const LARGE_BYTES = 1 << 16;
/** The overhead of a pipe message around its bytes. */
const AROUND = 64;

/** The buffer of a large piece of bytes if it contains nothing else except the overhead of its message; null otherwise. */
export const ownBuffer = ({ buffer, byteLength }: Uint8Array): ArrayBuffer | null =>
  byteLength >= LARGE_BYTES && buffer.byteLength - byteLength < AROUND ? (buffer as ArrayBuffer) : null;
