// What a run answers, as JSON that others can read: version 1 of its form. `read-result.ts` takes somebody else's.
import type { EngineId } from './engines.ts';
import type { Pragmas, ProfileName } from './profile.ts';
import type { SuiteId } from './suites.ts';

export const RESULT_SCHEMA = 1;

export interface BenchResult {
  readonly schema: typeof RESULT_SCHEMA;
  readonly env: BenchEnvironment;
  /** What was asked for. A cell whose test asks for something else, or which got something else, says so. */
  readonly profile: { readonly name: ProfileName } & Pragmas;
  readonly cells: readonly BenchCell[];
  readonly geomeans: readonly BenchGeomean[];
}

export interface BenchEnvironment {
  readonly appVersion: string;
  /** Null in a plain browser. */
  readonly electron: string | null;
  readonly chromium: string;
  readonly v8: string | null;
  /** Of the process in which native engines run. */
  readonly node: string | null;
  readonly os: string;
  readonly cpu: string;
  readonly cores: number;
  readonly ramBytes: number | null;
  /** File system of the profile folder, as the system calls it. */
  readonly disk: string | null;
  readonly diskFreeBytes: number | null;
  /** Null: not known. */
  readonly onBattery: boolean | null;
  readonly crossOriginIsolated: boolean;
  /** The smallest step of the window's clock; those of engines are in {@link engines}. */
  readonly timerStepMs: number;
  readonly commit: string | null;
  readonly seed: number;
  readonly startedAt: string;
  readonly seconds: number;
  /** It never came to its end, nor was it stopped: the window or the app was gone. Missing: it did. */
  readonly unfinished?: boolean;
  /** What disturbed it. */
  readonly events: readonly BenchEvent[];
  readonly engines: readonly EngineFacts[];
}

/** In results of others and of earlier versions the kind may be missing. */
export interface BenchEvent {
  readonly kind?: 'hidden' | 'shown' | 'slow-round' | 'engine-died';
  readonly atMs: number;
  /** For people. */
  readonly what: string;
}

/** What an engine says of itself. */
export interface EngineFacts {
  readonly engine: EngineId;
  readonly version: string;
  readonly sourceId: string | null;
  readonly compileOptions: readonly string[];
  /** What an engine runs with that has none of SQLite's settings, as far as it tells; missing: they are its cells' `pragmas`. */
  readonly settings?: readonly string[];
  /** Of the .wasm or .node file; null where it cannot be read. */
  readonly sha256: string | null;
  readonly timerStepMs: number;
  /** From nothing to an engine that can open a database. */
  readonly startMs: number;
  /** The part of it that makes the code ready: the wasm fetched and compiled, the native module loaded. Missing: not known. */
  readonly codeMs?: number;
  /** Missing: not known, or a part of the executable. */
  readonly code?: EngineCode;
  readonly runtime: string;
}

/** What of an engine is compiled code: its .wasm files or its native addon, without the JavaScript around them. */
export interface EngineCode {
  /** Their names. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** Each file compressed by itself, at the usual level. */
  readonly gzipBytes: number;
  /** From bytes in memory to code that runs, by the browser's first compiler: the median of up to five times. Null: it is shipped compiled. */
  readonly compileMs: number | null;
  /** Once, as the engine started: imports linked and memory filled; an addon mapped and registered. Null: not seen. */
  readonly instantiateMs: number | null;
}

/** `failed`: it went wrong; `skipped`: it cannot be done there; `void`: it gave another answer than the others; `stopped`: by a person. */
export type CellStatus = 'ok' | 'failed' | 'skipped' | 'void' | 'stopped';

/** One test at one size on one engine. All samples are of one unit: smaller is better. */
export interface BenchCell {
  readonly suite: SuiteId;
  readonly test: string;
  readonly size: number;
  readonly engine: EngineId;
  readonly unit: CellUnit;
  readonly kind: 'throughput' | 'latency';
  /** `app`: of the app as a whole. It stands at one engine, is compared with none, and is in no mean. Missing: of this engine. */
  readonly scope?: 'app';
  /** In the order they were taken; `perRound` of them belong to one round. */
  readonly samples: readonly number[];
  readonly perRound: number;
  readonly median: number | null;
  readonly p95: number | null;
  /** Rows read and changed in one sample. */
  readonly rows: number | null;
  /** Of every value that was read; the same on every engine. */
  readonly checksum: string | null;
  /** This engine over better-sqlite3 of the same storage and profile; null for that one itself. */
  readonly ratio: number | null;
  readonly ratioLow: number | null;
  readonly ratioHigh: number | null;
  readonly status: CellStatus;
  /** A whole sentence: why it has no number, or what to know about it. */
  readonly why: string | null;
  /** The engine could not be started at all. Missing: it could, or that is not known. */
  readonly engineIsMissing?: boolean;
  /** The very first execution in its worker, before any warm-up. */
  readonly firstUse: number | null;
  /** The same work as the window sees it: asked, done, and every row there. Empty where that was not measured. */
  readonly delivered: readonly number[];
  readonly deliveredRatio: number | null;
  readonly deliveredRatioLow: number | null;
  readonly deliveredRatioHigh: number | null;
  /** Milliseconds in which the window's thread was busy with one delivery; empty where that was not measured. */
  readonly windowBusyMs: readonly number[];
  /** Runs of the work in one sample, or executions of a latency test, so that the clock's step does not matter. A sample is the share of one. */
  readonly batch: number;
  readonly statements: readonly ShownStatement[];
  readonly transaction: string;
  /** Read back after opening; only what differs from the run's profile. */
  readonly pragmas: Partial<Pragmas>;
  readonly fileBytesAfter: number | null;
  readonly heapBytesAfter: number | null;
}

/** `ms`: of the whole; `us`: of one operation; `bytes` of memory. */
export type CellUnit = 'ms' | 'us' | 'bytes';

export interface ShownStatement {
  readonly part: 'prepared' | 'timed' | 'checked';
  readonly sql: string;
  /** How often it is executed. */
  readonly times: number;
}

export interface BenchGeomean {
  readonly suite: SuiteId;
  readonly engine: EngineId;
  readonly ratio: number;
  readonly ratioLow: number;
  readonly ratioHigh: number;
  /** How many cells it is of: times only, memory is no part of it. */
  readonly cells: number;
}
