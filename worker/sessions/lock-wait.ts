// Waiting for other programs: work on a file in place begins once nobody else has it locked. Meanwhile the thread is free for other
// databases, the window sees who is waited for, and Stop is heard. What writes goes on in the order it came.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import type { Clock } from './clock.ts';
import { isGenerator } from './scheduler.ts';
import type { Pause, Turn } from './session.ts';
import type { RunningWork } from './work-monitor.ts';

/** Asking takes some 10 µs. */
const ASK_EVERY_MS = 50;
/** SQLITE_BUSY_SNAPSHOT: this transaction can never write, however long it waits. */
const BUSY_SNAPSHOT = 517;

export interface Waiting {
  readonly kind: 'read' | 'write';
  readonly turn: Turn;
  /** Where it is shown. */
  readonly running: () => RunningWork | null;
}

export class LockWait {
  readonly #connection: Connection;
  readonly #clock: Clock;
  /** What wants to write, in the order it came. */
  readonly #writers: object[] = [];

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** Runs `body`, at once where nobody is in the way. */
  run<T>(waiting: Waiting, body: () => T | Generator<Pause, T, undefined>): T | Generator<Pause, T, undefined> {
    const isFirst = waiting.kind === 'read' || this.#writers.length === 0;
    if (isFirst && (this.#connection.lockedBy?.(waiting.kind) ?? null) === null) return body();
    return this.#runLater(waiting, body);
  }

  /**
   * For work that met a lock on its way: pauses before the next try.
   * @throws what it is given where that is no lock, or none that ends by itself
   */
  *outlast(thrown: unknown, { turn, running }: Omit<Waiting, 'kind'>): Generator<Pause, void> {
    if (!isLock(thrown)) throw thrown;
    const holders = this.#connection.lockHolders?.() ?? null;
    yield* this.#pause(turn, running, inWords(holders));
    running()?.waitFor(null);
  }

  *#runLater<T>(
    { kind, turn, running }: Waiting,
    body: () => T | Generator<Pause, T, undefined>,
  ): Generator<Pause, T, undefined> {
    const ticket = {};
    if (kind === 'write') this.#writers.push(ticket);
    let holders: string | null = null;
    try {
      for (;;) {
        if (kind === 'read' || this.#writers[0] === ticket) {
          holders = this.#connection.lockedBy?.(kind) ?? null;
          if (holders === null) break;
        }
        yield* this.#pause(turn, running, inWords(holders));
      }
    } finally {
      if (kind === 'write') this.#writers.splice(this.#writers.indexOf(ticket), 1);
      running()?.waitFor(null);
    }
    const result = body();
    return isGenerator<T>(result) ? yield* result : (result as T);
  }

  *#pause(turn: Turn, running: () => RunningWork | null, holders: string): Generator<Pause, void> {
    if (turn.stopRequested) throw stoppedWaiting(holders);
    running()?.waitFor(holders);
    turn.pauseUntil(new Promise<void>((resolve) => void this.#clock.after(ASK_EVERY_MS, resolve)));
    yield 'between';
    if (turn.stopRequested) throw stoppedWaiting(holders);
  }
}

/** Another program has the file locked, and it may help to wait. */
export const isLock = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.code === 'locked' && thrown.sqlite?.extended !== BUSY_SNAPSHOT;

const inWords = (holders: string | null): string => holders || 'another program';

export const stoppedWaiting = (holders: string): AppError =>
  new AppError({
    code: 'stopped',
    ...inParts(`Stopped while waiting for ${holders}, which has the file locked.`, 'Nothing was changed.'),
  });
