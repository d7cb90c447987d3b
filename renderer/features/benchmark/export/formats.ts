// The formats a result can be saved as: JSON with everything, CSV with a line for each cell, Markdown for a page or an issue, and a picture.
import { looksLikeFormula } from '#shared/formula-text.ts';
import { publishedSource } from '#shared/bench/published.ts';
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import { quantile, summarize } from '#shared/bench/statistics.ts';
import { formatBytes, plural } from '../../../ui/format.ts';
import type { ExportFormat } from '../../../workbench/files/export-format.ts';
import { fitText, line, rect, SMALL_SIZE, text } from '../charts/scene.ts';
import type { Ink, Scene, Shape } from '../charts/scene.ts';
import { scenePng } from '../charts/scene-view.tsx';
import { CODE_MEANING, codeTimes, ENGINE_COLUMNS, machineFacts, runFacts } from '../results/facts.tsx';
import { tableModel } from '../results/table-model.ts';
import type { Column, ShownCell, SuiteRow, TableModel, TableRow, TestRow } from '../results/table-model.ts';
import { warningsOf } from '../results/findings.ts';
import {
  engineLabel,
  figureText,
  formatInterval,
  formatRatio,
  formatTime,
  sizeText,
  standingOf,
  statusWord,
  suiteTitle,
  tailText,
  threeDigits,
  TIMINGS,
} from '../results/labels.ts';
import type { Ratio, Timing } from '../results/labels.ts';

interface ExportedView {
  readonly result: BenchResult;
  readonly title: string;
  readonly timing: Timing;
  /** A picture of what is on screen; called only by formats that save one. */
  picture(): Scene;
}

export const RESULT_FORMATS: readonly ExportFormat<ExportedView>[] = [
  {
    extension: 'json',
    label: 'JSON…',
    hint: 'everything, raw samples included',
    contents: ({ result }) => JSON.stringify(result, null, 1),
  },
  { extension: 'csv', label: 'CSV…', hint: 'a line for each cell', contents: ({ result }) => resultCsv(result) },
  {
    extension: 'md',
    label: 'Markdown…',
    hint: 'tables for a page',
    contents: ({ result, title, timing }) => resultMarkdown(result, title, timing),
  },
  {
    extension: 'png',
    label: 'PNG…',
    hint: 'a picture of this view',
    contents: ({ picture }) => scenePng(picture(), document.documentElement),
  },
];

type Value = string | number | null;

/** Values that are the same in each line of an engine. */
const ofCode =
  (key: 'bytes' | 'gzipBytes' | 'compileMs' | 'instantiateMs') =>
  ({ engine }: BenchCell, { env }: BenchResult): number | null =>
    env.engines.find((facts) => facts.engine === engine)?.code?.[key] ?? null;

const CSV_COLUMNS: readonly (readonly [name: string, read: (cell: BenchCell, result: BenchResult) => Value])[] = [
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
  ['code_bytes', ofCode('bytes')],
  ['code_gzip_bytes', ofCode('gzipBytes')],
  ['compile_ms', ofCode('compileMs')],
  ['instantiate_ms', ofCode('instantiateMs')],
];

export function resultCsv(result: BenchResult): string {
  const lines = result.cells.map((cell) => CSV_COLUMNS.map(([, read]) => csvValue(read(cell, result))).join(','));
  return [CSV_COLUMNS.map(([name]) => name).join(','), ...lines, ''].join('\r\n');
}

/** Contains texts by other people: those that a spreadsheet would take for formulas are turned into text. */
function csvValue(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = looksLikeFormula(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A result as Markdown: a table for each suite, what was published apart from it, and where it was measured. */
export function resultMarkdown(result: BenchResult, title: string, timing: Timing): string {
  const model = tableModel(result, { timing, suite: null });
  const { label, title: meaning } = TIMINGS.find(({ id }) => id === timing)!;
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
  if (env.engines.length === 0) return [];
  return [
    '## Engines',
    '',
    mdLine(ENGINE_COLUMNS.map(({ name }) => name)),
    mdLine(ENGINE_COLUMNS.map(({ isNumber }) => (isNumber ? '---:' : '---'))),
    ...env.engines.map((engine) => mdLine(ENGINE_COLUMNS.map(({ read }) => escape(read(engine) ?? '')))),
    '',
    CODE_MEANING,
    '',
  ];
}

const mdLine = (values: readonly string[]): string => `| ${values.join(' | ')} |`;

function suiteSection(model: TableModel, suite: SuiteRow): string[] {
  const tests = model.rows.filter((row): row is TestRow => row.kind === 'test' && row.suite === suite.suite);
  const columns = model.columns.filter(({ engine }) => tests.some(({ cells }) => cells[engine]));
  const means = columns.map(({ engine, isReference }) => {
    const mean = suite.means[engine];
    return isReference ? '1×' : mean ? ratioText(mean) : '';
  });
  return [
    `## ${escape(suiteTitle(suite.suite))} (${suite.suite})`,
    '',
    mdLine(['Test', 'Size', ...columns.map(({ label, version }) => escape(version ? `${label} (${version})` : label))]),
    mdLine(['---', '---:', ...columns.map(() => '---:')]),
    ...tests.map(({ test, size, cells, suite: own }) =>
      mdLine([
        escape(test),
        sizeText(own, size),
        ...columns.map(({ engine, isReference }) => cellText(cells[engine], isReference)),
      ]),
    ),
    mdLine(['**Geometric mean**', '', ...means]),
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
  const { samples, median, ratio } = shown.shown;
  if (median === null) return '';
  const p95 = tailText(shown);
  const tail = p95 && `, ${p95}, p99 ${formatTime(quantile(samples, 0.99), cell.unit)}`;
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

const FIRST = 200;
const COLUMN = 150;
const ROW = 38;
const HEAD = 78;
/** Height of three additional lines, if the sizes of engines are known. */
const CODE_HEAD = 36;
const PAD = 12;
/** Longer tables would be too large for any viewer. */
const MOST_ROWS = 180;

const INKS: Readonly<Record<ReturnType<typeof standingOf>, Ink>> = {
  faster: 'ins',
  slower: 'warn',
  same: 'dim',
  unknown: 'dim',
};

/** The table of a result as a picture. @param published contenders that have their own column */
export function tableScene(model: TableModel, title: string, facts: string, published: readonly string[]): Scene {
  const rows = model.rows.slice(0, MOST_ROWS);
  const left = model.rows.length - rows.length;
  const width = FIRST + (model.columns.length + published.length) * COLUMN + 2 * PAD;
  const head = HEAD + (model.columns.some(({ code }) => code) ? CODE_HEAD : 0);
  const height = head + rows.length * ROW + (left > 0 ? 24 : 0) + PAD;
  const marks: Shape[] = [
    text([PAD, 22], fitText(title, width - 2 * PAD, 14), 'text', { size: 14, bold: true }),
    text([PAD, 40], fitText(facts, width - 2 * PAD), 'dim'),
    ...model.columns.flatMap(columnHead),
    ...published.flatMap((contender, index) =>
      twoLines(columnX(model.columns.length + index), 44, contender, 'published'),
    ),
    ...rows.flatMap((row, index) => rowMarks(model, row, published, head + index * ROW, width)),
  ];
  if (left > 0) marks.push(text([PAD, height - PAD], `and ${plural(left, 'more row')}`, 'faint'));
  return { width, height, label: title, marks, stops: [] };
}

const columnX = (index: number): number => PAD + FIRST + index * COLUMN;

const small = (x: number, y: number, words: string, width: number, ink: Ink): Shape =>
  text([x, y], fitText(words, width, SMALL_SIZE), ink, { size: SMALL_SIZE });

const twoLines = (x: number, top: number, name: string, note: string, width = COLUMN, bold = true): Shape[] => [
  text([x, top + 16], fitText(name, width - 10), 'text', { bold }),
  small(x, top + 30, note, width - 10, 'faint'),
];

function columnHead({ label, version, isReference, code }: Column, index: number): Shape[] {
  const note = isReference ? `${version ?? ''} reference` : (version ?? '');
  const x = columnX(index);
  // “881 KB, gzip 412 KB”, “compile 9.10 ms”, “instantiate 420 µs”
  const lines = code ? [`${formatBytes(code.bytes)}, gzip ${formatBytes(code.gzipBytes)}`, ...codeTimes(code)] : [];
  const codeMarks = lines.map((words, at) => small(x, 86 + at * 12, words, COLUMN - 10, 'faint'));
  return [...twoLines(x, 44, label, note), ...codeMarks];
}

function rowMarks(
  { columns }: TableModel,
  row: TableRow,
  published: readonly string[],
  top: number,
  width: number,
): Shape[] {
  const isSuite = row.kind === 'suite';
  const [name, note] = isSuite
    ? [suiteTitle(row.suite), 'geometric mean of ratios']
    : [row.test, sizeText(row.suite, row.size)];
  const marks = [
    ...(isSuite ? [rect([0, top], [width, ROW], 'panel')] : []),
    line([0, top + 0.5], [width, top + 0.5], 'line2'),
    ...twoLines(PAD, top, name, note, FIRST, isSuite),
  ];
  columns.forEach(({ engine, isReference }, index) => {
    const x = columnX(index);
    if (!isSuite) marks.push(...cellMarks(row.cells[engine], isReference, x, top));
    else if (!isReference) marks.push(...ratioMarks(row.means[engine] ?? null, x, top + 22));
  });
  published.forEach((contender, index) => {
    const figure = row.published.find((each) => each.contender === contender);
    if (figure) marks.push(text([columnX(columns.length + index), top + 22], figureText(figure), 'dim'));
  });
  return marks;
}

function cellMarks(shown: ShownCell | undefined, isReference: boolean, x: number, top: number): Shape[] {
  if (!shown) return [];
  const { cell } = shown;
  if (cell.status !== 'ok') {
    const ink = cell.status === 'void' || cell.status === 'failed' ? 'error' : 'faint';
    return [
      ...(cell.status === 'void' ? [rect([x - 6, top + 1], [COLUMN - 4, ROW - 1], 'error-bg')] : []),
      text([x, top + 16], statusWord(cell.status), ink, { bold: true }),
      small(x, top + 30, cell.why ?? '', COLUMN - 12, ink),
    ];
  }
  const { median, ratio } = shown.shown;
  if (median === null) return [];
  const words = [formatTime(median, cell.unit), tailText(shown)].filter(Boolean).join('  ');
  return [text([x, top + 16], words, 'text'), ...ratioMarks(isReference ? null : ratio, x, top + 30)];
}

function ratioMarks(ratio: Ratio | null, x: number, y: number): Shape[] {
  if (!ratio) return [];
  const { value, low, high } = ratio;
  const standing = standingOf(ratio);
  const interval = low === null || high === null ? '' : `  ${threeDigits(low)}–${threeDigits(high)}`;
  const words = `${formatRatio(value)}${standing === 'same' ? '  no difference' : interval}`;
  return [text([x, y], words, INKS[standing], { size: 10.5, bold: true })];
}
