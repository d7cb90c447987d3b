// The tie of an engine's process to main: messages with ports.
import type { Port } from '#shared/rpc/port.ts';

export type OnParentMessage = (message: unknown, ports: readonly Port[]) => void;

interface ElectronPort {
  postMessage(message: unknown): void;
  on(
    event: 'message',
    listener: (event: { readonly data: unknown; readonly ports: readonly ElectronPort[] }) => void,
  ): void;
  on(event: 'close', listener: () => void): void;
  start?(): void;
  close?(): void;
}

export interface ParentLink {
  onMessage(listener: OnParentMessage): void;
  tell(message: unknown): void;
}

/** A utility process ends with main, so nobody has to notice that. */
export function linkToParent(): ParentLink {
  const { parentPort } = process as unknown as { readonly parentPort: ElectronPort };
  return {
    onMessage: (listener) => parentPort.on('message', ({ data, ports }) => listener(data, ports.map(electronPort))),
    tell: (message) => parentPort.postMessage(message),
  };
}

function electronPort(port: ElectronPort): Port {
  return {
    postMessage: (message) => port.postMessage(message),
    onMessage(listener) {
      port.on('message', ({ data }) => listener(data));
      port.start?.();
    },
    onClose: (listener) => port.on('close', listener),
    close: () => port.close?.(),
  };
}
