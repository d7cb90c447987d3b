// Tracks whether the WAL of one database holds commits that its file does not, and when it is quiet enough to move them into the file.
import type { Clock } from './clock.ts';
import { QuietTimer } from './quiet-timer.ts';

/** After this much quiet the WAL is moved into the file, so that it stays small and the next start has nothing to recover. */
const IDLE_CHECKPOINT_MS = 2000;

export class Checkpoints {
  readonly #timer: QuietTimer;
  #isDue = false;
  #lastAtMs: number | null = null;

  /** @param move called when it is quiet; the caller reports success with {@link done} */
  constructor(clock: Clock, move: () => void) {
    this.#timer = new QuietTimer(clock, IDLE_CHECKPOINT_MS, move);
  }

  get isDue(): boolean {
    return this.#isDue;
  }

  get state(): { readonly checkpointed: boolean; readonly lastCheckpointAtMs: number | null } {
    return { checkpointed: !this.#isDue, lastCheckpointAtMs: this.#lastAtMs };
  }

  noteCommit(): void {
    this.#isDue = true;
  }

  /** Called after each piece of work: it is not quiet yet. */
  plan(): void {
    if (this.#isDue) this.#timer.poke();
  }

  /** Everything is in the file. */
  done(): void {
    if (this.#isDue) this.#lastAtMs = Date.now();
    this.#isDue = false;
    this.#timer.cancel();
  }

  cancel(): void {
    this.#timer.cancel();
  }
}
