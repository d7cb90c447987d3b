// The result of a run, as JSON that others can read: version 1 of the format, field by field, and the reading of results from elsewhere, which
// checks every field and every size, and says where a result is invalid.
import * as v from 'valibot';
import type { EngineId } from './engines.ts';
import type { Pragmas } from './profile.ts';
import type { SuiteId } from './suites.ts';
import { isDeeperThan } from '../nesting.ts';
import { AppError } from '../protocol/errors.ts';

export const RESULT_SCHEMA = 1;

const MAX_CELLS = 20_000;
const MAX_SAMPLES = 1_000_000;
const MAX_LIST = 2_000;
/** Engines, and suites: each is a column, or a part, of what is shown. */
const MAX_GROUPS = 200;
const MAX_SETTINGS = 200;
/** Fields of later versions included. */
const MAX_DEPTH = 20;

// The kinds of fields: each error says what the field should be, and every size is limited.

const MAX_TEXT = 4_000;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = v.pipe(v.string('a text'), v.maxLength(MAX_TEXT, `at most ${MAX_TEXT} characters`));
const number = v.pipe(v.number('a number'), v.finite('a number'));
const WHOLE = 'a whole number from 0 on';
const size = v.pipe(v.number(WHOLE), v.safeInteger(WHOLE), v.minValue(0, WHOLE));
const TIME = 'a number from 0 on';
const time = v.pipe(v.number(TIME), v.finite(TIME), v.minValue(0, TIME));
const flag = v.boolean('true or false');
const oneOf = <const W extends readonly string[]>(words: W) => v.picklist(words, `one of ${words.join(', ')}`);

/** The length is checked before the items. */
const list = <T extends v.GenericSchema>(item: T, most: number) =>
  v.pipe(v.array(v.unknown(), 'a list'), v.maxLength(most, `a list of at most ${most}`), v.array(item));

/** A list of {@link time}, checked without a library call per item: a result has up to a million. */
const times = (most: number) =>
  v.pipe(
    v.array(v.unknown(), 'a list'),
    v.maxLength(most, `a list of at most ${most}`),
    v.rawCheck(({ dataset: { value: input }, addIssue }) => {
      if (!Array.isArray(input)) return;
      const key = input.findIndex((each) => typeof each !== 'number' || !Number.isFinite(each) || each < 0);
      if (key < 0) return;
      addIssue({ message: TIME, path: [{ type: 'array', origin: 'value', input, key, value: input[key] as unknown }] });
    }),
    v.custom<number[]>(() => true),
  );

/** The error for a missing field is that of the field itself. */
const record = <E extends v.ObjectEntries>(entries: E) =>
  v.pipe(
    v.custom<object>(isRecord, 'an object'),
    v.object(entries, ({ path }) => {
      const field = entries[String(path?.at(-1)?.key)];
      return (field && v.safeParse(field, undefined, { abortEarly: true }).issues?.[0].message) ?? 'an object';
    }),
  );

const WORD = 'a word of letters, digits and hyphens';
const isWord = (value: unknown): boolean => typeof value === 'string' && /^[\w.:+-]{1,80}$/.test(value);

/** Engines, suites and tests: later versions have more of them, so any word is accepted. */
const word = <T extends string = string>() => v.custom<T>(isWord, WORD);

const pragma = <T extends Pragmas[keyof Pragmas]>() =>
  v.custom<T>((value) => typeof value === 'number' || typeof value === 'boolean' || isWord(value), WORD);

const pragmas = v.pipe(
  v.custom<object>(isRecord, 'an object'),
  v.record(v.string(), pragma()),
  v.custom<Partial<Pragmas>>(() => true),
);

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
  compileMs: v.nullable(time),
  /** Measured once, at the engine's start: imports linked and memory initialized, or an addon mapped and registered. Null if not observed. */
  instantiateMs: v.nullable(time),
});

/** Facts that an engine reports about itself. */
const ENGINE_FACTS = record({
  engine: word<EngineId>(),
  version: text,
  sourceId: v.nullable(text),
  compileOptions: list(text, MAX_LIST),
  /** Settings of an engine without SQLite's pragmas, as far as it reports them; missing: see `pragmas` of its cells. */
  settings: v.exactOptional(list(text, MAX_SETTINGS)),
  /** Hash of the .wasm or .node file; null if it cannot be read. */
  sha256: v.nullable(text),
  timerStepMs: time,
  /** Time until the engine can open a database. */
  startMs: time,
  /** The part of it for loading the code: fetching and compiling the wasm, or loading the native module. Missing: unknown. */
  codeMs: v.exactOptional(time),
  /** Missing: unknown, or part of the executable. */
  code: v.exactOptional(ENGINE_CODE),
  runtime: text,
});

/** Results of others and of earlier versions may lack the kind. */
const EVENT = record({
  kind: v.exactOptional(oneOf(['hidden', 'shown', 'slow-round', 'engine-died'])),
  atMs: time,
  /** Text for the user. */
  what: text,
});

const ENVIRONMENT = record({
  appVersion: text,
  /** Null in a plain browser. */
  electron: v.nullable(text),
  chromium: text,
  v8: v.nullable(text),
  /** Version of the process that native engines run in. */
  node: v.nullable(text),
  os: text,
  cpu: text,
  cores: size,
  ramBytes: v.nullable(size),
  /** File system of the profile folder, as reported by the system. */
  disk: v.nullable(text),
  diskFreeBytes: v.nullable(size),
  /** Null: unknown. */
  onBattery: v.nullable(flag),
  crossOriginIsolated: flag,
  /** The smallest step of the window's clock; for those of engines see {@link engines}. */
  timerStepMs: time,
  commit: v.nullable(text),
  seed: number,
  startedAt: text,
  seconds: time,
  /** The run neither completed nor was stopped: the window or the app was gone. Missing: it completed. */
  unfinished: v.exactOptional(flag),
  /** Events that disturbed it. */
  events: list(EVENT, MAX_LIST),
  engines: list(ENGINE_FACTS, MAX_GROUPS),
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
  scope: v.exactOptional(oneOf(['app'])),
  /** Samples in the order they were taken; each round has `perRound` of them. */
  samples,
  perRound: size,
  median: v.nullable(time),
  p95: v.nullable(time),
  /** Rows read and changed in one sample. */
  rows: v.nullable(size),
  /** Checksum of all values read; the same on every engine. */
  checksum: v.nullable(text),
  /** This engine relative to better-sqlite3 with the same storage and profile; null for that engine itself. */
  ratio: v.nullable(time),
  ratioLow: v.nullable(time),
  ratioHigh: v.nullable(time),
  /** `failed`: an error occurred; `skipped`: it cannot run there; `void`: its answer differs from the others'; `stopped`: by the user. */
  status: oneOf(['ok', 'failed', 'skipped', 'void', 'stopped']),
  /** A full sentence: why it has no number, or what to know about it. */
  why: v.nullable(text),
  /** The engine could not be started at all. Missing: it could, or that is unknown. */
  engineIsMissing: v.exactOptional(flag),
  /** The very first execution in its worker, before any warm-up. */
  firstUse: v.nullable(time),
  /** The same work as seen by the window: requested, done, and all rows received. Empty if not measured. */
  delivered: samples,
  deliveredRatio: v.nullable(time),
  deliveredRatioLow: v.nullable(time),
  deliveredRatioHigh: v.nullable(time),
  /** Milliseconds for which one delivery kept the window's thread busy; empty if not measured. */
  windowBusyMs: samples,
  /** Runs of the work in one sample, or executions of a latency test, so that the clock's step does not matter. A sample is the average of one. */
  batch: size,
  statements: list(STATEMENT, MAX_LIST),
  transaction: text,
  /** Read back after opening; only settings that differ from the run's profile. */
  pragmas,
  fileBytesAfter: v.nullable(size),
  heapBytesAfter: v.nullable(size),
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

const RESULT = record({
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

/** Maximum characters of the whole text. */
const MAX_JSON = 256 << 20;

/** @throws AppError `invalid` with a sentence that names the place */
export function parseResult(json: string): BenchResult {
  if (json.length > MAX_JSON) throw refusal('it is larger than 256 MB');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw refusal('it is not JSON');
  }
  return readResult(value);
}

/** @throws AppError `invalid` with a sentence that names the place */
export function readResult(value: unknown): BenchResult {
  if (!isRecord(value)) throw refusal('it is not an object');
  if (isDeeperThan(MAX_DEPTH, value)) throw refusal(`it has more than ${MAX_DEPTH} levels`);
  if (value['schema'] !== RESULT_SCHEMA) {
    const schema = typeof value['schema'] === 'number' ? `schema ${value['schema']}` : 'no schema number';
    throw refusal(`it has ${schema}, and this version of Sidelite reads schema ${RESULT_SCHEMA}`);
  }
  const { issues } = v.safeParse(RESULT, value, { abortEarly: true });
  if (issues) throw refusal(`“${placeOf(issues[0]).slice(0, 120)}” should be ${issues[0].message}`);
  // Returns the input instead of the parsed copy: later versions may have fields that this one does not know.
  const result = value as unknown as BenchResult;
  let samples = 0;
  for (const cell of result.cells) samples += cell.samples.length + cell.delivered.length + cell.windowBusyMs.length;
  if (samples > MAX_SAMPLES) throw refusal(`it has ${samples} samples, more than ${MAX_SAMPLES}`);
  for (const group of ['engine', 'suite'] as const) {
    const { size: count } = new Set<string>(result.cells.map((cell) => cell[group]));
    if (count > MAX_GROUPS) throw refusal(`it has ${count} ${group}s, more than ${MAX_GROUPS}`);
  }
  return result;
}

function refusal(what: string): AppError {
  return AppError.invalid(`This benchmark result cannot be read: ${what}. Nothing was imported.`);
}

/** `cells[0].samples[1]` */
function placeOf({ path }: v.BaseIssue<unknown>): string {
  const keys = (path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return keys.join('').replace(/^\./, '') || 'the whole';
}
