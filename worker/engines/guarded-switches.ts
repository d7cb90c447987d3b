// Switches that protect a connection and are off for the length of one piece of work, or of one transaction. As long as they are not back nothing else runs.
import { AppError } from '#shared/protocol/errors.ts';

interface Switches {
  /** Turns them off. What it throws, and {@link restore} after it, leaves them on. */
  readonly set: () => void;
  /** Puts them back and looks whether they are. May be called again when it failed. @throws whatever keeps them from coming back */
  readonly restore: () => void;
}

export class GuardedSwitches {
  /** Not null: they may be off. */
  #restore: (() => void) | null = null;
  /** The work itself, or the restoring, is what runs. */
  #isInside = false;
  #isHeld = false;

  /** Runs `body` while they are off. When they do not come back afterwards, its result counts all the same, and {@link assertOn} throws. */
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

  /** Turns them off until {@link release}, and runs `begin`; when that throws they are back at once. */
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

  /** They are off until {@link release}. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** After {@link holdOff}. When they do not come back {@link assertOn} throws. */
  release(): void {
    this.#isHeld = false;
    this.#tryRestore();
  }

  /** Before anything runs on the connection: tries once more to put them back where that failed. @throws AppError `unavailable` */
  assertOn(): void {
    if (this.#restore === null || this.#isInside || this.#isHeld || this.#tryRestore()) return;
    throw new AppError({
      code: 'unavailable',
      message:
        'The protections of this database could not be switched on again, so nothing more is run on it. Committed changes are kept. Close the database and open it again.',
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
