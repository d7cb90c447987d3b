// What a window that measures asks of the shell: a port for each engine, what the machine is, and what the command line wants.
import type { EngineId } from './engines.ts';
import type { ProfileName } from './profile.ts';
import type { BenchEnvironment } from './result.ts';
import type { SuiteId } from './suites.ts';

/** A window message `{tag, engine}` with one port: `BenchOperations`. */
export const BENCH_PORT_TAG = 'sidelite:bench-port';

/** The address of a window that is to ask for a job ends with it. */
export const BENCH_HASH = '#bench';

export interface BenchShell {
  /** Starts a driver for this window, instead of the one there may be for this engine. Its port comes as a message. Answers why it can not. */
  open(engine: EngineId): Promise<string | null>;
  /** Ends every engine this window measures, also one that is inside a long call. */
  end(): void;
  machine(): Promise<BenchMachine>;
  /** What the command line asked this window to measure; null in every other start. */
  job(): Promise<BenchJob | null>;
  /** How far the job is. */
  tell(progress: BenchJobProgress): void;
  /** The job's result, as JSON; or why there is none. The app ends then. */
  done(outcome: { readonly json: string } | { readonly failure: string }): void;
}

/** What main knows of the machine. */
export type BenchMachine = Pick<
  BenchEnvironment,
  | 'appVersion'
  | 'electron'
  | 'v8'
  | 'os'
  | 'cpu'
  | 'cores'
  | 'ramBytes'
  | 'disk'
  | 'diskFreeBytes'
  | 'onBattery'
  | 'commit'
>;

/** What is to be measured. */
export interface BenchPlan {
  readonly suites: readonly SuiteId[];
  readonly engines: readonly EngineId[];
  /** For all suites, or by suite; null (or a suite that is missing): those that are usual for each. */
  readonly sizes: readonly number[] | Readonly<Partial<Record<SuiteId, readonly number[]>>> | null;
  /** Null: as many as the length of a test asks for. */
  readonly rounds: number | null;
  readonly profile: ProfileName;
  /** One suite within a minute: fewer rounds, one size. */
  readonly quick: boolean;
  readonly seed: number;
  /** Only these tests; null: all. */
  readonly tests: readonly string[] | null;
}

export interface BenchJob {
  /** When the system made the process of the app, in milliseconds since 1970; null where it does not tell. */
  readonly startedAtMs: number | null;
  readonly plan: BenchPlan;
  /** For `own-query`. */
  readonly sql: string | null;
  /** The bytes of the database it runs on. */
  readonly file: Uint8Array | null;
}

export interface BenchJobProgress {
  /** “insert, 100,000 rows: round 3 of 20”. */
  readonly text: string;
  /** 0 to 1. */
  readonly share: number;
  /** Null at the beginning. */
  readonly secondsLeft: number | null;
}
