// The result of a run, as JSON that others can read: version 1 of the format, field by field. `read-result.ts` reads results from
// elsewhere.
import type * as v from 'valibot';
import type { EngineId } from './engines.ts';
import type { Pragmas } from './profile.ts';
import {
  flag,
  list,
  number,
  oneOf,
  optional,
  orNull,
  pragma,
  pragmas,
  record,
  size,
  text,
  time,
  times,
  word,
} from './result-fields.ts';
import type { DeepReadonly } from './result-fields.ts';
import type { SuiteId } from './suites.ts';

export const RESULT_SCHEMA = 1;

const MAX_CELLS = 20_000;
export const MAX_SAMPLES = 1_000_000;
const MAX_LIST = 2_000;

const samples = times(MAX_SAMPLES);

/** The compiled code of an engine: its .wasm files or its native addon, without the JavaScript around them. */
const ENGINE_CODE = record({
  /** Their names. */
  files: list(text, MAX_LIST),
  bytes: size,
  /** Size with each file compressed separately, at the usual level. */
  gzipBytes: size,
  /**
   * Time from bytes in memory to runnable code, by the browser's first compiler: the median of up to five. Null if it is shipped compiled.
   */
  compileMs: orNull(time),
  /** Measured once, at the engine's start: imports linked and memory initialized, or an addon mapped and registered. Null if not observed. */
  instantiateMs: orNull(time),
});

/** Facts that an engine reports about itself. */
const ENGINE_FACTS = record({
  engine: word<EngineId>(),
  version: text,
  sourceId: orNull(text),
  compileOptions: list(text, MAX_LIST),
  /** Settings of an engine without SQLite's pragmas, as far as it reports them; missing: see `pragmas` of its cells. */
  settings: optional(list(text, MAX_LIST)),
  /** Hash of the .wasm or .node file; null if it cannot be read. */
  sha256: orNull(text),
  timerStepMs: time,
  /** Time until the engine can open a database. */
  startMs: time,
  /** The part of it for loading the code: fetching and compiling the wasm, or loading the native module. Missing: unknown. */
  codeMs: optional(time),
  /** Missing: unknown, or part of the executable. */
  code: optional(ENGINE_CODE),
  runtime: text,
});

/** Results of others and of earlier versions may lack the kind. */
const EVENT = record({
  kind: optional(oneOf(['hidden', 'shown', 'slow-round', 'engine-died'])),
  atMs: time,
  /** Text for the user. */
  what: text,
});

const ENVIRONMENT = record({
  appVersion: text,
  /** Null in a plain browser. */
  electron: orNull(text),
  chromium: text,
  v8: orNull(text),
  /** Version of the process that native engines run in. */
  node: orNull(text),
  os: text,
  cpu: text,
  cores: size,
  ramBytes: orNull(size),
  /** File system of the profile folder, as reported by the system. */
  disk: orNull(text),
  diskFreeBytes: orNull(size),
  /** Null: unknown. */
  onBattery: orNull(flag),
  crossOriginIsolated: flag,
  /** The smallest step of the window's clock; for those of engines see {@link engines}. */
  timerStepMs: time,
  commit: orNull(text),
  seed: number,
  startedAt: text,
  seconds: time,
  /** The run neither completed nor was stopped: the window or the app was gone. Missing: it completed. */
  unfinished: optional(flag),
  /** Events that disturbed it. */
  events: list(EVENT, MAX_LIST),
  engines: list(ENGINE_FACTS, 200),
});

const STATEMENT = record({
  part: oneOf(['prepared', 'timed', 'checked']),
  sql: text,
  /** How often it is executed. */
  times: size,
});

/** One test at one size on one engine. All samples are of one unit: smaller is better. */
const CELL = record({
  suite: word<SuiteId>(),
  test: word(),
  size,
  engine: word<EngineId>(),
  unit: oneOf(['ms', 'us', 'bytes']),
  kind: oneOf(['throughput', 'latency']),
  /** `app`: measures the app as a whole. It is listed under one engine, is compared with none, and is in no mean. Missing: measures this engine. */
  scope: optional(oneOf(['app'])),
  /** Samples in the order they were taken; each round has `perRound` of them. */
  samples,
  perRound: size,
  median: orNull(time),
  p95: orNull(time),
  /** Rows read and changed in one sample. */
  rows: orNull(size),
  /** Checksum of all values read; the same on every engine. */
  checksum: orNull(text),
  /** This engine relative to better-sqlite3 with the same storage and profile; null for that engine itself. */
  ratio: orNull(time),
  ratioLow: orNull(time),
  ratioHigh: orNull(time),
  /** `failed`: an error occurred; `skipped`: it cannot run there; `void`: its answer differs from the others'; `stopped`: by the user. */
  status: oneOf(['ok', 'failed', 'skipped', 'void', 'stopped']),
  /** A full sentence: why it has no number, or what to know about it. */
  why: orNull(text),
  /** The engine could not be started at all. Missing: it could, or that is unknown. */
  engineIsMissing: optional(flag),
  /** The very first execution in its worker, before any warm-up. */
  firstUse: orNull(time),
  /** The same work as seen by the window: requested, done, and all rows received. Empty if not measured. */
  delivered: samples,
  deliveredRatio: orNull(time),
  deliveredRatioLow: orNull(time),
  deliveredRatioHigh: orNull(time),
  /** Milliseconds for which one delivery kept the window's thread busy; empty if not measured. */
  windowBusyMs: samples,
  /** Runs of the work in one sample, or executions of a latency test, so that the clock's step does not matter. A sample is the average of one. */
  batch: size,
  statements: list(STATEMENT, MAX_LIST),
  transaction: text,
  /** Read back after opening; only settings that differ from the run's profile. */
  pragmas,
  fileBytesAfter: orNull(size),
  heapBytesAfter: orNull(size),
});

const GEOMEAN = record({
  suite: word<SuiteId>(),
  engine: word<EngineId>(),
  ratio: time,
  ratioLow: time,
  ratioHigh: time,
  /** Number of cells in it: times only, not memory. */
  cells: size,
});

export const RESULT = record({
  env: ENVIRONMENT,
  /** The requested settings. A cell whose test requests other settings, or which got others, says so. */
  profile: record({
    name: oneOf(['full', 'balanced', 'memory']),
    journal_mode: pragma<Pragmas['journal_mode']>(),
    synchronous: pragma<Pragmas['synchronous']>(),
    page_size: size,
    cache_size: number,
    temp_store: pragma<Pragmas['temp_store']>(),
    foreign_keys: flag,
    locking_mode: pragma<Pragmas['locking_mode']>(),
    mmap_size: number,
  }),
  cells: list(CELL, MAX_CELLS),
  geomeans: list(GEOMEAN, MAX_CELLS),
});

type Read<T extends v.GenericSchema> = DeepReadonly<v.InferOutput<T>>;
export type EngineCode = Read<typeof ENGINE_CODE>;
export type EngineFacts = Read<typeof ENGINE_FACTS>;
export type BenchEvent = Read<typeof EVENT>;
export type BenchEnvironment = Read<typeof ENVIRONMENT>;
export type ShownStatement = Read<typeof STATEMENT>;
export type BenchCell = Read<typeof CELL>;
/** `ms`: total; `us`: per operation; `bytes`: memory. */
export type CellUnit = BenchCell['unit'];
export type BenchGeomean = Read<typeof GEOMEAN>;
export type BenchResult = { readonly schema: typeof RESULT_SCHEMA } & Read<typeof RESULT>;
