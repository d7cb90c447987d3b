// The four methods both sides need from any kind of MessagePort (DOM, MessagePortMain, a fake in tests).

export interface Port {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  /** Each event has at most one listener; setting `onMessage` starts the port. */
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}

/** The part of a DOM MessagePort that {@link domPort} needs; declared here because `shared` has no DOM types. */
interface DomPortLike {
  postMessage(message: unknown, transfer: never): void;
  addEventListener(type: string, listener: (event: object) => void): void;
  /** Node's own way to listen. */
  on?(type: string, listener: (message: unknown) => void): void;
  start(): void;
  close(): void;
}

/** Wraps a DOM MessagePort. Chromium fires `close` when the other end closes or its process dies. */
export function domPort(port: DomPortLike): Port {
  return {
    postMessage: (message, transfer = []) => port.postMessage(message, transfer as never),
    onMessage: (listener) => {
      // To make an event, Node loads its client of HTTP: 38 ms of processor time and 16 MB, in each thread.
      if (port.on) port.on('message', listener);
      else port.addEventListener('message', (event) => listener((event as { readonly data: unknown }).data));
      port.start();
    },
    onClose: (listener) => port.addEventListener('close', () => listener()),
    close: () => port.close(),
  };
}
