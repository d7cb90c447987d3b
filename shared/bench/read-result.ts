// Takes a result that somebody else made: every field is looked at, nothing is believed to be small, and a refusal says where.
import { AppError } from '../protocol/errors.ts';
import { RESULT_SCHEMA } from './result.ts';
import type { BenchResult } from './result.ts';

const MAX_CELLS = 20_000;
const MAX_SAMPLES = 1_000_000;
const MAX_TEXT = 4_000;
const MAX_LIST = 2_000;
/** Characters of the whole text. */
const MAX_JSON = 256 << 20;

const UNITS = ['ms', 'us', 'bytes'];
const KINDS = ['throughput', 'latency'];
const STATUSES = ['ok', 'failed', 'skipped', 'void', 'stopped'];
const PROFILES = ['full', 'balanced', 'memory'];
const EVENTS = ['hidden', 'shown', 'slow-round', 'engine-died'];
const PARTS = ['prepared', 'timed', 'checked'];

type Fields = Readonly<Record<string, Check>>;
/** Throws where `value`, found at `path`, is not what it should be. */
type Check = (value: unknown, path: string) => void;

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
  if (value['schema'] !== RESULT_SCHEMA) {
    const schema = typeof value['schema'] === 'number' ? `schema ${value['schema']}` : 'no schema number';
    throw refusal(`it has ${schema}, and this version of Sidelite reads schema ${RESULT_SCHEMA}`);
  }
  RESULT(value, '');
  const result = value as unknown as BenchResult;
  let samples = 0;
  for (const cell of result.cells) samples += cell.samples.length + cell.delivered.length + cell.windowBusyMs.length;
  if (samples > MAX_SAMPLES) throw refusal(`it has ${samples} samples, more than ${MAX_SAMPLES}`);
  return result;
}

function refusal(what: string): AppError {
  return new AppError({
    code: 'invalid',
    message: `This is not a benchmark result that can be read: ${what}. Nothing was imported.`,
  });
}

function wrong(path: string, expected: string): AppError {
  return refusal(`“${path.slice(0, 120)}” should be ${expected}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const text: Check = (value, path) => {
  if (typeof value !== 'string') throw wrong(path, 'a text');
  if (value.length > MAX_TEXT) throw wrong(path, `at most ${MAX_TEXT} characters`);
};
const number: Check = (value, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(path, 'a number');
};
const size: Check = (value, path) => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw wrong(path, 'a whole number from 0 on');
};
const time: Check = (value, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw wrong(path, 'a number from 0 on');
};
const flag: Check = (value, path) => {
  if (typeof value !== 'boolean') throw wrong(path, 'true or false');
};
const optional =
  (check: Check): Check =>
  (value, path) => {
    if (value !== undefined) check(value, path);
  };
const orNull =
  (check: Check): Check =>
  (value, path) => {
    if (value !== null) check(value, path);
  };
const oneOf =
  (words: readonly string[]): Check =>
  (value, path) => {
    if (typeof value !== 'string' || !words.includes(value)) throw wrong(path, `one of ${words.join(', ')}`);
  };
const list =
  (check: Check, most: number): Check =>
  (value, path) => {
    if (!Array.isArray(value)) throw wrong(path, 'a list');
    if (value.length > most) throw wrong(path, `a list of at most ${most}`);
    for (let at = 0; at < value.length; at++) check(value[at], `${path}[${at}]`);
  };
const record =
  (fields: Fields): Check =>
  (value, path) => {
    if (!isRecord(value)) throw wrong(path === '' ? 'the whole' : path, 'an object');
    for (const [name, check] of Object.entries(fields)) check(value[name], path === '' ? name : `${path}.${name}`);
  };
/** Words of engines, suites and tests: later versions have more of them, so any word will do. */
const word: Check = (value, path) => {
  if (typeof value !== 'string' || !/^[\w.:+-]{1,80}$/.test(value))
    throw wrong(path, 'a word of letters, digits and hyphens');
};
const pragma: Check = (value, path) => {
  if (typeof value !== 'number' && typeof value !== 'boolean') word(value, path);
};

const samples = list(time, MAX_SAMPLES);

const ENGINE_CODE = record({
  files: list(text, MAX_LIST),
  bytes: size,
  gzipBytes: size,
  compileMs: orNull(time),
  instantiateMs: orNull(time),
});

const ENGINE_FACTS = record({
  engine: word,
  version: text,
  sourceId: orNull(text),
  compileOptions: list(text, MAX_LIST),
  settings: optional(list(text, MAX_LIST)),
  sha256: orNull(text),
  timerStepMs: time,
  startMs: time,
  codeMs: optional(time),
  code: optional(ENGINE_CODE),
  runtime: text,
});

const ENVIRONMENT = record({
  appVersion: text,
  electron: orNull(text),
  chromium: text,
  v8: orNull(text),
  node: orNull(text),
  os: text,
  cpu: text,
  cores: size,
  ramBytes: orNull(size),
  disk: orNull(text),
  diskFreeBytes: orNull(size),
  onBattery: orNull(flag),
  crossOriginIsolated: flag,
  timerStepMs: time,
  commit: orNull(text),
  seed: number,
  startedAt: text,
  seconds: time,
  unfinished: optional(flag),
  events: list(record({ kind: optional(oneOf(EVENTS)), atMs: time, what: text }), MAX_LIST),
  engines: list(ENGINE_FACTS, 200),
});

const CELL = record({
  suite: word,
  test: word,
  size,
  engine: word,
  unit: oneOf(UNITS),
  kind: oneOf(KINDS),
  scope: optional(oneOf(['app'])),
  samples,
  perRound: size,
  median: orNull(time),
  p95: orNull(time),
  rows: orNull(size),
  checksum: orNull(text),
  ratio: orNull(time),
  ratioLow: orNull(time),
  ratioHigh: orNull(time),
  status: oneOf(STATUSES),
  why: orNull(text),
  engineIsMissing: optional(flag),
  firstUse: orNull(time),
  delivered: samples,
  deliveredRatio: orNull(time),
  deliveredRatioLow: orNull(time),
  deliveredRatioHigh: orNull(time),
  windowBusyMs: samples,
  batch: size,
  statements: list(record({ part: oneOf(PARTS), sql: text, times: size }), MAX_LIST),
  transaction: text,
  pragmas: (value, path) => {
    if (!isRecord(value)) throw wrong(path, 'an object');
    for (const [name, setting] of Object.entries(value)) pragma(setting, `${path}.${name}`);
  },
  fileBytesAfter: orNull(size),
  heapBytesAfter: orNull(size),
});

const RESULT = record({
  env: ENVIRONMENT,
  profile: record({
    name: oneOf(PROFILES),
    journal_mode: pragma,
    synchronous: pragma,
    page_size: size,
    cache_size: number,
    temp_store: pragma,
    foreign_keys: flag,
    locking_mode: pragma,
    mmap_size: number,
  }),
  cells: list(CELL, MAX_CELLS),
  geomeans: list(
    record({ suite: word, engine: word, ratio: time, ratioLow: time, ratioHigh: time, cells: size }),
    MAX_CELLS,
  ),
});
