// What a window that measures asks of the shell: a port for each engine, what the machine is, and what the command line wants.
import type { EngineId } from './engines.ts';
import type { ProfileName } from './profile.ts';
import type { BenchEnvironment } from './result.ts';
import type { SuiteId } from './suites.ts';

/** A window message `{tag, engine}` with one port: `BenchOperations`. */
export const BENCH_PORT_TAG = 'sidelite:bench-port';

/** The address of a window that is to ask for a job ends with it. */
export const BENCH_HASH = '#bench';

/** The address of the second window of one that measures ends with it. */
export const BENCH_WINDOW_HASH = '#bench-window';
/** A window message `{tag}` with one port, for each of the two: `SecondWindowOperations`. */
export const BENCH_WINDOW_TAG = 'sidelite:bench-window';

export interface BenchShell {
  /** One window measures at a time: two would measure each other. Null: it is this one's turn, until {@link end}. */
  begin(): Promise<BenchElsewhere | null>;
  /**
   * Starts a driver for this window, whose turn it is, instead of the one there may be for this engine. Its port comes as a message.
   * Answers why it can not.
   */
  open(engine: EngineId): Promise<string | null>;
  /** Ends one of them, also in the middle of a call: it does not answer any more. */
  close(engine: EngineId): Promise<void>;
  /** Ends every engine this window measures, also one that is inside a long call, and its turn. */
  end(): Promise<void>;
  /** Told now and whenever it changes: the run of another window, null when there is none. */
  onElsewhere(listener: (run: BenchElsewhere | null) => void): Promise<void>;
  /** Brings the window that measures to the front. */
  showElsewhere(): Promise<void>;
  machine(): Promise<BenchMachine>;
  /** Starts the app once more, beside this one, and ends it when it has shown the rows of a table it had open before. */
  startApp(order: AppStartOrder): Promise<AppStartReply>;
  /** Opens a second window that shows what this one tells it. The port to it comes as a message. Answers why it can not. */
  openWindow(): Promise<string | null>;
  closeWindow(): Promise<void>;
  /** The second window listens for its port. */
  joinWindow(): Promise<void>;
  /** The second window may open in place what the one that measures has opened, and gets its ports to the native engine. */
  takeFiles(): Promise<void>;
  /** Memory the app's processes use now; null where the runtime does not report it. */
  memory(): Promise<BenchMemory | null>;
  /** What the command line asked this window to measure; null in every other start. */
  job(): Promise<BenchJob | null>;
  /** How far this window's run is, for the command line and for other windows. */
  tell(progress: BenchJobProgress): Promise<void>;
  /** The job's result, as JSON; or why there is none. The app ends then. */
  done(outcome: { readonly json: string } | { readonly failure: string }): Promise<void>;
}

/** A run of another window. */
export interface BenchElsewhere {
  /** “Window 2” */
  readonly windowTitle: string;
  /** Null at the beginning. */
  readonly progress: BenchJobProgress | null;
}

export interface AppStartOrder {
  /** Names the profile it is started with. It stays, with what the app caches in it, until {@link BenchShell.end}. */
  readonly profile: string;
  /** The copy that the first start with this profile opens, into the library or in place, and every further one shows again. */
  readonly comparisonCopy: string;
  readonly way: 'copy' | 'in-place';
  /** Without the code that earlier starts have compiled and kept in the profile. */
  readonly cold: boolean;
}

/** In milliseconds since the process was asked for. */
export interface AppStart {
  /** The window is on the screen, its first content painted. */
  readonly windowMs: number;
  /** The first rows of the table are drawn. */
  readonly rowsMs: number;
  /** Cells of the first row on screen, as they are read out. */
  readonly firstRow: readonly string[];
  /** Whether the native engine runs. */
  readonly isNative: boolean;
}

export type AppStartReply = AppStart | { readonly why: string };

/** Bytes. */
export interface BenchMemory {
  /** `private`: what only this process has. `resident`: with what it shares with others, because the system reports nothing more exact. */
  readonly counts: 'private' | 'resident';
  /** Of the window that asks. */
  readonly window: number;
  /** Of the host page, with the workers in it. */
  readonly wasm: number;
  /** Null while the native engine does not run. */
  readonly native: number | null;
  /** Of all others: main, graphics, network, other windows. */
  readonly others: number;
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
  /** How long an engine may not answer before it is given up. Missing: two minutes. */
  readonly patienceSeconds?: number;
}

export interface BenchJob {
  /** The system's cache of files is emptied before each cold start. */
  readonly dropsCaches: boolean;
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
