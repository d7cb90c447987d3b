// Releases memory before it is collected: for gigabytes that pass through in chunks, hundreds of megabytes would pile up as garbage.

interface Transferable extends ArrayBuffer {
  /** Chromium 114, Node 21. */
  transfer?(length: number): ArrayBuffer;
}

let nowhere: MessagePort | null = null;

/** Frees memory without `transfer`, by moving it to a port that nothing listens to. */
function moveToNowhere(buffer: ArrayBuffer): void {
  if (nowhere === null) {
    const { port1, port2 } = new MessageChannel();
    port2.close();
    nowhere = port1;
  }
  nowhere.postMessage(null, [buffer]);
}

/** Detaches `bytes` and frees their memory. Leaves a part of a larger buffer alone. */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === 0 || byteLength !== buffer.byteLength) return;
  const whole = buffer as Transferable;
  if (whole.transfer) whole.transfer(0);
  else moveToNowhere(whole);
}

/** Smaller pieces are not worth the call. */
const LARGE_BYTES = 1 << 16;
/** The overhead of a pipe message around its bytes. */
const AROUND = 64;

/** The buffer of a large piece of bytes if it contains nothing else except the overhead of its message; null otherwise. */
export const ownBuffer = ({ buffer, byteLength }: Uint8Array): ArrayBuffer | null =>
  byteLength >= LARGE_BYTES && buffer.byteLength - byteLength < AROUND ? (buffer as ArrayBuffer) : null;
