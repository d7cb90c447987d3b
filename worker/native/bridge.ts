// A port of main as one that can be handed to a thread.
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { Port } from '#shared/rpc/port.ts';

export interface Bridge {
  readonly port: MessagePort;
  /** The other end has gone: Node does not hand over a port that is closed (`DataCloneError`). */
  isClosed(): boolean;
}

export function bridge(port: Port): Bridge {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (message) => port.postMessage(message));
  port1.on('close', () => port.close());
  port.onMessage((message) => port1.postMessage(message));
  let closed = false;
  port.onClose(() => {
    closed = true;
    port1.close();
  });
  return { port: port2, isClosed: () => closed };
}
