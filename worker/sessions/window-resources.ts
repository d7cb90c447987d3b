// Resources each window uses in a database, to be freed when the window leaves it.
import type { WindowSession } from './session.ts';

export class WindowResources {
  readonly #byWindow = new Map<WindowSession, Set<() => void>>();

  /** Returns a function for when the resource has been freed earlier. */
  add(window: WindowSession, dispose: () => void): () => void {
    const disposers = this.#byWindow.get(window) ?? new Set();
    this.#byWindow.set(window, disposers);
    disposers.add(dispose);
    return () => void disposers.delete(dispose);
  }

  dispose(window: WindowSession): void {
    for (const dispose of this.#byWindow.get(window) ?? []) dispose();
    this.#byWindow.delete(window);
  }
}
