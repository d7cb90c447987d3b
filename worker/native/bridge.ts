// Wraps a port of main so that it can be handed to a thread.
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Port } from '#shared/rpc/port.ts';
import { ownBuffer } from '../threads/free-buffer.ts';

export interface Bridge {
  readonly port: MessagePort;
  /** The other end has gone: Node does not hand over a port that is closed (`DataCloneError`). */
  isClosed(): boolean;
}

export function bridge(port: Port): Bridge {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (message) => port.postMessage(message));
  port1.on('close', () => port.close());
  port.onMessage((message) => port1.postMessage(message, bytesIn(message)));
  let closed = false;
  port.onClose(() => {
    closed = true;
    port1.close();
  });
  return { port: port2, isClosed: () => closed };
}

/** Bytes of a file in an answer are transferred: copies, which the collector hardly sees, would pile up, a gigabyte for each one read. */
function bytesIn(message: unknown): readonly ArrayBuffer[] {
  const { t, value } = message as { readonly t?: unknown; readonly value?: unknown };
  const buffer = t === 'ok' && value instanceof Uint8Array ? ownBuffer(value) : null;
  return buffer === null ? [] : [buffer];
}
