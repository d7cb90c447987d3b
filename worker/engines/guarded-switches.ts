// Protective switches of a connection that are off during one piece of work or one transaction. Until they are restored, nothing else runs.
import { AppError } from '#shared/protocol/errors.ts';

interface Switches {
  /** Turns the switches off. If it throws, {@link restore} runs and leaves them on. */
  readonly set: () => void;
  /** Restores the switches and verifies that. May be called again after a failure. @throws the error that prevents it */
  readonly restore: () => void;
}

export class GuardedSwitches {
  /** Not null while the switches may be off. */
  #restore: (() => void) | null = null;
  /** True while the work itself or the restoring runs. */
  #isInside = false;
  #isHeld = false;

  /**
   * Runs `body` while the switches are off. If they cannot be restored afterwards, its result still counts, and {@link assertOn} throws.
   */
  whileOff<T>({ set, restore }: Switches, body: () => T): T {
    this.assertOn();
    this.#restore = restore;
    this.#isInside = true;
    try {
      set();
      return body();
    } finally {
      this.#isInside = false;
      this.#tryRestore();
    }
  }

  /** Turns the switches off until {@link release} and runs `begin`; if that throws, they are restored at once. */
  holdOff({ set, restore }: Switches, begin: () => void): void {
    this.assertOn();
    this.#restore = restore;
    this.#isInside = true;
    try {
      set();
      begin();
      this.#isHeld = true;
    } finally {
      this.#isInside = false;
      if (!this.#isHeld) this.#tryRestore();
    }
  }

  /** True while they are off until {@link release}. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** To be called after {@link holdOff}. If the switches cannot be restored, {@link assertOn} throws. */
  release(): void {
    this.#isHeld = false;
    this.#tryRestore();
  }

  /**
   * To be called before anything runs on the connection: tries again to restore switches if that has failed. @throws AppError `unavailable`
   */
  assertOn(): void {
    if (this.#restore === null || this.#isInside || this.#isHeld || this.#tryRestore()) return;
    throw new AppError({
      code: 'unavailable',
      message:
        'The protections of this database could not be turned on again, so nothing more will be run on it. Committed changes are kept. Close the database and open it again.',
    });
  }

  #tryRestore(): boolean {
    this.#isInside = true;
    try {
      this.#restore?.();
      this.#restore = null;
      return true;
    } catch {
      return false;
    } finally {
      this.#isInside = false;
    }
  }
}
