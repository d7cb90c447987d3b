// Posts the worker's current work where the host page can read it. The page informs the windows and passes on what they want stopped.
import type { Progress } from '#shared/protocol/library.ts';
import { ClockReads } from '../engines/clock-reads.ts';
import type { PostedEntry, WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import type { Clock } from './clock.ts';
import type { WindowSession } from './session.ts';

/** How often work that can report its progress is measured. */
const MEASURE_EVERY_MS = 100;

export interface WorkTitle {
  readonly window: WindowSession;
  readonly databaseName: string;
  readonly title: string;
  /** See `Work`. */
  readonly rowsOf?: string | null;
  /** See `Work`. */
  readonly call?: number;
}

export interface RunningWork {
  /** The user pressed Stop for this work. It is in shared memory, so the worker can read it while it is busy. */
  readonly stopRequested: boolean;
  show(progress: Progress): void;
  /** The programs that have the file locked, as text; null when none has. */
  waitFor(holders: string | null): void;
  /** Makes {@link tick} call `measure` now and then; null stops that. */
  measureBy(measure: (() => Progress) | null): void;
  /** No other work runs until {@link pauses}. */
  resumes(): void;
  pauses(): void;
  /** Called often while the work runs. */
  tick(): void;
  end(): void;
}

export class WorkMonitor {
  readonly #status: WorkStatusBuffer;
  readonly #clock: Clock;
  readonly #onBusy: () => void;
  #nextId: number;

  /** @param onBusy called when work begins while the host page does not poll the work status buffer */
  constructor(workStatus: WorkStatusBuffer, clock: Clock, onBusy: () => void, firstId = 1) {
    this.#nextId = firstId;
    this.#status = workStatus;
    this.#clock = clock;
    this.#onBusy = onBusy;
  }

  begin({ window: { windowId, windowTitle }, databaseName, title, rowsOf = null, call = 0 }: WorkTitle): RunningWork {
    const id = this.#nextId++;
    const startedAtMs = Date.now();
    const index = this.#status.post({ id, call, databaseName, windowId, windowTitle, title, rowsOf, startedAtMs });
    if (this.#status.needsCall()) this.#onBusy();
    return new Running(index, this.#clock);
  }
}

class Running implements RunningWork {
  #entry: PostedEntry | null;
  readonly #clock: Clock;
  readonly #clockReads = new ClockReads();
  #measure: (() => Progress) | null = null;
  #measuredAtMs: number;

  constructor(index: PostedEntry | null, clock: Clock) {
    this.#entry = index;
    this.#clock = clock;
    this.#measuredAtMs = clock.now();
  }

  get stopRequested(): boolean {
    return this.#entry?.stopRequested ?? false;
  }

  show(progress: Progress): void {
    this.#entry?.show(progress);
  }

  waitFor(holders: string | null): void {
    this.#entry?.waitFor(holders);
  }

  measureBy(measure: (() => Progress) | null): void {
    this.#measure = measure;
  }

  resumes(): void {
    this.#entry?.turn(Date.now());
  }

  pauses(): void {
    this.#entry?.turn(null);
  }

  tick(): void {
    if (!this.#measure || !this.#clockReads.isDue()) return;
    const now = this.#clock.now();
    this.#clockReads.noteRead(now);
    if (now - this.#measuredAtMs < MEASURE_EVERY_MS) return;
    this.#measuredAtMs = now;
    this.show(this.#measure());
  }

  end(): void {
    this.#entry?.clear();
    this.#entry = null;
  }
}
