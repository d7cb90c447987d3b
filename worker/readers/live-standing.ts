// Whether a result follows the database, and why not.
//
//   live ── a run passes its limit ──▶ too-slow
//   live ◀── a run fails, a later one succeeds ──▶ failed
//   any  ── pause, or a stopped run ──▶ paused
//   any  ── start ──▶ live
//   fixed: the statement cannot be run again
import { AppError } from '#shared/protocol/errors.ts';
import type { LiveState } from '#shared/protocol/live.ts';
import { isStop } from './query-run.ts';

export class LiveStanding {
  /** The state after the user stops a run. */
  readonly #whenStopped: 'paused' | 'failed';
  readonly #changed: () => void;
  #state: LiveState;
  #why: string | null = null;

  /** @param changed called after each run and each change of the state */
  constructor(state: LiveState, whenStopped: 'paused' | 'failed', changed: () => void) {
    this.#state = state;
    this.#whenStopped = whenStopped;
    this.#changed = changed;
  }

  get state(): LiveState {
    return this.#state;
  }

  /** Reason shown to the user, when `failed`. */
  get why(): string | null {
    return this.#why;
  }

  /** Runs again after changes. */
  get follows(): boolean {
    return this.#state === 'live' || this.#state === 'failed';
  }

  become(state: LiveState, why: string | null = null): void {
    this.#state = state;
    this.#why = why;
    this.#changed();
  }

  /** SQLite cannot be interrupted everywhere, so a run may complete after its limit. */
  ranWhole(ranPastLimit: boolean): void {
    if (this.follows) this.become(ranPastLimit ? 'too-slow' : 'live');
    else this.#changed();
  }

  /** A run ended early, with this error. @param hasRows of an earlier run, which stay on screen */
  ranPartly(error: unknown, isTooSlow: boolean, hasRows: boolean): void {
    if (isTooSlow) this.become('too-slow');
    else if (isStop(error) && hasRows && this.#whenStopped === 'paused') this.become('paused');
    else this.become('failed', sentenceOf(error));
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'The query could not be run again. The previous rows are kept.';
}
