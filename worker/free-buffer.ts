// Gives memory back before it is collected: of gigabytes that pass through in chunks, hundreds of megabytes would pile up as garbage.

const nowhere = new MessageChannel();
nowhere.port2.close();

/** `bytes` must own its buffer, and is empty afterwards: what is moved to a port that nobody listens to is freed. */
export function freeBuffer({ buffer }: Uint8Array): void {
  nowhere.port1.postMessage(null, [buffer as ArrayBuffer]);
}
