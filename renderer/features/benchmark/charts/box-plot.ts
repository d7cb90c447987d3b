// Dots and boxes: the samples of each engine, the middle half, the median with its interval, and outliers.
import type { Interval } from '#shared/bench/statistics.ts';
import type { CellUnit } from '#shared/bench/result.ts';
import { median, medianInterval, quantile, roundMeans } from '#shared/bench/statistics.ts';
import { createRandom } from '#shared/random.ts';
import { formatTime } from '../results/labels.ts';
import type { Shape, Scene, Stop } from './scene.ts';
import { fitText, FONT_SIZE } from './scene.ts';
import type { Scale } from './scale.ts';
import { timeScale } from './scale.ts';

export interface BoxRow {
  readonly label: string;
  readonly samples: readonly number[];
  /** Samples of one round. */
  readonly perRound: number;
  readonly isReference: boolean;
}

interface BoxPlot {
  readonly title: string;
  readonly unit: CellUnit;
  readonly rows: readonly BoxRow[];
  readonly width: number;
  /** The axis need not begin at zero. */
  readonly isClose?: boolean;
}

const ROW = 34;
const AXIS = 26;
const TOP = 6;
const VALUE_WIDTH = 64;
/** More would only be painted over each other. */
const MOST_DOTS = 240;

export function boxPlot({ title, unit, rows, width, isClose = false }: BoxPlot): Scene {
  const shown = rows.filter(({ samples }) => samples.length > 0);
  const labelWidth = Math.min(190, Math.max(80, width * 0.34));
  const scale = timeScale(
    shown.flatMap(({ samples }) => samples),
    { from: labelWidth + 8, to: width - VALUE_WIDTH - 8 },
    isClose,
  );
  const bottom = TOP + shown.length * ROW;
  const stops: Stop[] = [];
  const marks = axisMarks(scale, unit, bottom);
  shown.forEach((row, index) => {
    const middle = TOP + index * ROW + ROW / 2;
    marks.push(...rowMarks(row, { scale, unit, middle, labelWidth, width, stops }));
  });
  const label = `${title}. ${stops.map(({ text }) => text).join(' ')}`;
  return { width, height: bottom + AXIS, label, marks, stops };
}

function axisMarks(scale: Scale, unit: CellUnit, bottom: number): Shape[] {
  return scale.ticks.flatMap((tick): Shape[] => {
    const x = Math.round(scale.at(tick)) + 0.5;
    return [
      { kind: 'line', x1: x, y1: TOP, x2: x, y2: bottom, ink: 'line2' },
      { kind: 'text', x, y: bottom + 16, text: tickText(tick, unit), ink: 'faint', align: 'middle', size: 10 },
    ];
  });
}

/** Lines from left to right, each with its value before it. */
export function verticalAxis(scale: Scale, unit: CellUnit, left: number, right: number): readonly Shape[] {
  return scale.ticks.flatMap((tick): Shape[] => {
    const y = Math.round(scale.at(tick)) + 0.5;
    return [
      { kind: 'line', x1: left, y1: y, x2: right, y2: y, ink: 'line2' },
      { kind: 'text', x: left - 6, y: y + 3.5, text: tickText(tick, unit), ink: 'faint', align: 'end', size: 10 },
    ];
  });
}

/** “2 ms”, “2.5 ms”: without insignificant zeros. */
export const tickText = (tick: number, unit: CellUnit): string =>
  tick === 0
    ? '0'
    : formatTime(tick, unit).replace(/\.(\d{0,20}?)0{1,20} /, (_zeros, digits: string) =>
        digits ? `.${digits} ` : ' ',
      );

interface RowBounds {
  readonly scale: Scale;
  readonly unit: CellUnit;
  readonly middle: number;
  readonly labelWidth: number;
  readonly width: number;
  readonly stops: Stop[];
}

function rowMarks({ label, samples, perRound, isReference }: BoxRow, place: RowBounds): Shape[] {
  const { scale, unit, middle, labelWidth, width, stops } = place;
  const ink = isReference ? 'dim' : 'accent';
  const [q1, q3] = [quantile(samples, 0.25), quantile(samples, 0.75)];
  const interval = intervalOf(samples, perRound);
  const [left, right] = [scale.at(q1), scale.at(q3)];
  const [whiskerLow, whiskerHigh] = whiskers(samples, q1, q3).map(scale.at) as [number, number];
  const center = scale.at(interval.value);
  const [low, high] = [scale.at(interval.low), scale.at(interval.high)];
  stops.push({
    x: center,
    y: middle,
    text: `${label}: median ${formatTime(interval.value, unit)}, between ${formatTime(interval.low, unit)} and ${formatTime(interval.high, unit)}; half of ${samples.length} samples from ${formatTime(q1, unit)} to ${formatTime(q3, unit)}.`,
  });
  return [
    { kind: 'text', x: labelWidth, y: middle + 4, text: fitText(label, labelWidth), ink: 'text', align: 'end' },
    { kind: 'line', x1: whiskerLow, y1: middle, x2: left, y2: middle, ink: 'line-strong' },
    { kind: 'line', x1: right, y1: middle, x2: whiskerHigh, y2: middle, ink: 'line-strong' },
    {
      kind: 'rect',
      x: left,
      y: middle - 8,
      width: Math.max(1, right - left),
      height: 16,
      fill: isReference ? 'panel' : 'accent-bg',
      stroke: ink,
      radius: 2,
    },
    ...dotMarks(samples, q1, q3, scale, middle),
    // The interval of the median: where it would lie in a new sample.
    { kind: 'line', x1: low, y1: middle + 11, x2: Math.max(high, low + 1), y2: middle + 11, ink, width: 3 },
    { kind: 'line', x1: center, y1: middle - 10, x2: center, y2: middle + 13, ink, width: 2 },
    {
      kind: 'text',
      x: width - 2,
      y: middle + 4,
      text: formatTime(interval.value, unit),
      ink: 'text',
      bold: true,
      align: 'end',
      size: FONT_SIZE,
    },
  ];
}

const intervals = new WeakMap<readonly number[], Interval>();

/** Resamples rounds, as for ratios: samples of one round are not independent of each other. */
export function intervalOf(samples: readonly number[], perRound: number): Interval {
  const known = intervals.get(samples);
  if (known) return known;
  const value = median(samples);
  const drawn = medianInterval(roundMeans(samples, perRound), createRandom(samples.length));
  const interval = { value, low: Math.min(value, drawn.low), high: Math.max(value, drawn.high) };
  intervals.set(samples, interval);
  return interval;
}

/** The outermost samples that are not outliers. */
function whiskers(samples: readonly number[], q1: number, q3: number): readonly number[] {
  const reach = 1.5 * (q3 - q1);
  let [low, high] = [q1, q3];
  for (const sample of samples) {
    if (sample >= q1 - reach) low = Math.min(low, sample);
    if (sample <= q3 + reach) high = Math.max(high, sample);
  }
  return [low, high];
}

function dotMarks(samples: readonly number[], q1: number, q3: number, scale: Scale, middle: number): Shape[] {
  const random = createRandom(1);
  const reach = q3 - q1;
  const every = Math.max(1, Math.ceil(samples.length / MOST_DOTS));
  return samples.flatMap((sample, index): Shape[] => {
    const beyond = Math.max(q1 - sample, sample - q3);
    const isMild = beyond > 1.5 * reach;
    if (!isMild && index % every > 0) return [];
    const isSevere = beyond > 3 * reach;
    return [
      {
        kind: 'dot',
        x: scale.at(sample),
        y: middle - 5 + random.next() * 10,
        r: isMild ? 2.5 : 1.6,
        ink: isSevere ? 'error' : isMild ? 'warn' : 'dim',
        ...(isMild ? { hollow: true } : { opacity: 0.45 }),
      },
    ];
  });
}
