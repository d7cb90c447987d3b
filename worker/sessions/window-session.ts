// A window in the worker: its name, and a way to send it events.
import type { Events } from '#shared/protocol/session.ts';
import type { WindowSession } from './session.ts';

type Send = <T extends keyof Events>(topic: T, value: Events[T]) => void;

export class ClientWindow implements WindowSession {
  readonly send: Send;
  /** Assigned by the main process, so a page cannot claim to be another window. */
  readonly windowId: string;
  #windowTitle = 'another window';

  constructor(windowId: string, send: Send) {
    this.windowId = windowId;
    this.send = send;
  }

  get windowTitle(): string {
    return this.#windowTitle;
  }

  introduce(windowTitle: string): void {
    this.#windowTitle = windowTitle;
  }
}
