import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { PROFILES } from './profile.ts';
import { parseResult, readResult } from './result.ts';
import type { BenchResult } from './result.ts';

const RESULT: BenchResult = {
  schema: 1,
  env: {
    appVersion: '0.1.0',
    electron: '45.4.1',
    chromium: '156',
    v8: null,
    node: 'v24',
    os: 'Linux',
    cpu: 'x',
    cores: 2,
    ramBytes: 8e9,
    disk: 'ext4',
    diskFreeBytes: 1e9,
    onBattery: null,
    crossOriginIsolated: true,
    timerStepMs: 0.005,
    commit: null,
    seed: 1,
    startedAt: '2026-01-01T00:00:00Z',
    seconds: 10,
    events: [
      { kind: 'hidden', atMs: 5, what: 'The window was hidden.' },
      { atMs: 6, what: 'Of an earlier version.' },
    ],
    engines: [
      {
        engine: 'memory',
        version: '3.54.1',
        sourceId: null,
        compileOptions: ['A'],
        sha256: null,
        timerStepMs: 0.005,
        startMs: 90,
        runtime: 'Chromium',
      },
    ],
  },
  profile: { name: 'balanced', ...PROFILES.balanced },
  cells: [
    {
      suite: 'wasm-run',
      test: 'insert',
      size: 1000,
      engine: 'memory',
      unit: 'ms',
      kind: 'throughput',
      samples: [1, 2],
      perRound: 1,
      median: 1.5,
      p95: 2,
      rows: 1000,
      checksum: '0123456789abcdef',
      ratio: null,
      ratioLow: null,
      ratioHigh: null,
      status: 'ok',
      why: null,
      firstUse: 4,
      delivered: [],
      deliveredRatio: null,
      deliveredRatioLow: null,
      deliveredRatioHigh: null,
      windowBusyMs: [],
      batch: 1,
      statements: [{ part: 'timed', sql: 'SELECT 1', times: 1 }],
      transaction: 'None.',
      pragmas: { page_size: 4096 },
      fileBytesAfter: null,
      heapBytesAfter: 1e6,
    },
  ],
  geomeans: [{ suite: 'wasm-run', engine: 'memory', ratio: 1.2, ratioLow: 1.1, ratioHigh: 1.3, cells: 4 }],
};

const cellWith = (change: object): unknown => ({ ...RESULT, cells: [{ ...RESULT.cells[0], ...change }] });

describe('a result from elsewhere', () => {
  test('is read as it was written', () => {
    expect(parseResult(JSON.stringify(RESULT))).toEqual(RESULT);
  });

  test('memory and figures of the whole app are known', () => {
    const cell = { ...RESULT.cells[0]!, unit: 'bytes', scope: 'app' } as const;
    expect(readResult(cellWith({ unit: 'bytes', scope: 'app' })).cells).toEqual([cell]);
  });

  test('what a later version has more is kept', () => {
    expect(readResult(cellWith({ later: 1, ['__proto__x']: 2 })).cells[0]).toMatchObject({ later: 1 });
  });

  test.each([
    ['nonsense', /not JSON/],
    ['[]', /not an object/],
    ['{}', /no schema number/],
    ['{"schema":2}', /schema 2/],
    ['{"schema":1}', /“env” should be an object/],
  ])('%s is refused', (json, why) => {
    expect(() => parseResult(json)).toThrow(why);
  });

  test.each([
    [{ samples: [1, 'x'] }, /cells\[0\]\.samples\[1\]/],
    [{ samples: [1, null] }, /samples\[1\]/],
    [{ samples: { length: 1e9 } }, /samples” should be a list/],
    [{ status: '<img>' }, /status” should be one of/],
    [{ engine: '<script>' }, /engine” should be a word/],
    [{ why: 'x'.repeat(5000) }, /at most 4000 characters/],
    [{ median: -1 }, /from 0 on/],
    [{ scope: 'engine room' }, /scope” should be one of app/],
    [{ pragmas: { a: {} } }, /pragmas\.a/],
    [{ pragmas: [] }, /pragmas” should be an object/],
    [{ median: undefined }, /cells\[0\]\.median” should be a number from 0 on/],
    [{ samples: undefined }, /samples” should be a list/],
    [{ statements: [[]] }, /statements\[0\]” should be an object/],
    [{ rows: 1.5 }, /rows” should be a whole number from 0 on/],
    [{ engineIsMissing: 1 }, /engineIsMissing” should be true or false/],
  ])('a cell with %j is refused, and the place is named', (change, why) => {
    expect(() => readResult(cellWith(change))).toThrow(why);
  });

  test('too many cells or samples are refused before anybody draws them', () => {
    expect(() => readResult({ ...RESULT, cells: Array.from({ length: 20_001 }, () => RESULT.cells[0]) })).toThrow(
      /at most 20000/,
    );
    const samples = Array.from({ length: 400_000 }, () => 1);
    expect(() => readResult({ ...RESULT, cells: [1, 2, 3].map(() => ({ ...RESULT.cells[0], samples })) })).toThrow(
      /1200000 samples/,
    );
  });

  test.each(['engine', 'suite'] as const)('more of one %s than a table has room for are refused', (group) => {
    const cells = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ ...RESULT.cells[0], [group]: `x${at}` }));
    expect(() => readResult({ ...RESULT, cells: cells(201) })).toThrow(new RegExp(`201 ${group}s, more than 200`));
    expect(readResult({ ...RESULT, cells: cells(200) }).cells).toHaveLength(200);
  });

  test('what is too deep to be written again is refused, also in a field of a later version', () => {
    const json = JSON.stringify({ ...RESULT, later: 0 }).replace(
      '"later":0',
      `"later":${'['.repeat(9000)}${']'.repeat(9000)}`,
    );
    expect(() => parseResult(json)).toThrow(/more than 20 levels/);
  });

  test('whatever else comes is refused in words or read', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('env', 'profile', 'cells', 'geomeans'), (noise, field) => {
        try {
          readResult({ ...RESULT, [field]: noise });
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid' });
        }
      }),
      { seed: 2, numRuns: seedCount(300) },
    );
  });
});
