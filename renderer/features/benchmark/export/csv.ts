// A result as CSV: a line for each cell, so that any spreadsheet can take it further.
import { looksLikeFormula } from '#shared/formula-text.ts';
import type { BenchCell, BenchResult, EngineCode } from '#shared/bench/result.ts';
import { summarize } from '#shared/bench/statistics.ts';
import { engineLabel } from '../results/labels.ts';

type Value = string | number | null;

const COLUMNS: readonly (readonly [name: string, read: (cell: BenchCell, result: BenchResult) => Value])[] = [
  ['suite', ({ suite }) => suite],
  ['test', ({ test }) => test],
  ['size', ({ size }) => size],
  ['engine', ({ engine }) => engine],
  ['engine_label', ({ engine }) => engineLabel(engine)],
  ['version', ({ engine }, { env }) => env.engines.find((facts) => facts.engine === engine)?.version ?? null],
  ['profile', (_cell, { profile }) => profile.name],
  ['status', ({ status }) => status],
  ['unit', ({ unit }) => unit],
  ['samples', ({ samples }) => samples.length],
  ['median', ({ median }) => median],
  ['p95', ({ p95 }) => p95],
  ['p99', ({ samples }) => (samples.length > 0 ? summarize(samples).p99 : null)],
  ['ratio', ({ ratio }) => ratio],
  ['ratio_low', ({ ratioLow }) => ratioLow],
  ['ratio_high', ({ ratioHigh }) => ratioHigh],
  ['first_use', ({ firstUse }) => firstUse],
  ['delivered_median', ({ delivered }) => (delivered.length > 0 ? summarize(delivered).median : null)],
  ['delivered_ratio', ({ deliveredRatio }) => deliveredRatio],
  ['delivered_ratio_low', ({ deliveredRatioLow }) => deliveredRatioLow],
  ['delivered_ratio_high', ({ deliveredRatioHigh }) => deliveredRatioHigh],
  ['rows', ({ rows }) => rows],
  ['checksum', ({ checksum }) => checksum],
  ['why', ({ why }) => why],
  ['code_bytes', ofCode(({ bytes }) => bytes)],
  ['code_gzip_bytes', ofCode(({ gzipBytes }) => gzipBytes)],
  ['compile_ms', ofCode(({ compileMs }) => compileMs)],
  ['instantiate_ms', ofCode(({ instantiateMs }) => instantiateMs)],
];

/** Values that are the same in each line of an engine. */
function ofCode(read: (code: EngineCode) => number | null): (cell: BenchCell, result: BenchResult) => number | null {
  return ({ engine }, { env }) => {
    const code = env.engines.find((facts) => facts.engine === engine)?.code;
    return code ? read(code) : null;
  };
}

export function resultCsv(result: BenchResult): string {
  const lines = result.cells.map((cell) => COLUMNS.map(([, read]) => csvValue(read(cell, result))).join(','));
  return [COLUMNS.map(([name]) => name).join(','), ...lines, ''].join('\r\n');
}

/** Contains texts by other people: those that a spreadsheet would take for formulas are turned into text. */
function csvValue(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = looksLikeFormula(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
