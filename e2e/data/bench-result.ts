// A benchmark result as another program would write it.
import { madeResult } from '../../shared/bench/made-result.test-suite.ts';
import type { BenchResult } from '../../shared/bench/result.ts';

const ENGINES = ['opfs-balanced', 'opfs-full', 'native-balanced', 'native-full', 'sql-js'] as const;

/** `rows` tests on five engines, 20 samples each; the third cell is void. */
export function someResult(rows: number): BenchResult {
  const made = madeResult(
    Array.from({ length: rows }, (_, row) => ({
      suite: 'wasm-run',
      test: `test-${row + 1}`,
      size: 1_000,
      times: Object.fromEntries(ENGINES.map((engine, column) => [engine, 2 + ((row * 7 + column * 3) % 11)])),
    })),
  );
  const cells = [...made.cells];
  if (cells[2])
    cells[2] = {
      ...cells[2],
      status: 'void',
      why: 'It read 3 rows, the others 4.',
      samples: [],
      median: null,
      p95: null,
    };
  const theirs = { os: 'Plan 9 <script>alert(1)</script>', cpu: 'Their processor', cores: 64, onBattery: true };
  return { ...made, env: { ...made.env, ...theirs }, cells };
}
