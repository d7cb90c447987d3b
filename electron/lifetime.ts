// The listeners and handlers that a running app has attached to objects of the process that outlive the app, such as `app`, `ipcMain`, and
// timers.
import type { EventEmitter } from 'node:events';

/** Ends once, in the order in which things were attached. */
export class Lifetime {
  #ends: (() => void)[] = [];

  /** @param end called when the app ends */
  add(end: () => void): void {
    this.#ends.push(end);
  }

  /** Listens until the app ends. */
  on<Args extends readonly unknown[]>(
    emitter: Pick<EventEmitter, 'on' | 'off'>,
    event: string,
    listener: (...args: Args) => void,
  ): void {
    const untyped = listener as unknown as (...args: unknown[]) => void;
    emitter.on(event, untyped);
    this.add(() => emitter.off(event, untyped));
  }

  end(): void {
    const ends = this.#ends;
    this.#ends = [];
    for (const end of ends) end();
  }
}
