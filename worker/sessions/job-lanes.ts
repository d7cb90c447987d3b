// The jobs of a queue by lane, and the rules that say which of them is next.
import type { Job, Lane, SchedulerHooks, Task } from './task.ts';

/** Once a write has waited this long for half-read statements, no new ones may begin. */
const WRITE_TIMEOUT_MS = 100;

export class JobLanes<T extends Task> {
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
