// Gives memory back before it is collected: of gigabytes that pass through in chunks, hundreds of megabytes would pile up as garbage.

const nowhere = new MessageChannel();
nowhere.port2.close();

/** `bytes` are gone afterwards: what is moved to a port that nobody listens to is freed. A part of a larger buffer is left alone. */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (byteLength === buffer.byteLength) nowhere.port1.postMessage(null, [buffer as ArrayBuffer]);
}
