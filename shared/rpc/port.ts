// The four lines both sides need from a MessagePort, whichever kind it is (DOM, MessagePortMain, a test's fake).

export interface Port {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  /** At most one listener each; setting `onMessage` starts the port. */
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}

/** What {@link domPort} needs of a DOM MessagePort; spelled out because `shared` knows no DOM. */
interface DomPortLike {
  postMessage(message: unknown, transfer: never): void;
  addEventListener(type: string, listener: (event: object) => void): void;
  start(): void;
  close(): void;
}

/** Wraps a DOM MessagePort. Chromium fires `close` when the other end closes or its process dies. */
export function domPort(port: DomPortLike): Port {
  return {
    postMessage: (message, transfer = []) => port.postMessage(message, transfer as never),
    onMessage: (listener) => {
      port.addEventListener('message', (event) => listener((event as { readonly data: unknown }).data));
      port.start();
    },
    onClose: (listener) => port.addEventListener('close', () => listener()),
    close: () => port.close(),
  };
}
