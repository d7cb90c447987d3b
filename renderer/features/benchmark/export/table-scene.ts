// The table of a result as a picture.
import { formatBytes, plural } from '../../../ui/format.ts';
import { FONT_SIZE, fitText } from '../charts/scene.ts';
import type { Ink, Shape, Scene } from '../charts/scene.ts';
import { codeTimes } from '../results/facts.ts';
import type { Column, ShownCell, TableModel, TableRow } from '../results/table-model.ts';
import { standingOf } from '../results/timing.ts';
import type { Ratio } from '../results/timing.ts';
import {
  figureText,
  formatRatio,
  formatTime,
  sizeText,
  statusWord,
  suiteTitle,
  threeDigits,
} from '../results/labels.ts';

const FIRST = 200;
const COLUMN = 150;
const ROW = 38;
const HEAD = 78;
/** Height of three additional lines, if the sizes of engines are known. */
const CODE_HEAD = 36;
const PAD = 12;
/** Longer tables would be too large for any viewer. */
export const MOST_ROWS = 180;

const INKS: Readonly<Record<ReturnType<typeof standingOf>, Ink>> = {
  faster: 'ins',
  slower: 'warn',
  same: 'dim',
  unknown: 'dim',
};

/** @param published contenders that have their own column */
export function tableScene(model: TableModel, title: string, facts: string, published: readonly string[]): Scene {
  const rows = model.rows.slice(0, MOST_ROWS);
  const left = model.rows.length - rows.length;
  const width = FIRST + (model.columns.length + published.length) * COLUMN + 2 * PAD;
  const head = HEAD + (model.columns.some(({ code }) => code) ? CODE_HEAD : 0);
  const height = head + rows.length * ROW + (left > 0 ? 24 : 0) + PAD;
  const marks: Shape[] = [
    { kind: 'text', x: PAD, y: 22, text: fitText(title, width - 2 * PAD, 14), ink: 'text', size: 14, bold: true },
    { kind: 'text', x: PAD, y: 40, text: fitText(facts, width - 2 * PAD), ink: 'dim' },
    ...headMarks(model, published),
    ...rows.flatMap((row, index) => rowMarks(model, row, published, head + index * ROW, width)),
  ];
  if (left > 0)
    marks.push({ kind: 'text', x: PAD, y: height - PAD, text: `and ${plural(left, 'more row')}`, ink: 'faint' });
  return { width, height, label: title, marks, stops: [] };
}

const columnX = (index: number): number => PAD + FIRST + index * COLUMN;

function headMarks({ columns }: TableModel, published: readonly string[]): Shape[] {
  const heads = [
    ...columns.map(({ label, version, isReference }) => [
      label,
      isReference ? `${version ?? ''} reference` : (version ?? ''),
    ]),
    ...published.map((contender) => [contender, 'published']),
  ];
  const sizes = columns.flatMap(({ code }, index): Shape[] =>
    codeLines(code).map((text, line) => ({
      ...({ kind: 'text', x: columnX(index), y: 86 + line * 12 } as const),
      ...{ text: fitText(text, COLUMN - 10, 10), ink: 'faint', size: 10 },
    })),
  );
  return [...headsOf(heads), ...sizes];
}

/** “881 KB, gzip 412 KB”, “compile 9.10 ms”, “instantiate 420 µs” */
function codeLines(code: Column['code']): readonly string[] {
  if (!code) return [];
  const { bytes, gzipBytes } = code;
  return [`${formatBytes(bytes)}, gzip ${formatBytes(gzipBytes)}`, ...codeTimes(code)];
}

function headsOf(heads: readonly (readonly string[])[]): Shape[] {
  return heads.flatMap(([label, note], index): Shape[] => [
    { kind: 'text', x: columnX(index), y: 60, text: fitText(label!, COLUMN - 10), ink: 'text', bold: true },
    { kind: 'text', x: columnX(index), y: 73, text: fitText(note!, COLUMN - 10, 10), ink: 'faint', size: 10 },
  ]);
}

function rowMarks(
  { columns }: TableModel,
  row: TableRow,
  published: readonly string[],
  top: number,
  width: number,
): Shape[] {
  const marks: Shape[] = [
    ...(row.kind === 'suite' ? [{ kind: 'rect', x: 0, y: top, width, height: ROW, fill: 'panel' } as const] : []),
    { kind: 'line', x1: 0, y1: top + 0.5, x2: width, y2: top + 0.5, ink: 'line2' },
  ];
  const [name, note] =
    row.kind === 'suite'
      ? [suiteTitle(row.suite), 'geometric mean of ratios']
      : [row.test, sizeText(row.suite, row.size)];
  marks.push(
    { kind: 'text', x: PAD, y: top + 16, text: fitText(name, FIRST - 10), ink: 'text', bold: row.kind === 'suite' },
    { kind: 'text', x: PAD, y: top + 30, text: fitText(note, FIRST - 10, 10), ink: 'faint', size: 10 },
  );
  columns.forEach(({ engine, isReference }, index) => {
    const x = columnX(index);
    if (row.kind === 'suite') marks.push(...ratioMarks(isReference ? null : (row.means[engine] ?? null), x, top + 22));
    else marks.push(...cellMarks(row.cells[engine], isReference, x, top));
  });
  published.forEach((contender, index) => {
    const figure = row.published.find((each) => each.contender === contender);
    const x = columnX(columns.length + index);
    if (figure) marks.push({ kind: 'text', x, y: top + 22, text: figureText(figure), ink: 'dim' });
  });
  return marks;
}

function cellMarks(shown: ShownCell | undefined, isReference: boolean, x: number, top: number): Shape[] {
  if (!shown) return [];
  const { cell } = shown;
  if (cell.status !== 'ok') {
    const ink = cell.status === 'void' || cell.status === 'failed' ? 'error' : 'faint';
    return [
      ...(cell.status === 'void'
        ? [{ kind: 'rect', x: x - 6, y: top + 1, width: COLUMN - 4, height: ROW - 1, fill: 'error-bg' } as const]
        : []),
      { kind: 'text', x, y: top + 16, text: statusWord(cell.status), ink, bold: true },
      { kind: 'text', x, y: top + 30, text: fitText(cell.why ?? '', COLUMN - 12, 10), ink, size: 10 },
    ];
  }
  const { median, p95, ratio } = shown.shown;
  if (median === null) return [];
  const tail = cell.kind === 'latency' && p95 !== null ? `  p95 ${formatTime(p95, cell.unit)}` : '';
  return [
    { kind: 'text', x, y: top + 16, text: `${formatTime(median, cell.unit)}${tail}`, ink: 'text', size: FONT_SIZE },
    ...ratioMarks(isReference ? null : ratio, x, top + 30),
  ];
}

function ratioMarks(ratio: Ratio | null, x: number, y: number): Shape[] {
  if (!ratio) return [];
  const { value, low, high } = ratio;
  const standing = standingOf(ratio);
  const interval = low === null || high === null ? '' : `  ${threeDigits(low)}–${threeDigits(high)}`;
  const text = `${formatRatio(value)}${standing === 'same' ? '  no difference' : interval}`;
  return [{ kind: 'text', x, y, text, ink: INKS[standing], size: 10.5, bold: true }];
}
