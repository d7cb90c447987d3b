// Adapts Electron's message port to the `Port` that rpc uses.
import type { MessagePortMain } from 'electron';
import type { Port } from '#shared/rpc/port.ts';

export function mainPort(port: MessagePortMain): Port {
  return {
    // Transferring an ArrayBuffer out of main throws (electron#34905), so buffers are always copied.
    postMessage: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.on('message', (event) => listener(event.data));
      port.start();
    },
    onClose: (listener) => void port.on('close', listener),
    close: () => port.close(),
  };
}
