// Waits for other programs: work on a file in place begins once no other program has it locked. Meanwhile the thread is free for other
// databases, the window shows which program it waits for, and Stop works. Writes run in the order they came.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import type { Clock } from './clock.ts';
import { isGenerator } from './scheduler.ts';
import type { Pause, Turn } from './session.ts';
import type { RunningWork } from './work-monitor.ts';

/** A check takes about 10 µs. */
const ASK_EVERY_MS = 50;
/** SQLITE_BUSY_SNAPSHOT: this transaction can never write, so waiting is useless. */
const BUSY_SNAPSHOT = 517;
/** Work that meets a lock this soon after the last one still waits for the same lock: SQLite itself has waited in between. */
const SAME_LOCK_MS = 1000;

interface Waiting {
  readonly kind: 'read' | 'write';
  readonly turn: Turn;
  /** Work that shows the wait. */
  readonly running: () => RunningWork | null;
}

export class LockWait {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  /** When work that met a lock halfway began to wait, and when it last met the lock. */
  readonly #met = new WeakMap<Turn, { readonly sinceMs: number; readonly lastMs: number }>();
  /** The waiting writes, in the order they came. */
  readonly #writers: object[] = [];

  /** @param timeoutMs after this long, work fails with `locked`; Infinity where a user can stop it */
  constructor(connection: Connection, clock: Clock, timeoutMs = Infinity) {
    this.#connection = connection;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Runs `body`, at once when no other program blocks it. */
  run<T>(waiting: Waiting, body: () => T | Generator<Pause, T, undefined>): T | Generator<Pause, T, undefined> {
    const isFirst = waiting.kind === 'read' || this.#writers.length === 0;
    if (isFirst && (this.#connection.lockedBy?.(waiting.kind) ?? null) === null) return body();
    return this.#runLater(waiting, body);
  }

  /**
   * Handles work that met a lock halfway: pauses before the next try.
   * @throws `thrown` itself when it is not a lock, or not one that ends on its own
   */
  *outlast(thrown: unknown, { turn, running }: Omit<Waiting, 'kind'>): Generator<Pause, void> {
    if (!isLock(thrown)) throw thrown;
    const holders = this.#connection.lockHolders?.() ?? null;
    const now = this.#clock.now();
    const met = this.#met.get(turn);
    const sinceMs = met && now - met.lastMs < SAME_LOCK_MS ? met.sinceMs : now;
    this.#met.set(turn, { sinceMs, lastMs: now });
    yield* this.#pause({ turn, running, holders: asText(holders), sinceMs });
    running()?.waitFor(null);
  }

  *#runLater<T>(
    { kind, turn, running }: Waiting,
    body: () => T | Generator<Pause, T, undefined>,
  ): Generator<Pause, T, undefined> {
    const ticket = {};
    if (kind === 'write') this.#writers.push(ticket);
    let holders: string | null = null;
    let sinceMs = this.#clock.now();
    try {
      for (;;) {
        if (kind === 'read' || this.#writers[0] === ticket) {
          holders = this.#connection.lockedBy?.(kind) ?? null;
          if (holders === null) break;
        }
        // While it is queued behind other work of this process, it does not wait for another program yet.
        if (holders === null) sinceMs = this.#clock.now();
        yield* this.#pause({ turn, running, holders: asText(holders), sinceMs });
      }
    } finally {
      if (kind === 'write') this.#writers.splice(this.#writers.indexOf(ticket), 1);
      running()?.waitFor(null);
    }
    const result = body();
    return isGenerator<T>(result) ? yield* result : (result as T);
  }

  *#pause({ turn, running, holders, sinceMs }: LockPause): Generator<Pause, void> {
    if (turn.stopRequested) throw stoppedWaiting(holders);
    if (this.#clock.now() - sinceMs >= this.#timeoutMs) throw waitedTooLong(holders);
    running()?.waitFor(holders);
    turn.pauseUntil(new Promise<void>((resolve) => void this.#clock.after(ASK_EVERY_MS, resolve)));
    yield 'between';
    if (turn.stopRequested) throw stoppedWaiting(holders);
  }
}

interface LockPause extends Omit<Waiting, 'kind'> {
  /** Names of the programs, for display. */
  readonly holders: string;
  readonly sinceMs: number;
}

/** Whether another program has the file locked and waiting may help. */
export const isLock = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.code === 'locked' && thrown.sqlite?.extended !== BUSY_SNAPSHOT;

const asText = (holders: string | null): string => holders || 'another program';

export const waitedTooLong = (holders: string): AppError =>
  AppError.locked(
    inParts(`The file is still locked by ${holders}.`, 'Nothing was changed. Try again when that is done.'),
  );

export const stoppedWaiting = (holders: string): AppError =>
  AppError.stopped(inParts(`Stopped while waiting for ${holders}, which has the file locked.`, 'Nothing was changed.'));
