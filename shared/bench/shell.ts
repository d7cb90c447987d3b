// What a measuring window requests of the shell (a port per engine, facts about the machine, and the job of the command line), and what a program
// that has started the app orders over their channel (`stdio: 'ipc'` of Node's `spawn`), with the reply before the app quits.
import type { EngineId } from './engines.ts';
import type { ProfileName } from './profile.ts';
import type { BenchEnvironment } from './result.ts';
import type { SuiteId } from './suites.ts';

/** A window message `{tag, engine}` with one port: `BenchOperations`. */
export const BENCH_PORT_TAG = 'sidelite:bench-port';

/** The URL of a window that should ask for a job ends with this. */
export const BENCH_HASH = '#bench';

/** The URL of the second window of a measuring one ends with this. */
export const BENCH_WINDOW_HASH = '#bench-window';
/** A window message `{tag}` with one port, for each of the two: `SecondWindowOperations`. */
export const BENCH_WINDOW_TAG = 'sidelite:bench-window';

export interface BenchShell {
  /** Only one window measures at a time, because two would measure each other. Null: it is this window's turn, until {@link end}. */
  begin(): Promise<BenchElsewhere | null>;
  /**
   * Starts a driver for this window, whose turn it is, replacing the engine's current one, if any. Its port arrives as a message. Returns
   * why it cannot be started, or null.
   */
  open(engine: EngineId): Promise<string | null>;
  /** Ends one engine, even in the middle of a call, which is then never answered. */
  close(engine: EngineId): Promise<void>;
  /** Ends all engines this window measures, even inside a long call, and its turn. */
  end(): Promise<void>;
  /** Called now and whenever it changes, with the run of another window, or null if there is none. */
  onElsewhere(listener: (run: BenchElsewhere | null) => void): Promise<void>;
  /** Brings the measuring window to the front. */
  showElsewhere(): Promise<void>;
  machine(): Promise<BenchMachine>;
  /** Starts the app once more, beside this one, and ends it when it has shown the rows of a table it had open before. */
  startApp(order: AppStartOrder): Promise<AppStartReply>;
  /** Opens a second window that shows what this one sends. The port to it arrives as a message. Returns why it cannot be opened, or null. */
  openWindow(): Promise<string | null>;
  closeWindow(): Promise<void>;
  /** The second window listens for its port. */
  joinWindow(): Promise<void>;
  /** Lets the second window open the measuring window's files in place, and gives it ports to the native engine. */
  takeFiles(): Promise<void>;
  /** Memory the app's processes use now; null where the runtime does not report it. */
  memory(): Promise<BenchMemory | null>;
  /** The measurement requested on the command line; null in every other start. */
  job(): Promise<BenchJob | null>;
  /** Reports the progress of this window's run to the command line and to other windows. */
  tell(progress: BenchJobProgress): Promise<void>;
  /** Reports the job's result as JSON, or why there is none. The app then quits. */
  done(outcome: { readonly json: string } | { readonly failure: string }): Promise<void>;
}

/** A run of another window. */
export interface BenchElsewhere {
  /** “Window 2” */
  readonly windowTitle: string;
  /** Null at the start. */
  readonly progress: BenchJobProgress | null;
}

export interface AppStartOrder {
  /** Names the profile to start with. It is kept, with the app's caches, until {@link BenchShell.end}. */
  readonly profile: string;
  /** The copy that the first start with this profile opens, into the library or in place, and that later starts show again. */
  readonly comparisonCopy: string;
  readonly way: 'copy' | 'in-place';
  /** Starts without the code that earlier starts have compiled and cached in the profile. */
  readonly cold: boolean;
}

/** Times in milliseconds since the process was launched. */
export interface AppStart extends Pick<StartReport, 'firstRow' | 'isNative'> {
  /** The window is on screen with its first content painted. */
  readonly windowMs: number;
  /** The first rows of the table are drawn. */
  readonly rowsMs: number;
}

export type AppStartReply = AppStart | { readonly why: string };

/** Bytes. */
export interface BenchMemory {
  /** `private`: memory of this process only. `resident`: includes shared memory, because the system reports nothing more exact. */
  readonly counts: 'private' | 'resident';
  /** Memory of the requesting window. */
  readonly window: number;
  /** Memory of the host page, including its workers. */
  readonly wasm: number;
  /** Null while the native engine is not running. */
  readonly native: number | null;
  /** Memory of all others: main, graphics, network, other windows. */
  readonly others: number;
}

/** Facts that main knows about the machine. */
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

/** Plan of a measurement. */
export interface BenchPlan {
  readonly suites: readonly SuiteId[];
  readonly engines: readonly EngineId[];
  /** Sizes for all suites, or by suite; null (or a missing suite): the usual sizes of each suite. */
  readonly sizes: readonly number[] | Readonly<Partial<Record<SuiteId, readonly number[]>>> | null;
  /** Null: as many as the duration of a test requires. */
  readonly rounds: number | null;
  readonly profile: ProfileName;
  /** One suite within a minute: fewer rounds, one size. */
  readonly quick: boolean;
  readonly seed: number;
  /** Limits the run to these tests; null: all. */
  readonly tests: readonly string[] | null;
  /** How long an engine may stay silent before it is ended. Missing: two minutes. */
  readonly timeoutSeconds?: number;
}

export interface BenchJob extends Omit<MeasureOrder, 'database'> {
  /** The bytes of the database it runs on. */
  readonly file: Uint8Array | null;
}

export interface BenchJobProgress {
  /** “insert, 100,000 rows: round 3 of 20”. */
  readonly text: string;
  /** 0 to 1. */
  readonly share: number;
  /** Null at the start. */
  readonly secondsLeft: number | null;
}

export type ParentOrder =
  /** Restore what was open before, or open the files of the command line, and tell how long the first rows took. */
  { readonly order: 'report-start' } | ({ readonly order: 'measure' } & MeasureOrder);

export interface MeasureOrder {
  readonly plan: BenchPlan;
  /** SQL for `own-query`. */
  readonly sql: string | null;
  /** Path of the database for `own-query`. */
  readonly database: string | null;
  /** Empty the system's file cache before each cold start. */
  readonly dropsCaches: boolean;
}

export type ReplyToParent =
  | { readonly reply: 'started'; readonly start: StartReport }
  | { readonly reply: 'measured'; readonly json: string }
  | { readonly reply: 'failed'; readonly why: string };

/** Times are in milliseconds since 1970. */
export interface StartReport {
  readonly windowAtMs: number;
  readonly rowsAtMs: number;
  /** Cells of the first row on screen, as screen readers get them. */
  readonly firstRow: readonly string[];
  /** Whether the native engine runs. */
  readonly isNative: boolean;
  /** Warning that the window shows about the missing sandbox. */
  readonly warning: string | null;
  /** Seccomp mode of each page process, as Linux numbers it: 2 is a filter of system calls. */
  readonly seccomp: readonly number[];
}
