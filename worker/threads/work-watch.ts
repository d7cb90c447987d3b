// The host page's watch on the worker: informs windows about long work while the worker receives no messages, and passes on requests to
// stop.
import type { Work } from '#shared/protocol/session.ts';
import type { WorkStatusBuffer } from './work-status-buffer.ts';

/** Shorter work is not shown. */
const ANNOUNCED_AFTER_MS = 150;
const LOOK_EVERY_MS = 50;
/** More than enough: a user does not stop this many calls at once. */
const WISHES_KEPT = 64;

interface WatchContext {
  /** The worker's `Date.now()`. */
  now(): number;
  /** Returns the function that ends it. */
  every(intervalMs: number, look: () => void): () => void;
  /** Everything that runs longer than 150 ms, oldest first; called when that has changed. */
  tell(works: readonly Work[]): void;
}

export class WorkWatch {
  readonly #status: WorkStatusBuffer;
  readonly #context: WatchContext;
  readonly #stopAskedAtMs = new Map<number, number>();
  /** Calls that are to be stopped: their work may not have begun, or another part of it may follow. */
  #wishes: { readonly windowId: string; readonly call: number }[] = [];
  #endLooking: (() => void) | null = null;
  #hasEnded = false;
  #told = '[]';
  #works: readonly Work[] = [];

  constructor(workStatus: WorkStatusBuffer, context: WatchContext) {
    this.#status = workStatus;
    this.#context = context;
  }

  /** The last message to the windows, for those that connect later. */
  get works(): readonly Work[] {
    return this.#works;
  }

  /** The worker has begun work while the watch was not polling. */
  wake(): void {
    if (this.#hasEnded) return;
    this.#status.setWatched(true);
    this.#endLooking ??= this.#context.every(LOOK_EVERY_MS, () => this.#look());
  }

  stop(id: number): void {
    if (!this.#status.stop(id) || this.#stopAskedAtMs.has(id)) return;
    this.#stopAskedAtMs.set(id, this.#context.now());
  }

  /** Stops all current and later work for that call of that window. */
  stopCall(windowId: string, call: number): void {
    this.#wishes = [...this.#wishes, { windowId, call }].slice(-WISHES_KEPT);
    this.wake();
    this.#look();
  }

  /** A reloaded window counts its calls from the beginning. */
  forget(windowId: string): void {
    this.#wishes = this.#wishes.filter((wish) => wish.windowId !== windowId);
  }

  /**
   * The worker is gone. Messages still on their way from or to it must not show work that would never be cleared. The work it was busy with
   * stays shown until the windows know that the connection is gone, so that they know why the worker was ended.
   */
  end(): void {
    this.#hasEnded = true;
    this.#rest();
  }

  #look(): void {
    if (this.#hasEnded) return;
    const running = this.#status.read();
    if (running.length === 0 && this.#status.isEmpty) {
      this.#rest();
      // Begun between the two looks, when the worker still thought it was watched. It may be in the middle of writing, so only a
      // buffer that is empty for certain is left alone: what runs for minutes may be the last thing it ever begins.
      if (!this.#status.isEmpty) this.wake();
    }
    for (const { id, windowId, call } of running)
      if (this.#wishes.some((wish) => wish.windowId === windowId && wish.call === call)) this.stop(id);
    for (const id of this.#stopAskedAtMs.keys())
      if (!running.some((work) => work.id === id)) this.#stopAskedAtMs.delete(id);
    const since = this.#context.now() - ANNOUNCED_AFTER_MS;
    this.#announce(
      running
        .filter(({ startedAtMs }) => startedAtMs <= since)
        .map(({ turnBeganAtMs: turn, ...work }) => ({
          ...work,
          holdsSinceMs: turn !== null && turn <= since ? turn : null,
          stopAskedAtMs: this.#stopAskedAtMs.get(work.id) ?? null,
        })),
    );
  }

  #rest(): void {
    this.#endLooking?.();
    this.#endLooking = null;
    this.#status.setWatched(false);
  }

  #announce(works: readonly Work[]): void {
    const telling = JSON.stringify(works);
    if (telling === this.#told) return;
    this.#told = telling;
    this.#works = works;
    this.#context.tell(works);
  }
}
