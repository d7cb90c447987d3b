// Results made from a seed, for the tests of what is made of results.
import { referenceOf, engineOf } from './engines.ts';
import type { EngineId } from './engines.ts';
import { PROFILES } from './profile.ts';
import type { BenchCell, BenchResult, EngineCode } from './result.ts';
import { geometricMean, pairedRatio, summarize } from './statistics.ts';
import type { SuiteId } from './suites.ts';
import { createRandom } from '../random.ts';

export interface MadeTest {
  readonly suite: SuiteId;
  readonly test: string;
  readonly size: number;
  /** Median in ms by engine. */
  readonly times: Readonly<Partial<Record<EngineId, number>>>;
  readonly kind?: BenchCell['kind'];
}

export function madeResult(tests: readonly MadeTest[], seed = 1): BenchResult {
  const random = createRandom(seed);
  const bare = tests.flatMap(({ suite, test, size, times, kind = 'throughput' }) =>
    (Object.entries(times) as [EngineId, number][]).map(([engine, time]) => {
      const samples = Array.from({ length: 20 }, () => time * (0.97 + random.next() * 0.06));
      return madeCell({ suite, test, size, engine, kind, samples, delivered: samples.map((sample) => sample + 1) });
    }),
  );
  const cells = bare.map((cell) => withRatio(cell, bare));
  const engines = [...new Set(cells.map(({ engine }) => engine))];
  const suites = [...new Set(cells.map(({ suite }) => suite))];
  const geomeans = suites.flatMap((suite) =>
    engines.flatMap((engine) => {
      const own = cells.filter((cell) => cell.suite === suite && cell.engine === engine && cell.ratio !== null);
      const pairs = own.map((cell) => ({ ours: cell.samples, theirs: reference(cell, cells)!.samples }));
      const mean = geometricMean(pairs, createRandom(2));
      if (!mean) return [];
      return [{ suite, engine, ratio: mean.value, ratioLow: mean.low, ratioHigh: mean.high, cells: own.length }];
    }),
  );
  return {
    schema: 1,
    env: madeEnvironment(engines, seed),
    profile: { name: 'balanced', ...PROFILES.balanced },
    cells,
    geomeans,
  };
}

function reference(cell: BenchCell, cells: readonly BenchCell[]): BenchCell | undefined {
  const id = referenceOf(engineOf(cell.engine)!, 'balanced');
  return cells.find(
    ({ suite, test, size, engine }) =>
      engine === id && suite === cell.suite && test === cell.test && size === cell.size && id !== cell.engine,
  );
}

function withRatio(cell: BenchCell, cells: readonly BenchCell[]): BenchCell {
  const theirs = reference(cell, cells)?.samples;
  const ratio = theirs && pairedRatio({ ours: cell.samples, theirs }, createRandom(3));
  if (!ratio) return cell;
  const { value, low, high } = ratio;
  return {
    ...cell,
    ratio: value,
    ratioLow: low,
    ratioHigh: high,
    deliveredRatio: value,
    deliveredRatioLow: low,
    deliveredRatioHigh: high,
  };
}

export function madeCell(own: Partial<BenchCell>): BenchCell {
  const { samples = [] } = own;
  const summary = samples.length > 0 ? summarize(samples) : null;
  return {
    suite: 'wasm-run',
    test: 'insert',
    size: 1_000,
    engine: 'memory',
    unit: 'ms',
    kind: 'throughput',
    samples,
    perRound: 1,
    median: summary?.median ?? null,
    p95: summary?.p95 ?? null,
    rows: 1_000,
    checksum: '0123456789abcdef',
    ratio: null,
    ratioLow: null,
    ratioHigh: null,
    status: 'ok',
    why: null,
    firstUse: summary ? summary.median * 3 : null,
    delivered: [],
    deliveredRatio: null,
    deliveredRatioLow: null,
    deliveredRatioHigh: null,
    windowBusyMs: [],
    batch: 1,
    statements: [{ part: 'timed', sql: 'INSERT INTO t VALUES (?)', times: 1_000 }],
    transaction: 'One transaction around all inserts.',
    pragmas: {},
    fileBytesAfter: null,
    heapBytesAfter: null,
    ...own,
  };
}

function madeEnvironment(engines: readonly EngineId[], seed: number): BenchResult['env'] {
  return {
    appVersion: '0.1.0',
    electron: '45.4.1',
    chromium: '156',
    v8: null,
    node: 'Node 24',
    os: 'Linux 6',
    cpu: 'A processor',
    cores: 4,
    ramBytes: 8e9,
    disk: 'ext4',
    diskFreeBytes: 1e9,
    onBattery: false,
    crossOriginIsolated: true,
    timerStepMs: 0.005,
    commit: null,
    seed,
    startedAt: '2026-01-01T00:00:00Z',
    seconds: 10,
    events: [],
    engines: engines.map((engine) => ({
      engine,
      version: 'SQLite 3.54.1',
      sourceId: null,
      compileOptions: [],
      sha256: null,
      timerStepMs: 0.005,
      startMs: 90,
      ...(!engine.startsWith('node-sqlite') && { code: madeCode(engine.startsWith('native')) }),
      runtime: 'Chromium',
    })),
  };
}

const madeCode = (isAddon: boolean): EngineCode => ({
  files: [isAddon ? 'addon.node' : 'engine.wasm'],
  ...{ bytes: 881_234, gzipBytes: 412_345, compileMs: isAddon ? null : 9.1, instantiateMs: 0.42 },
});
