// The queue of one database: which task has its turn, for how long, and which tasks wait for each other. Knows nothing about SQLite.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { Pause } from './session.ts';
import type { Job, Lane, SchedulerHooks, Task } from './task.ts';

/** A slice while other tasks wait: short enough that the user does not notice that a cell edit waits. */
const SHARED_SLICE_MS = 12;
/** A slice while no other task waits. New requests arrive only between slices. */
const LONE_SLICE_MS = 50;
const stoppedInQueue = (): AppError => AppError.stopped(inParts('Stopped before it began.', 'Nothing was changed.'));

export class Scheduler<T extends Task> {
  readonly #hooks: SchedulerHooks<T>;
  readonly #lanes: JobLanes<T>;
  #turn = 0;
  #running = false;
  #closed: AppError | null = null;

  constructor(hooks: SchedulerHooks<T>) {
    this.#hooks = hooks;
    this.#lanes = new JobLanes(hooks);
  }

  /** The task that is paused inside a transaction, if any. */
  get taskInTransaction(): T | null {
    return this.#lanes.transactionJob?.task ?? null;
  }

  get idle(): boolean {
    return this.#lanes.byKey.size === 0;
  }

  add(task: T): { readonly result: Promise<unknown>; stop(): void } {
    if (this.#closed) return { result: Promise.reject(this.#closed), stop: () => undefined };
    let job!: Job<T>;
    const result = new Promise<unknown>((resolve, reject) => {
      job = {
        task,
        resolve,
        reject,
        generator: null,
        state: 'fresh',
        parked: false,
        waitingSinceMs: this.#hooks.clock.now(),
        lastTurn: this.#turn,
      };
    });
    // A new lane goes before the one that has just run, and after all others.
    const lane = this.#lanes.byKey.get(task.lane) ?? { queue: [], started: [], lastTurn: this.#turn - 0.5 };
    this.#lanes.byKey.set(task.lane, lane);
    if (task.continues) lane.queue.unshift(job);
    else lane.queue.push(job);
    this.#wake();
    return { result, stop: () => this.#stop(job) };
  }

  /** Ends all jobs of a lane: waiting jobs are dropped, paused ones closed at their pause. */
  dropLane(key: object, error: AppError): void {
    const lane = this.#lanes.byKey.get(key);
    if (!lane) return;
    this.#lanes.byKey.delete(key);
    for (const job of lane.started) {
      this.#lanes.release(job);
      closeQuietly(job);
      job.reject(error);
    }
    for (const job of lane.queue) job.reject(error);
    this.#wake();
  }

  /** Ends all jobs, and rejects those added later. */
  close(error: AppError): void {
    this.#closed = error;
    for (const lane of [...this.#lanes.byKey.keys()]) this.dropLane(lane, error);
  }

  #stop(job: Job<T>): void {
    job.task.slice.stopRequested = true;
    const queue = this.#lanes.byKey.get(job.task.lane)?.queue ?? [];
    const index = queue.indexOf(job);
    if (index < 0) return;
    queue.splice(index, 1);
    this.#lanes.forgetEmpty(job.task.lane);
    job.reject(stoppedInQueue());
    this.#wake();
  }

  #wake(): void {
    if (this.#running) return;
    this.#running = true;
    queueMicrotask(() => void this.#run());
  }

  async #run(): Promise<void> {
    for (let job = this.#lanes.pick(); job; job = this.#lanes.pick()) {
      this.#takeTurn(job);
      if (this.idle) break;
      await this.#hooks.clock.nextTask();
    }
    this.#running = false;
  }

  #takeTurn(job: Job<T>): void {
    const { task } = job;
    const lane = this.#lanes.byKey.get(task.lane)!;
    lane.lastTurn = job.lastTurn = ++this.#turn;
    const shared = this.#hooks.busyElsewhere?.() || this.#lanes.some((other) => other !== job);
    task.slice.deadlineMs = this.#hooks.clock.now() + (shared ? SHARED_SLICE_MS : LONE_SLICE_MS);
    if (job.state === 'fresh') lane.queue.splice(lane.queue.indexOf(job), 1);
    try {
      this.#hooks.beforeTurn?.(task);
      const outcome = this.#advance(job);
      if (typeof outcome === 'object') this.#end(job, lane, 'done', outcome.value);
      else this.#pause(job, lane, outcome);
    } catch (error) {
      closeQuietly(job);
      this.#end(job, lane, 'failed', error);
    }
  }

  #pause(job: Job<T>, lane: Lane<T>, pause: Pause): void {
    const { task } = job;
    if (job.state === 'fresh') lane.started.push(job);
    job.state = pause;
    job.waitingSinceMs = this.#hooks.clock.now();
    this.#lanes.aloneJob = pause === 'alone' ? job : null;
    const inTransaction = task.kind !== 'read' && this.#hooks.inTransaction();
    if (inTransaction) this.#lanes.transactionJob = job;
    else if (this.#lanes.transactionJob === job) this.#lanes.transactionJob = null;
    this.#park(job);
    this.#hooks.afterTurn?.(task, 'no');
  }

  #park(job: Job<T>): void {
    const { slice } = job.task;
    if (!slice.pauseUntil) return;
    job.parked = true;
    const resume = (): void => {
      job.parked = false;
      this.#wake();
    };
    slice.pauseUntil.then(resume, resume);
    slice.pauseUntil = null;
  }

  #advance(job: Job<T>): { readonly value: unknown } | Pause {
    const refusal = this.#hooks.refusal?.(job.task);
    if (refusal) throw refusal;
    if (!job.generator) {
      const started = job.task.body();
      if (!isGenerator(started)) return { value: started };
      job.generator = started;
      if (job.task.kind === 'read' && job.task.pausesReading && this.#lanes.readsAreHeld()) return 'between';
    }
    const step = job.generator.next();
    return step.done ? { value: step.value } : step.value;
  }

  #end(job: Job<T>, lane: Lane<T>, ended: 'done' | 'failed', outcome: unknown): void {
    const index = lane.started.indexOf(job);
    if (index >= 0) lane.started.splice(index, 1);
    this.#lanes.forgetEmpty(job.task.lane);
    this.#lanes.release(job);
    let failure = ended === 'failed' ? { error: outcome } : null;
    try {
      this.#hooks.afterTurn?.(job.task, ended, failure?.error);
    } catch (error) {
      failure ??= { error };
    }
    if (failure) job.reject(failure.error);
    else job.resolve(outcome);
  }
}

/** Lets the body run its `finally` blocks, and ignores what they throw. */
function closeQuietly(job: Job<Task>): void {
  try {
    job.generator?.return(undefined);
  } catch {
    // The caller gets the reason for closing instead.
  }
}

export function isGenerator<T>(value: unknown): value is Generator<Pause, T, undefined> {
  return typeof value === 'object' && value !== null && typeof (value as { next?: unknown }).next === 'function';
}

/** Once a write has waited this long for half-read statements, no new ones may begin. */
const WRITE_TIMEOUT_MS = 100;

/** The jobs of a queue by lane, and the rules that say which of them is next. */
class JobLanes<T extends Task> {
  readonly byKey = new Map<object, Lane<T>>();
  /** The writer that paused inside a transaction. No other job may write until it ends. */
  transactionJob: Job<T> | null = null;
  /** The job that paused as `alone`. No other job runs in the meantime. */
  aloneJob: Job<T> | null = null;
  readonly #hooks: Pick<SchedulerHooks<T>, 'clock' | 'refusal'>;

  constructor(hooks: Pick<SchedulerHooks<T>, 'clock' | 'refusal'>) {
    this.#hooks = hooks;
  }

  /** The job has ended or was dropped. */
  release(job: Job<T>): void {
    if (job === this.transactionJob) this.transactionJob = null;
    if (job === this.aloneJob) this.aloneJob = null;
  }

  forgetEmpty(key: object): void {
    const lane = this.byKey.get(key);
    if (lane && lane.queue.length === 0 && lane.started.length === 0) this.byKey.delete(key);
  }

  /** The job whose turn it is; null if none may run. */
  pick(): Job<T> | null {
    const holdReads = this.readsAreHeld();
    let best: Job<T> | null = null;
    let bestLane: Lane<T> | null = null;
    for (const lane of this.byKey.values()) {
      if (bestLane && lane.lastTurn >= bestLane.lastTurn) continue;
      const job = this.#pickInLane(lane, holdReads);
      if (job) [best, bestLane] = [job, lane];
    }
    return best;
  }

  #pickInLane(lane: Lane<T>, holdReads: boolean): Job<T> | null {
    const mayRun = (job: Job<T>): boolean => {
      if (job.parked || (this.aloneJob !== null && this.aloneJob !== job)) return false;
      if (job.task.kind !== 'read') return this.#mayWrite(job, lane);
      return job.state !== 'between' || !(holdReads && job.task.pausesReading);
    };
    // Reads overtake a write that has to wait, because it may wait for a result of a million rows.
    const head = lane.queue[0];
    const fresh = head && (mayRun(head) ? head : lane.queue.find((job) => job.task.kind === 'read' && mayRun(job)));
    let best = fresh ?? null;
    for (const job of lane.started) if (mayRun(job) && (!best || job.lastTurn < best.lastTurn)) best = job;
    return best;
  }

  #mayWrite(job: Job<T>, lane: Lane<T>): boolean {
    if (this.#hooks.refusal?.(job.task)) return true; // its turn only reports the refusal
    if (job.task.kind === 'file' && job.state === 'reading') return true; // it does not write
    if (this.#halfRead().some((other) => other !== job)) return false;
    if (this.transactionJob && this.transactionJob !== job) return false;
    return job.state !== 'fresh' || !lane.started.some((other) => other.task.kind !== 'read');
  }

  /**
   * Whether a write has waited too long for half-read statements of reads, so that no more of them may begin. If it also waits for another
   * write or an export, holding reads back would not help.
   */
  readsAreHeld(): boolean {
    const halfRead = this.#halfRead();
    if (halfRead.length === 0) return false;
    const since = this.#hooks.clock.now() - WRITE_TIMEOUT_MS;
    return this.some((job) => {
      if (job.task.kind === 'read' || job.parked || job.waitingSinceMs > since) return false;
      const blocking = halfRead.filter((other) => other !== job);
      return blocking.length > 0 && blocking.every((other) => other.task.kind === 'read');
    });
  }

  /** Computed at each turn: half-read jobs are few, however many wait. */
  #halfRead(): readonly Job<T>[] {
    const jobs: Job<T>[] = [];
    for (const { started } of this.byKey.values())
      for (const job of started) if (job.state === 'reading') jobs.push(job);
    return jobs;
  }

  some(test: (job: Job<T>) => boolean): boolean {
    for (const lane of this.byKey.values()) if (lane.started.some(test) || lane.queue.some(test)) return true;
    return false;
  }
}
