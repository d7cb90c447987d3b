// Pause and Stop of one run, and whether its window was hidden: all waits for engines go through here, so that Stop never waits for one.
import { AppError } from '#shared/protocol/errors.ts';

export class RunControl {
  #stop!: (error: AppError) => void;
  readonly #stopped = new Promise<never>((_resolve, reject) => (this.#stop = reject));
  #resume: (() => void) | null = null;
  #paused: Promise<void> | null = null;
  /** State of the window; `was-hidden`: visible again, but {@link takeHidden} has not been called since. */
  #window: 'visible' | 'hidden' | 'was-hidden' = 'visible';
  #pausedAtMs: number | null = null;
  #pausedMs = 0;
  isStopped = false;

  constructor() {
    this.#stopped.catch(() => undefined);
  }

  get isPaused(): boolean {
    return this.#paused !== null;
  }

  /** Total time of all pauses. */
  get pausedMs(): number {
    return this.#pausedMs + (this.#pausedAtMs === null ? 0 : performance.now() - this.#pausedAtMs);
  }

  /** Takes effect between two samples, never within one. */
  pause(): void {
    this.#pausedAtMs ??= performance.now();
    this.#paused ??= new Promise((resolve) => (this.#resume = resolve));
  }

  resume(): void {
    this.#pausedMs = this.pausedMs;
    this.#pausedAtMs = null;
    this.#resume?.();
    this.#paused = null;
  }

  /** Systems slow down the process of a window that is not visible. */
  setHidden(isHidden: boolean): void {
    if (isHidden) this.#window = 'hidden';
    else if (this.#window === 'hidden') this.#window = 'was-hidden';
  }

  /** Whether the window was hidden at any time since this was asked last. */
  takeHidden(): boolean {
    const was = this.#window !== 'visible';
    if (this.#window === 'was-hidden') this.#window = 'visible';
    return was;
  }

  stop(): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.resume();
    this.#stop(AppError.stopped('Stopped. The results so far are kept.'));
  }

  /** @throws AppError `stopped` as soon as the run is stopped */
  async wait<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#stopped]);
  }

  /** Called between two samples: returns at once, or when the run is no longer paused. */
  async checkpoint(): Promise<void> {
    if (this.isStopped) await this.#stopped;
    if (this.#paused) await this.wait(this.#paused);
  }
}
