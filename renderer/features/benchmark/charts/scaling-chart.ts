// Time over size, both by logarithm: a straight line is a power of the size, and its slope the exponent.
import type { CellUnit } from '#shared/bench/result.ts';
import { growthExponent } from '#shared/bench/statistics.ts';
import { formatCount } from '../../../ui/format.ts';
import { formatTime } from '../results/labels.ts';
import { verticalAxis } from './box-plot.ts';
import type { Shape, Scene, Stop } from './scene.ts';
import { fitText, seriesStyle } from './scene.ts';
import { logScale } from './scale.ts';

export interface ScalingSeries {
  readonly label: string;
  /** Index of the table column, so that an engine has the same color in all charts. */
  readonly index: number;
  readonly points: readonly { readonly size: number; readonly time: number }[];
}

interface ScalingChart {
  readonly title: string;
  readonly unit: CellUnit;
  readonly series: readonly ScalingSeries[];
  readonly width: number;
  readonly height: number;
}

const LEFT = 58;
const BOTTOM = 24;
const TOP = 10;
/** Wide enough for long engine names, if there is room. */
const LEGEND = 272;
const EXPONENT = 48;
const LEGEND_ROW = 15;

export function scalingChart({ title, unit, series, width, height: wanted }: ScalingChart): Scene {
  const height = Math.max(wanted, TOP + series.length * LEGEND_ROW + BOTTOM);
  const legend = Math.min(LEGEND, width * 0.4);
  const right = width - legend;
  const points = series.flatMap((each) => each.points).filter(({ time, size }) => time > 0 && size > 0);
  const sizes = [...new Set(points.map(({ size }) => size))].sort((a, b) => a - b);
  const times = points.map(({ time }) => time);
  const y = logScale(Math.min(...times), Math.max(...times), { from: height - BOTTOM, to: TOP });
  const x = sizeScale(sizes, LEFT + 10, right - 10);
  const marks: Shape[] = [
    ...verticalAxis(y, unit, LEFT, right),
    ...sizes.map((size): Shape => ({
      kind: 'text',
      x: x(size),
      y: height - 8,
      text: formatCount(size),
      ink: 'faint',
      align: 'middle',
      size: 10,
    })),
  ];
  const stops: Stop[] = [];
  series.forEach((each, row) => {
    const { ink, dash } = seriesStyle(each.index);
    const line = [...each.points].filter(({ time }) => time > 0).sort((a, b) => a.size - b.size);
    marks.push({ kind: 'path', points: line.map(({ size, time }) => [x(size), y.at(time)]), ink, width: 1.75, dash });
    for (const { size, time } of line) {
      marks.push({ kind: 'dot', x: x(size), y: y.at(time), r: 2.75, ink });
      stops.push({
        x: x(size),
        y: y.at(time),
        text: `${each.label}, ${formatCount(size)}: ${formatTime(time, unit)}`,
      });
    }
    const text = fitText(each.label, legend - 36 - EXPONENT);
    marks.push(
      ...legendMarks({ index: each.index, text, exponent: exponentText(line), row, from: right, to: width - 2 }),
    );
  });
  const slopes = series.map(({ label, points: own }) => `${label} ${exponentText(own)}`).join(', ');
  return { width, height, label: `${title}: time over size. Exponents: ${slopes}.`, marks, stops };
}

interface LegendEntry {
  readonly index: number;
  readonly text: string;
  readonly exponent: string;
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

function legendMarks({ index, text, exponent, row, from, to }: LegendEntry): readonly Shape[] {
  const { ink, dash } = seriesStyle(index);
  const y = TOP + row * LEGEND_ROW + 6;
  const sample: Shape = {
    kind: 'path',
    points: [
      [from + 12, y],
      [from + 30, y],
    ],
    ink,
    width: 2,
    dash,
  };
  return [
    sample,
    { kind: 'text', x: from + 36, y: y + 4, text, ink: 'text' },
    { kind: 'text', x: to, y: y + 4, text: exponent, ink: 'dim', align: 'end' },
  ];
}

/** “n^1.02”: 1 is linear. */
export function exponentText(points: readonly { readonly size: number; readonly time: number }[]): string {
  const exponent = growthExponent(points);
  return exponent === null ? '' : `n^${exponent.toFixed(2)}`;
}

function sizeScale(sizes: readonly number[], from: number, to: number): (size: number) => number {
  const [low, high] = [Math.log(sizes[0] ?? 1), Math.log(sizes.at(-1) ?? 1)];
  if (high === low) return () => (from + to) / 2;
  return (size) => from + ((Math.log(size) - low) / (high - low)) * (to - from);
}
