// A piece of work in the queue of a database: its request, how long it has worked, and the turn that its body gets.
import type { Connection } from '../engines/engine.ts';
import type { Clock } from './clock.ts';
import type { LockWait } from './lock-wait.ts';
import type { Slice, Task } from './task.ts';
import { type Turn, type WindowSession, type WorkKind, type WorkRequest, newRun, type WorkOrigin } from './session.ts';
import type { RunningWork } from './work-monitor.ts';

interface WorkContext {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly locks: LockWait;
}

export class QueuedWork implements Task {
  readonly lane: WindowSession;
  readonly kind: WorkKind;
  readonly decides: boolean;
  readonly tries: boolean;
  readonly pausesReading: boolean;
  readonly continues: boolean;
  readonly title: string;
  readonly rowsOf: string | null;
  readonly call: number;
  readonly origin: WorkOrigin;
  readonly slice: Slice = { deadlineMs: 0, stopRequested: false, pauseUntil: null };
  readonly body: () => unknown;
  readonly #clock: Clock;
  readonly #limitMs: number;
  /** Set from the first turn on: waiting in the queue is not work. */
  #running: RunningWork | null = null;
  /** Sum of the turns before this one. */
  #workedMs = 0;
  /** Null between turns. */
  #turnBeganMs: number | null = null;

  constructor(request: WorkRequest<unknown>, context: WorkContext) {
    const { window, kind, title, withoutUndo = false } = request;
    this.lane = window;
    this.kind = kind;
    this.decides = request.decides ?? false;
    this.tries = request.tries ?? false;
    this.pausesReading = request.pausesReading ?? false;
    this.continues = request.continues ?? false;
    this.title = title;
    this.rowsOf = request.rowsOf ?? null;
    this.call = request.call ?? 0;
    this.origin = request.origin ?? { title, sql: null, run: newRun(), withoutUndo };
    this.#clock = context.clock;
    this.#limitMs = request.limitMs ?? Infinity;
    const turn = this.#turn(context);
    const waiting = { kind: kind === 'read' ? 'read' : 'write', turn, running: () => this.#running } as const;
    this.body = () => context.locks.run(waiting, () => request.body(turn));
  }

  /** @param begin called before the first turn */
  turnBegins(begin: () => RunningWork): void {
    this.#turnBeganMs = this.#clock.now();
    this.#running ??= begin();
    this.#running.resumes();
  }

  turnEnds(): void {
    this.#workedMs += this.#turnMs;
    this.#turnBeganMs = null;
    this.#running?.tick();
    this.#running?.pauses();
  }

  /** Call when there are no more turns. */
  end(): void {
    this.#running?.end();
  }

  /** Read by SQLite's progress handler while a statement runs. */
  get isToInterrupt(): boolean {
    this.#running?.tick();
    return this.#isPastLimit || this.#isStopRequested;
  }

  get #turnMs(): number {
    return this.#turnBeganMs === null ? 0 : this.#clock.now() - this.#turnBeganMs;
  }

  get #isPastLimit(): boolean {
    // SQLite's progress handler asks this after every thousand steps.
    return this.#limitMs !== Infinity && this.#workedMs + this.#turnMs >= this.#limitMs;
  }

  get #isStopRequested(): boolean {
    return this.slice.stopRequested || (this.#running?.stopRequested ?? false);
  }

  #turn({ connection, locks }: WorkContext): Turn {
    const { slice } = this;
    const running = (): RunningWork | null => this.#running;
    const isStopRequested = (): boolean => (this.#running?.tick(), this.#isStopRequested);
    const isPastLimit = (): boolean => this.#isPastLimit;
    const turn: Turn = {
      connection,
      get deadlineMs() {
        return slice.deadlineMs;
      },
      get stopRequested() {
        return isStopRequested();
      },
      get isPastLimit() {
        return isPastLimit();
      },
      measureBy: (measure) => running()?.measureBy(measure),
      pauseUntil: (settled) => void (slice.pauseUntil = settled),
      outlastLock: (thrown) => locks.outlast(thrown, { turn, running }),
    };
    return turn;
  }
}
