// What a run answers, as JSON that others can read: version 1 of its form, field by field. `read-result.ts` reads those from elsewhere.
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

/** What of an engine is compiled code: its .wasm files or its native addon, without the JavaScript around them. */
const ENGINE_CODE = record({
  /** Their names. */
  files: list(text, MAX_LIST),
  bytes: size,
  /** Each file compressed by itself, at the usual level. */
  gzipBytes: size,
  /** From bytes in memory to code that runs, by the browser's first compiler: the median of up to five times. Null: it is shipped compiled. */
  compileMs: orNull(time),
  /** Once, as the engine started: imports linked and memory filled; an addon mapped and registered. Null: not seen. */
  instantiateMs: orNull(time),
});

/** What an engine says of itself. */
const ENGINE_FACTS = record({
  engine: word<EngineId>(),
  version: text,
  sourceId: orNull(text),
  compileOptions: list(text, MAX_LIST),
  /** What an engine runs with that has none of SQLite's settings, as far as it tells; missing: they are its cells' `pragmas`. */
  settings: optional(list(text, MAX_LIST)),
  /** Of the .wasm or .node file; null where it cannot be read. */
  sha256: orNull(text),
  timerStepMs: time,
  /** From nothing to an engine that can open a database. */
  startMs: time,
  /** The part of it that makes the code ready: the wasm fetched and compiled, the native module loaded. Missing: not known. */
  codeMs: optional(time),
  /** Missing: not known, or a part of the executable. */
  code: optional(ENGINE_CODE),
  runtime: text,
});

/** In results of others and of earlier versions the kind may be missing. */
const EVENT = record({
  kind: optional(oneOf(['hidden', 'shown', 'slow-round', 'engine-died'])),
  atMs: time,
  /** For people. */
  what: text,
});

const ENVIRONMENT = record({
  appVersion: text,
  /** Null in a plain browser. */
  electron: orNull(text),
  chromium: text,
  v8: orNull(text),
  /** Of the process in which native engines run. */
  node: orNull(text),
  os: text,
  cpu: text,
  cores: size,
  ramBytes: orNull(size),
  /** File system of the profile folder, as the system calls it. */
  disk: orNull(text),
  diskFreeBytes: orNull(size),
  /** Null: not known. */
  onBattery: orNull(flag),
  crossOriginIsolated: flag,
  /** The smallest step of the window's clock; those of engines are in {@link engines}. */
  timerStepMs: time,
  commit: orNull(text),
  seed: number,
  startedAt: text,
  seconds: time,
  /** It never came to its end, nor was it stopped: the window or the app was gone. Missing: it did. */
  unfinished: optional(flag),
  /** What disturbed it. */
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
  /** `app`: of the app as a whole. It stands at one engine, is compared with none, and is in no mean. Missing: of this engine. */
  scope: optional(oneOf(['app'])),
  /** In the order they were taken; `perRound` of them belong to one round. */
  samples,
  perRound: size,
  median: orNull(time),
  p95: orNull(time),
  /** Rows read and changed in one sample. */
  rows: orNull(size),
  /** Of every value that was read; the same on every engine. */
  checksum: orNull(text),
  /** This engine over better-sqlite3 of the same storage and profile; null for that one itself. */
  ratio: orNull(time),
  ratioLow: orNull(time),
  ratioHigh: orNull(time),
  /** `failed`: it went wrong; `skipped`: it cannot be done there; `void`: it gave another answer than the others; `stopped`: by a person. */
  status: oneOf(['ok', 'failed', 'skipped', 'void', 'stopped']),
  /** A whole sentence: why it has no number, or what to know about it. */
  why: orNull(text),
  /** The engine could not be started at all. Missing: it could, or that is not known. */
  engineIsMissing: optional(flag),
  /** The very first execution in its worker, before any warm-up. */
  firstUse: orNull(time),
  /** The same work as the window sees it: asked, done, and every row there. Empty where that was not measured. */
  delivered: samples,
  deliveredRatio: orNull(time),
  deliveredRatioLow: orNull(time),
  deliveredRatioHigh: orNull(time),
  /** Milliseconds in which the window's thread was busy with one delivery; empty where that was not measured. */
  windowBusyMs: samples,
  /** Runs of the work in one sample, or executions of a latency test, so that the clock's step does not matter. A sample is the share of one. */
  batch: size,
  statements: list(STATEMENT, MAX_LIST),
  transaction: text,
  /** Read back after opening; only what differs from the run's profile. */
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
  /** How many cells it is of: times only, memory is no part of it. */
  cells: size,
});

export const RESULT = record({
  env: ENVIRONMENT,
  /** What was asked for. A cell whose test asks for something else, or which got something else, says so. */
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
/** `ms`: of the whole; `us`: of one operation; `bytes` of memory. */
export type CellUnit = BenchCell['unit'];
export type BenchGeomean = Read<typeof GEOMEAN>;
export type BenchResult = { readonly schema: typeof RESULT_SCHEMA } & Read<typeof RESULT>;
