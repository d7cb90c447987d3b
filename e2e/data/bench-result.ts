// A benchmark result as somebody else's program would write it.
import { PROFILES } from '../../shared/bench/profile.ts';
import type { BenchCell, BenchResult } from '../../shared/bench/result.ts';

const ENGINES = ['opfs-balanced', 'opfs-full', 'native-balanced', 'native-full', 'sql-js'] as const;

/** `rows` tests on five engines, 20 samples each; the third cell is void. */
export function someResult(rows: number): BenchResult {
  const cells = Array.from({ length: rows }, (_, row) =>
    ENGINES.map((engine, column) => cellOf(`test-${row + 1}`, engine, 2 + ((row * 7 + column * 3) % 11))),
  ).flat();
  cells[2] = {
    ...cells[2]!,
    status: 'void',
    why: 'It read 3 rows, the others 4.',
    samples: [],
    median: null,
    p95: null,
  };
  return {
    schema: 1,
    env: {
      appVersion: '0.1.0',
      electron: '45.4.1',
      chromium: '156',
      v8: null,
      node: 'Node 24',
      os: 'Plan 9 <script>alert(1)</script>',
      cpu: 'Their processor',
      cores: 64,
      ramBytes: 512e9,
      disk: null,
      diskFreeBytes: null,
      onBattery: true,
      crossOriginIsolated: true,
      timerStepMs: 0.005,
      commit: null,
      seed: 1,
      startedAt: '2026-01-01T00:00:00Z',
      seconds: 60,
      events: [],
      engines: ENGINES.map((engine) => ({
        engine,
        version: 'SQLite 3.54.1',
        sourceId: null,
        compileOptions: [],
        sha256: null,
        timerStepMs: 0.005,
        startMs: 90,
        runtime: 'Chromium',
      })),
    },
    profile: { name: 'balanced', ...PROFILES.balanced },
    cells,
    geomeans: [{ suite: 'wasm-run', engine: 'opfs-balanced', ratio: 1.4, ratioLow: 1.3, ratioHigh: 1.5, cells: rows }],
  };
}

function cellOf(test: string, engine: BenchCell['engine'], ms: number): BenchCell {
  const samples = Array.from({ length: 20 }, (_, index) => ms * (1 + (index % 5) / 100));
  const ratio = engine.startsWith('native') ? null : ms / 5;
  return {
    suite: 'wasm-run',
    test,
    size: 1_000,
    engine,
    unit: 'ms',
    kind: 'throughput',
    samples,
    perRound: 1,
    median: ms * 1.02,
    p95: ms * 1.04,
    rows: 1_000,
    checksum: '0123456789abcdef',
    ratio,
    ratioLow: ratio && ratio * 0.95,
    ratioHigh: ratio && ratio * 1.05,
    status: 'ok',
    why: null,
    firstUse: ms * 3,
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
  };
}
