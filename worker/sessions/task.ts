// Tasks of a database's queue, and what the queue keeps of them.
import type { AppError } from '#shared/protocol/errors.ts';
import type { Clock } from './clock.ts';
import type { Pause, WorkKind } from './session.ts';

export interface Slice {
  deadlineMs: number;
  stopRequested: boolean;
  /** The pause that follows lasts until this settles. */
  pauseUntil: Promise<unknown> | null;
}

export interface Task {
  /** Tasks of one lane keep their order; lanes take turns. */
  readonly lane: object;
  readonly kind: WorkKind;
  /** See `WorkRequest`. */
  readonly pausesReading?: boolean;
  readonly continues?: boolean;
  readonly slice: Slice;
  /** Returns the result, or a generator that pauses and returns it. */
  readonly body: () => unknown;
}

/** If a hook throws, its task fails with that error and the queue continues. */
export interface SchedulerHooks<T extends Task> {
  readonly clock: Clock;
  /** True while tasks of another scheduler wait for the same thread. */
  readonly busyElsewhere?: () => boolean;
  /** True between BEGIN and COMMIT. */
  readonly inTransaction: () => boolean;
  /** Returns why this task may not run at the moment, or null. Called before each of its turns. */
  readonly refusal?: (task: T) => AppError | null;
  readonly beforeTurn?: (task: T) => void;
  readonly afterTurn?: (task: T, ended: 'no' | 'done' | 'failed', error?: unknown) => void;
}

export interface Job<T extends Task> {
  readonly task: T;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  generator: Generator<Pause, unknown, undefined> | null;
  state: 'fresh' | Pause;
  /** The body waits for `pauseUntil`; the job gets no turn before that settles. */
  parked: boolean;
  waitingSinceMs: number;
  /** Number of its last turn, or of the turn in which it was queued. */
  lastTurn: number;
}

export interface Lane<T extends Task> {
  readonly queue: Job<T>[];
  readonly started: Job<T>[];
  lastTurn: number;
}
