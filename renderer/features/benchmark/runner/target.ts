// The participants of a round: an engine with its program, or the product itself in a suite of the window; and the pause and Stop of their run.
import type { TestFacts } from '#shared/bench/protocol.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import type { Pragmas, SettingDifference } from '#shared/bench/profile.ts';
import type { ShownStatement } from '#shared/bench/result.ts';
import type { SuiteId } from '#shared/bench/suites.ts';
import { AppError } from '#shared/protocol/errors.ts';

/** Tests that are measured together: one test, or the parts of a sequence, at one size. */
export interface BenchUnit {
  readonly suite: SuiteId;
  readonly size: number;
  readonly tests: readonly TestFacts[];
  readonly sequence: string | null;
}

/**
 * `first`: nothing was executed before, and the time counts. `deep`: the rows read are compared with the others, and the time does not
 * count. `warm` and `timed` differ only in what is kept.
 */
export type RoundKind = 'first' | 'deep' | 'warm' | 'timed';

/** Result of one benchmark target for one test in one round. */
export interface PartSample {
  readonly test: string;
  /** Samples in the unit of the test; a latency test has several. */
  readonly samples: readonly number[];
  /** The measured time in milliseconds; the step of the clock has to be small in comparison. */
  readonly timedMs: number;
  readonly delivered: readonly number[];
  readonly windowBusyMs: readonly number[];
  readonly rows: number | null;
  /** Checksum of what the timed steps read. The same in all rounds of a kind (and batch) of a target, and in all `deep` rounds. */
  readonly read: string | null;
  /** Checksum of the final contents of the database. The same in all rounds of all benchmark targets. */
  readonly left: string | null;
  /** What is wrong with it, as the end of a sentence; voids the cell. */
  readonly wrong: string | null;
}

/** A part that could not be done; the parts after it are not done either. */
export interface FailedPart {
  readonly test: string;
  readonly status: 'failed' | 'skipped';
  readonly why: string;
}

export interface RoundOutcome {
  readonly parts: readonly PartSample[];
  readonly failure: FailedPart | null;
}

/** Facts that are the same in every round. */
export interface PartFacts {
  readonly statements: readonly ShownStatement[];
  readonly rows: number | null;
  readonly pragmas: Partial<Pragmas>;
  readonly differences: readonly SettingDifference[];
  /** Set if it says more than the test's own text. */
  readonly transaction?: string;
  readonly fileBytes: number | null;
  readonly heapBytes: number | null;
}

export interface Target {
  readonly engine: EngineId;
  /** Facts by test; a test appears once its first round is done. */
  readonly facts: ReadonlyMap<string, PartFacts>;
  /** Whether it needs this window on the screen, and waits for it. Missing: it does not, but may be slower without. */
  readonly needsScreen?: boolean;
  /** @throws AppError `stopped` only: everything else is an outcome */
  round(kind: RoundKind, batch: number): Promise<RoundOutcome>;
  close(): Promise<void>;
}

/** A suite that measures the product in its own window; `app-suites` of {@link BenchServices} has them by ID. One for each run. */
export interface AppSuite {
  readonly tests: readonly TestFacts[];
  /** Tests that do not use the window: each engine's driver runs them, like those of its other suites. Missing: there are none. */
  readonly isOfEngine?: (test: string) => boolean;
  /** Engines it can measure through the product; others are skipped and say so. */
  readonly engines: readonly EngineId[];
  /** Creates what is measured. This may take a while, so it reports progress, and Stop ends it. */
  open(engine: EngineId, unit: BenchUnit, run: AppSuiteRun): Promise<Target>;
  /** Called after the last unit, and after a stop: leaves nothing behind. */
  end(): Promise<void>;
}

export interface AppSuiteRun {
  readonly control: RunControl;
  readonly seed: number;
  tell(what: string): void;
}

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
