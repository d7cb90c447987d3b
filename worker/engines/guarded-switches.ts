// Protective switches of a connection that are off during one piece of work or one transaction. Until they are restored, nothing else runs.
import { AppError } from '#shared/protocol/errors.ts';

interface Switches {
  /** Turns the switches off. If it throws, {@link restore} runs and leaves them on. */
  readonly set: () => void;
  /** Restores the switches and verifies that. May be called again after a failure. @throws the error that prevents it */
  readonly restore: () => void;
}

/**
 * ```
 * on ── whileOff, holdOff ──► working ── holdOff is done ──► held
 *  ▲                             │                            │ release
 *  └──── switches restored ──────┴────────────────────────────┤
 *                                                             ▼
 *                    stuck ◄── switches could not be restored (each assertOn tries again)
 * ```
 */
type State =
  | { readonly kind: 'on' }
  /** The work itself, or the restoring, runs statements of its own. */
  | { readonly kind: 'working' }
  /** Off until {@link GuardedSwitches.release}: the statements of a transaction run. */
  | { readonly kind: 'held'; readonly restore: () => void }
  | { readonly kind: 'stuck'; readonly restore: () => void };

export class GuardedSwitches {
  #state: State = { kind: 'on' };

  /**
   * Runs `body` while the switches are off. If they cannot be restored afterwards, its result still counts, and {@link assertOn} throws.
   */
  whileOff<T>({ set, restore }: Switches, body: () => T): T {
    this.assertOn();
    this.#state = { kind: 'working' };
    try {
      set();
      return body();
    } finally {
      this.#restore(restore);
    }
  }

  /** Turns the switches off until {@link release} and runs `begin`; if that throws, they are restored at once. */
  holdOff({ set, restore }: Switches, begin: () => void): void {
    this.assertOn();
    this.#state = { kind: 'working' };
    try {
      set();
      begin();
    } catch (error) {
      this.#restore(restore);
      throw error;
    }
    this.#state = { kind: 'held', restore };
  }

  /** True while they are off until {@link release}. */
  get isHeld(): boolean {
    return this.#state.kind === 'held';
  }

  /** Call after {@link holdOff}. If the switches cannot be restored, {@link assertOn} throws. */
  release(): void {
    if (this.#state.kind === 'held') this.#restore(this.#state.restore);
  }

  /** Call before anything runs on the connection: tries again to restore switches if that has failed. @throws AppError `unavailable` */
  assertOn(): void {
    if (this.#state.kind !== 'stuck' || this.#restore(this.#state.restore)) return;
    throw AppError.unavailable(
      'The protections of this database could not be turned on again, so nothing more will be run on it. Committed changes are kept. Close the database and open it again.',
    );
  }

  #restore(restore: () => void): boolean {
    this.#state = { kind: 'working' };
    try {
      restore();
      this.#state = { kind: 'on' };
      return true;
    } catch {
      this.#state = { kind: 'stuck', restore };
      return false;
    }
  }
}
