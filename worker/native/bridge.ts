// A port of main as one that can be handed to a thread.
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { Port } from '#shared/rpc/port.ts';

export function bridge(port: Port): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (message) => port.postMessage(message));
  port1.on('close', () => port.close());
  port.onMessage((message) => port1.postMessage(message));
  port.onClose(() => port1.close());
  return port2;
}
