// A result as Markdown, for a page or an issue: a table for each suite, what was published apart from it, and where it was measured.
import { formatBytes } from '../../../ui/format.ts';
import { publishedSource } from '#shared/bench/published.ts';
import type { BenchResult } from '#shared/bench/result.ts';
import { quantile } from '#shared/bench/statistics.ts';
import { CODE_MEANING, machineFacts, runFacts } from '../results/facts.ts';
import { tableModel } from '../results/table-model.ts';
import type { ShownCell, SuiteRow, TableModel, TestRow } from '../results/table-model.ts';
import { standingOf } from '../results/timing.ts';
import type { Ratio, Timing } from '../results/timing.ts';
import { TIMINGS } from '../results/timing.ts';
import { warningsOf } from '../results/warnings.ts';
import {
  engineLabel,
  figureText,
  formatInterval,
  formatTime,
  sizeText,
  statusWord,
  suiteTitle,
} from '../results/labels.ts';

export function resultMarkdown(result: BenchResult, title: string, timing: Timing): string {
  const model = tableModel(result, { timing, suite: null });
  const { label, meaning } = TIMINGS.find(({ id }) => id === timing)!;
  const warnings = warningsOf(result).map(({ badge, text }) => `- **${escape(badge)}**: ${escape(text)}`);
  const sections = model.rows.flatMap((row) => (row.kind === 'suite' ? suiteSection(model, row) : []));
  const facts = [...machineFacts(result), ...runFacts(result)].flatMap(([name, value]) =>
    value === null ? [] : [`- ${name}: ${escape(value)}`],
  );
  return [
    `# ${escape(title)}`,
    '',
    `Time: ${label}. ${meaning} Ratios are relative to better-sqlite3 with the same storage and profile (${result.profile.name}), with their 95% interval; “no difference” where the interval includes 1.`,
    '',
    ...(warnings.length > 0 ? [...warnings, ''] : []),
    ...sections,
    ...engineSection(result),
    '## Where it was measured',
    '',
    ...facts,
    '',
  ].join('\n');
}

/** Sizes and times of compiled code; an engine that is a part of its executable has none. */
function engineSection({ env }: BenchResult): string[] {
  const rows = env.engines.map(({ engine, version, startMs, code }) => {
    const size = (bytes: number | undefined): string => (bytes === undefined ? '' : formatBytes(bytes));
    const time = (ms: number | null | undefined): string => (typeof ms === 'number' ? formatTime(ms, 'ms') : '');
    const cells = [
      ...[escape(engineLabel(engine)), escape(version), escape(code?.files.join(' and ') ?? '')],
      ...[size(code?.bytes), size(code?.gzipBytes), time(code?.compileMs), time(code?.instantiateMs), time(startMs)],
    ];
    return `| ${cells.join(' | ')} |`;
  });
  if (rows.length === 0) return [];
  return [
    '## Engines',
    '',
    '| Engine | Version | Code | Size | gzip | Compile | Instantiate | Start |',
    '| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    '',
    CODE_MEANING,
    '',
  ];
}

function suiteSection(model: TableModel, suite: SuiteRow): string[] {
  const tests = model.rows.filter((row): row is TestRow => row.kind === 'test' && row.suite === suite.suite);
  const columns = model.columns.filter(({ engine }) => tests.some(({ cells }) => cells[engine]));
  const line = (values: readonly string[]): string => `| ${values.join(' | ')} |`;
  const means = columns.map(({ engine, isReference }) => {
    const mean = suite.means[engine];
    return isReference ? '1×' : mean ? ratioText(mean) : '';
  });
  return [
    `## ${escape(suiteTitle(suite.suite))} (${suite.suite})`,
    '',
    line(['Test', 'Size', ...columns.map(({ label, version }) => escape(version ? `${label} (${version})` : label))]),
    line(['---', '---:', ...columns.map(() => '---:')]),
    ...tests.map(({ test, size, cells, suite: own }) =>
      line([
        escape(test),
        sizeText(own, size),
        ...columns.map(({ engine, isReference }) => cellText(cells[engine], isReference)),
      ]),
    ),
    line(['**Geometric mean**', '', ...means]),
    '',
    ...publishedSection(tests),
  ];
}

function publishedSection(tests: readonly TestRow[]): string[] {
  const lines = tests.flatMap(({ test, size, suite, published }) =>
    published.map(
      (figure) =>
        `- ${escape(test)}, ${sizeText(suite, size)}: ${figureText(figure)}, ${figure.contender} (${figure.source})`,
    ),
  );
  if (lines.length === 0) return [];
  const sources = [...new Set(tests.flatMap(({ published }) => published.map(({ source }) => source)))].map(
    publishedSource,
  );
  return [
    'Published by others, not measured here:',
    '',
    ...lines,
    '',
    ...sources.map(({ id, title, where, conditions }) => `${id}: ${title}, ${where}. ${conditions}`),
    '',
  ];
}

function cellText(shown: ShownCell | undefined, isReference: boolean): string {
  if (!shown) return '';
  const { cell } = shown;
  if (cell.status !== 'ok') return escape(`${statusWord(cell.status)}: ${cell.why ?? ''}`);
  const { samples, median, p95, ratio } = shown.shown;
  if (median === null) return '';
  const tail =
    cell.kind === 'latency' && p95 !== null
      ? `, p95 ${formatTime(p95, cell.unit)}, p99 ${formatTime(quantile(samples, 0.99), cell.unit)}`
      : '';
  const of = cell.scope === 'app' ? ' of the whole app' : ratio && !isReference ? `; ${ratioText(ratio)}` : '';
  return `${formatTime(median, cell.unit)}${tail}${of}`;
}

function ratioText(ratio: Ratio): string {
  return standingOf(ratio) === 'same' ? `${formatInterval(ratio)} no difference` : formatInterval(ratio);
}

/** Contains texts by other people: none of them may become markup. */
function escape(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>|#!]/g, (mark) => `\\${mark}`);
}
