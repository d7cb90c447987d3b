// A result as a terminal shows it: one block a suite, one line a test and engine, ratios with their intervals.
import type { BenchCell, BenchResult, EngineCode } from '#shared/bench/result.ts';
import { quantile, spansOne } from '#shared/bench/statistics.ts';

const HEAD = ['test', 'size', 'engine', 'median', 'p95', 'p99', 'ratio', '95%', 'delivered', 'ratio', 'first use', 'n'];

export function benchTable(result: BenchResult): string {
  const suites = [...new Set(result.cells.map(({ suite }) => suite))];
  return [environment(result), ...suites.map((suite) => suiteBlock(result, suite))].join('\n\n');
}

function environment({ env, profile }: BenchResult): string {
  const engines = env.engines.map(
    ({ engine, version, runtime, code }) => `  ${engine}: ${versionText(version)}, ${runtime}${codeText(code)}`,
  );
  const lines = [
    `${env.os} · ${env.cpu} × ${env.cores} · ${env.disk ?? 'disk unknown'} · Electron ${env.electron ?? '-'} · Chromium ${env.chromium}`,
    `profile ${profile.name}: ${profile.journal_mode}, synchronous ${profile.synchronous}, pages of ${profile.page_size}, cache ${profile.cache_size} · seed ${env.seed} · ${env.seconds.toFixed(0)} s`,
    ...engines,
    ...env.events.map(({ atMs, what }) => `  after ${(atMs / 1000).toFixed(0)} s: ${what}`),
  ];
  return lines.join('\n');
}

function codeText(code: EngineCode | undefined): string {
  if (!code) return '';
  const size = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;
  const step = (what: string, ms: number | null): string => (ms === null ? '' : `, ${what} ${ms.toFixed(2)} ms`);
  const { files, bytes, gzipBytes, compileMs, instantiateMs } = code;
  const name = files.join(' and ');
  return `; ${name} ${size(bytes)}, gzip ${size(gzipBytes)}${step('compile', compileMs)}${step('instantiate', instantiateMs)}`;
}

/** A version that is a bare number is one of SQLite. */
const versionText = (version: string): string => (/^\d/.test(version) ? `SQLite ${version}` : version);

function suiteBlock(result: BenchResult, suite: string): string {
  const cells = result.cells.filter((cell) => cell.suite === suite);
  const rows = cells.map((cell) => (cell.status === 'ok' ? numbers(cell) : withoutNumbers(cell)));
  const notes = cells
    .filter(({ why }) => why !== null)
    .map(({ test, size, engine, status, why }) => `  ${test} ${size} ${engine}: ${status}. ${why}`);
  const means = result.geomeans
    .filter((mean) => mean.suite === suite)
    .map((mean) => `  geometric mean of ${mean.cells}, ${mean.engine}: ${ratio(mean.ratio)} (${between(mean)})`);
  return [suite, ...aligned([HEAD, ...rows]), ...means, ...notes].join('\n');
}

function numbers(cell: BenchCell): readonly string[] {
  return [
    cell.test,
    String(cell.size),
    cell.engine,
    time(cell.median, cell),
    time(cell.p95, cell),
    cell.kind === 'latency' ? time(quantile(cell.samples, 0.99), cell) : '',
    cell.ratio === null ? (cell.scope === 'app' ? 'app' : '') : ratio(cell.ratio),
    cell.ratio === null ? '' : between(cell),
    cell.delivered.length === 0 ? '' : time(middle(cell.delivered), cell),
    cell.deliveredRatio === null ? '' : ratio(cell.deliveredRatio),
    time(cell.firstUse, cell),
    String(cell.samples.length),
  ];
}

function withoutNumbers({ test, size, engine, status }: BenchCell): readonly string[] {
  return [test, String(size), engine, status, '', '', '', '', '', '', '', ''];
}

function between(mean: { readonly ratioLow: number | null; readonly ratioHigh: number | null }): string {
  if (mean.ratioLow === null || mean.ratioHigh === null) return '';
  const [low, high] = [mean.ratioLow, mean.ratioHigh];
  return `${ratio(low)}–${ratio(high)}${spansOne({ low, high }) ? ', no difference' : ''}`;
}

const ratio = (value: number): string => value.toFixed(2);

function time(value: number | null, { unit }: Pick<BenchCell, 'unit'>): string {
  if (value === null) return '';
  if (unit === 'bytes') return `${(value / 1e6).toFixed(1)} MB`;
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return `${value.toFixed(digits)} ${unit === 'us' ? 'µs' : 'ms'}`;
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

/** Words to the left, numbers to the right. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 || column === 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}
