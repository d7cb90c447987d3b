// The axes of a chart: the visible range of numbers, and the ticks. The same for the screen and for pictures in files. Pure.
import type { ChartData, ChartSpan } from '#shared/protocol/index.ts';
import { DAY_MS } from '#shared/dates.ts';
import { numberTicks, timeTicks } from './ticks.ts';
import type { Tick } from './ticks.ts';
import type { ChartChoice } from './chart-choice.ts';

export interface Axis extends ChartSpan {
  readonly ticks: readonly Tick[];
}

export interface ChartAxes {
  readonly x: Axis;
  readonly y: Axis;
}

/** Space for a tick along the axis, in pixels. */
const X_TICK = 96;
const Y_TICK = 44;
const MAX_LABEL = 18;
const LABEL_CHAR = 6.6;
const LABEL_GAP = 12;

export function axesOf(
  { kind }: ChartChoice,
  data: ChartData,
  span: ChartSpan | null,
  width: number,
  height: number,
): ChartAxes {
  const x = padded(
    span ?? data.whole ?? { from: 0, to: 1 },
    kind === 'time' ? DAY_MS / 2 : 0.5,
    kind === 'scatter' && !span,
  );
  const count = Math.max(2, Math.floor(width / X_TICK));
  const ticks = data.labels
    ? categoryTicks(data.labels, width)
    : kind === 'time'
      ? timeTicks(x.from, x.to, count)
      : numberTicks(x.from, x.to, count, {
          isGrouped: !areYears(data),
          isWhole: kind !== 'histogram' && data.x.every(Number.isInteger),
        });
  return { x: { ...x, ticks }, y: heightAxis(data, kind === 'bar' || kind === 'histogram', height) };
}

/** All positions on the X axis have four digits, as years have: a separator would help nobody to read them. */
export const areYears = ({ whole }: ChartData): boolean => whole !== null && whole.from >= 1000 && whole.to < 10_000;

/** A single value gets some space on both sides. */
function padded({ from, to }: ChartSpan, room: number, hasMargin: boolean): ChartSpan {
  const pad = from === to ? Math.max(room, Math.abs(from) / 1e6) : hasMargin ? (to - from) / 40 : 0;
  return { from: from - pad, to: to + pad };
}

/** Bars stand on zero; lines and points use the available height. */
function heightAxis({ y }: ChartData, standsOnZero: boolean, height: number): Axis {
  let [low, high] = standsOnZero ? [0, 0] : [Infinity, -Infinity];
  for (const series of y)
    for (const value of series) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  if (low > high) [low, high] = [0, 1];
  const spread = high - low || Math.abs(high) || 1;
  const from = standsOnZero && low === 0 ? 0 : low - spread * 0.05;
  const to = standsOnZero && high === 0 && low < 0 ? 0 : high + spread * 0.05;
  return { from, to, ticks: numberTicks(from, to, Math.max(2, Math.floor(height / Y_TICK))) };
}

/** Ticks for as many names as fit, from the first on; each stays under its bar. */
export function categoryTicks(labels: readonly (string | null)[], width: number): readonly Tick[] {
  const each = width / Math.max(1, labels.length);
  let taken = -Infinity;
  return labels.flatMap((category, at) => {
    const label = shortName(categoryName(category));
    const half = (label.length * LABEL_CHAR + LABEL_GAP) / 2;
    const middle = (at + 0.5) * each;
    if (middle - half < taken) return [];
    taken = middle + half;
    return [{ at, label }];
  });
}

export const categoryName = (label: string | null): string =>
  label === null ? 'NULL' : label === '' ? '(empty)' : label;

const shortName = (name: string): string =>
  name.length > MAX_LABEL ? `${[...name].slice(0, MAX_LABEL - 1).join('')}…` : name;

/** Position of the bars of a series: series of the same category are next to each other. */
export function barBounds(
  kind: ChartChoice['kind'],
  x: Float64Array,
  index: number,
  series: number,
  count: number,
): ChartSpan {
  if (kind === 'histogram') return { from: x[index]!, to: x[index + 1]! };
  const width = 0.76 / count;
  const from = x[index]! - 0.38 + series * width;
  return { from, to: from + width };
}
