// A window as the worker knows it: a name, a way to send it events, and what to free when it goes away.
import type { Events } from '#shared/protocol/session.ts';
import type { WindowSession } from './session.ts';

type Send = <T extends keyof Events>(topic: T, value: Events[T]) => void;

export class ClientWindow implements WindowSession {
  readonly send: Send;
  #windowId: string;
  #windowTitle = 'another window';
  readonly #disposers = new Set<() => void>();

  constructor(windowId: string, send: Send) {
    this.#windowId = windowId;
    this.send = send;
  }

  get windowId(): string {
    return this.#windowId;
  }

  get windowTitle(): string {
    return this.#windowTitle;
  }

  introduce(windowId: string, windowTitle: string): void {
    this.#windowId = windowId;
    this.#windowTitle = windowTitle;
  }

  onEnd(dispose: () => void): () => void {
    this.#disposers.add(dispose);
    return () => void this.#disposers.delete(dispose);
  }

  end(): void {
    for (const dispose of this.#disposers) dispose();
    this.#disposers.clear();
  }
}
