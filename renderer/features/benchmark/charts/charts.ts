// The charts of a result: dots and boxes of each engine's samples, samples in the order they were taken, and time over size.
import type { CellUnit } from '#shared/bench/result.ts';
import { growthExponent, median, medianInterval, quantile, roundMeans } from '#shared/bench/statistics.ts';
import type { Interval } from '#shared/bench/statistics.ts';
import { createRandom } from '#shared/random.ts';
import { formatCount } from '../../../ui/format.ts';
import { formatRatio, formatTime } from '../results/labels.ts';
import { dot, fitText, line, logScale, path, rect, seriesStyle, SMALL_SIZE, text, timeScale } from './scene.ts';
import type { Scale, Scene, Shape, Stop } from './scene.ts';

interface Chart {
  readonly title: string;
  readonly unit: CellUnit;
  readonly width: number;
}

interface Samples {
  readonly samples: readonly number[];
  readonly perRound: number;
}

interface BoxRow extends Samples {
  readonly label: string;
  readonly isReference: boolean;
}

interface BoxPlot extends Chart {
  readonly rows: readonly BoxRow[];
  /** The axis need not begin at zero. */
  readonly isClose?: boolean;
}

const ROW = 34;
const AXIS = 26;
const TOP = 6;
const VALUE_WIDTH = 64;
/** More would only be painted over each other. */
const MOST_DOTS = 240;

/** The samples of each engine, the middle half, the median with its interval, and outliers. */
export function boxPlot({ title, unit, rows, width, isClose = false }: BoxPlot): Scene {
  const shown = rows.filter(({ samples }) => samples.length > 0);
  const labelWidth = Math.min(190, Math.max(80, width * 0.34));
  const pixels = { from: labelWidth + 8, to: width - VALUE_WIDTH - 8 };
  const scale = timeScale(
    shown.flatMap(({ samples }) => samples),
    pixels,
    isClose,
  );
  const bottom = TOP + shown.length * ROW;
  const stops: Stop[] = [];
  const marks = scale.ticks.flatMap((tick): Shape[] => {
    const x = Math.round(scale.at(tick)) + 0.5;
    const style = { align: 'middle', size: SMALL_SIZE } as const;
    return [line([x, TOP], [x, bottom], 'line2'), text([x, bottom + 16], tickText(tick, unit), 'faint', style)];
  });
  for (const [index, row] of shown.entries()) {
    const y = TOP + index * ROW + ROW / 2;
    const [boxes, stop] = boxMarks(row, scale, unit, y);
    const value = formatTime(intervalOf(row).value, unit);
    marks.push(text([labelWidth, y + 4], fitText(row.label, labelWidth), 'text', { align: 'end' }), ...boxes);
    marks.push(text([width - 2, y + 4], value, 'text', { bold: true, align: 'end' }));
    stops.push(stop);
  }
  const label = `${title}. ${stops.map(({ text: said }) => said).join(' ')}`;
  return { width, height: bottom + AXIS, label, marks, stops };
}

function boxMarks(row: BoxRow, scale: Scale, unit: CellUnit, y: number): [marks: Shape[], stop: Stop] {
  const { label, samples, isReference } = row;
  const ink = isReference ? 'dim' : 'accent';
  const [q1, q3] = [quantile(samples, 0.25), quantile(samples, 0.75)];
  const interval = intervalOf(row);
  const time = (value: number): string => formatTime(value, unit);
  const [left, right, x, low, high] = [q1, q3, interval.value, interval.low, interval.high].map(scale.at) as number[];
  // The outermost samples that are not outliers.
  const near = samples.filter((sample) => Math.max(q1 - sample, sample - q3) <= 1.5 * (q3 - q1));
  const [least, most] = [q1, q3].map((quartile, end) =>
    scale.at(near.reduce((a, b) => (end === 0 ? Math.min(a, b) : Math.max(a, b)), quartile)),
  );
  const said = `${label}: median ${time(interval.value)}, between ${time(interval.low)} and ${time(interval.high)}; half of ${samples.length} samples from ${time(q1)} to ${time(q3)}.`;
  const marks = [
    line([least!, y], [left!, y], 'line-strong'),
    line([right!, y], [most!, y], 'line-strong'),
    rect([left!, y - 8], [Math.max(1, right! - left!), 16], isReference ? 'panel' : 'accent-bg', ink),
    ...dotMarks(samples, q1, q3, scale, y),
    // The interval of the median: where it would lie in a new sample.
    line([low!, y + 11], [Math.max(high!, low! + 1), y + 11], ink, { strokeWidth: 3 }),
    line([x!, y - 10], [x!, y + 13], ink, { strokeWidth: 2 }),
  ];
  return [marks, { x: x!, y, text: said }];
}

const intervals = new WeakMap<readonly number[], Interval>();

/** Resamples rounds, as for ratios: samples of one round are not independent of each other. */
export function intervalOf({ samples, perRound }: Samples): Interval {
  const known = intervals.get(samples);
  if (known) return known;
  const value = median(samples);
  const drawn = medianInterval(roundMeans(samples, perRound), createRandom(samples.length));
  const interval = { value, low: Math.min(value, drawn.low), high: Math.max(value, drawn.high) };
  intervals.set(samples, interval);
  return interval;
}

function dotMarks(samples: readonly number[], q1: number, q3: number, scale: Scale, middle: number): Shape[] {
  const random = createRandom(1);
  const reach = q3 - q1;
  const every = Math.max(1, Math.ceil(samples.length / MOST_DOTS));
  return samples.flatMap((sample, index): Shape[] => {
    const beyond = Math.max(q1 - sample, sample - q3);
    const isOutlier = beyond > 1.5 * reach;
    if (!isOutlier && index % every > 0) return [];
    const place = [scale.at(sample), middle - 5 + random.next() * 10] as const;
    if (!isOutlier) return [dot(place, 1.6, 'dim', 0.45)];
    return [{ ...dot(place, 2.5, 'bg'), stroke: beyond > 3 * reach ? 'error' : 'warn' }];
  });
}

/** “2 ms”, “2.5 ms”: without insignificant zeros. */
export const tickText = (tick: number, unit: CellUnit): string =>
  tick === 0
    ? '0'
    : formatTime(tick, unit).replace(/\.(\d{0,20}?)0{1,20} /, (_zeros, digits: string) =>
        digits ? `.${digits} ` : ' ',
      );

const LEFT = 58;

/** Lines from left to right, each with its value before it. */
function verticalAxis(scale: Scale, unit: CellUnit, right: number): Shape[] {
  return scale.ticks.flatMap((tick): Shape[] => {
    const y = Math.round(scale.at(tick)) + 0.5;
    const value = text([LEFT - 6, y + 3.5], tickText(tick, unit), 'faint', { align: 'end', size: SMALL_SIZE });
    return [line([LEFT, y], [right, y], 'line2'), value];
  });
}

interface Timeline extends Chart, Samples {
  readonly height: number;
}

const MOST_TIMELINE_DOTS = 1_500;

/** Samples in the order they were taken: shows whether the machine became slower or faster in the meantime. */
export function timeline({ title, unit, samples, perRound, width, height }: Timeline): Scene {
  const right = width - 8;
  const scale = timeScale(samples, { from: height - 20, to: 8 }, true);
  const step = (right - LEFT) / Math.max(1, samples.length - 1);
  const every = Math.max(1, Math.ceil(samples.length / MOST_TIMELINE_DOTS));
  const placeOf = (sample: number, index: number) => [LEFT + index * step, scale.at(sample)] as const;
  const rounds = roundMeans(samples, perRound);
  const middle = scale.at(median(samples));
  const stops = samples.flatMap((sample, index): Stop[] => {
    const [x, y] = placeOf(sample, index);
    const said = `Sample ${index + 1} of ${samples.length}: ${formatTime(sample, unit)}`;
    return index % every === 0 ? [{ x, y, text: said }] : [];
  });
  const marks = [
    ...verticalAxis(scale, unit, right),
    ...stops.map(({ x, y }) => dot([x, y], 1.8, 'dim', 0.6)),
    line([LEFT, middle], [right, middle], 'accent', { strokeDasharray: '4 3' }),
    text([LEFT, height - 5], 'first sample', 'faint', { size: SMALL_SIZE }),
    text([right, height - 5], 'last', 'faint', { size: SMALL_SIZE, align: 'end' }),
  ];
  if (perRound > 1 && rounds.length > 1) {
    const means = rounds.map((mean, round) => placeOf(mean, (round + 0.5) * perRound - 0.5));
    marks.push(path(means, 'accent', { strokeWidth: 1.5 }));
  }
  const label = `${title}: ${samples.length} samples in order. ${driftText(samples)}`;
  return { width, height, label, marks, stops };
}

export function drift(samples: readonly number[]): number | null {
  const third = Math.floor(samples.length / 3);
  if (third < 3) return null;
  const first = median(samples.slice(0, third));
  return first > 0 ? median(samples.slice(-third)) / first : null;
}

const STEADY = 0.05;

export function driftText(samples: readonly number[]): string {
  const change = drift(samples);
  if (change === null) return 'Too few samples to detect drift.';
  const share = `The last third took ${formatRatio(change)} as long as the first third`;
  return Math.abs(change - 1) <= STEADY ? `${share}: steady.` : `${share}: it drifted.`;
}

export interface ScalingSeries {
  readonly label: string;
  /** Index of the table column, so that an engine has the same color in all charts. */
  readonly index: number;
  readonly points: readonly { readonly size: number; readonly time: number }[];
}

interface ScalingChart extends Chart {
  readonly series: readonly ScalingSeries[];
  readonly height: number;
}

const SCALING_BOTTOM = 24;
const SCALING_TOP = 10;
/** Wide enough for long engine names, if there is room. */
const LEGEND = 272;
const EXPONENT = 48;
const LEGEND_ROW = 15;

/** Time over size, both by logarithm: a straight line is a power of the size, and its slope the exponent. */
export function scalingChart({ title, unit, series, width, height: wanted }: ScalingChart): Scene {
  const height = Math.max(wanted, SCALING_TOP + series.length * LEGEND_ROW + SCALING_BOTTOM);
  const legend = Math.min(LEGEND, width * 0.4);
  const right = width - legend;
  const points = series.flatMap((each) => each.points).filter(({ time, size }) => time > 0 && size > 0);
  const sizes = [...new Set(points.map(({ size }) => size))].sort((a, b) => a - b);
  const times = points.map(({ time }) => time);
  const y = logScale(Math.min(...times), Math.max(...times), { from: height - SCALING_BOTTOM, to: SCALING_TOP });
  const x = sizeScale(sizes, LEFT + 10, right - 10);
  const style = { align: 'middle', size: SMALL_SIZE } as const;
  const marks = [
    ...verticalAxis(y, unit, right),
    ...sizes.map((size) => text([x(size), height - 8], formatCount(size), 'faint', style)),
  ];
  const stops: Stop[] = [];
  const slopes: string[] = [];
  for (const [row, { label, index, points: own }] of series.entries()) {
    const { ink, strokeDasharray } = seriesStyle(index);
    const shown = own.filter(({ time }) => time > 0).sort((a, b) => a.size - b.size);
    const placed = shown.map(({ size, time }): Stop => {
      const said = `${label}, ${formatCount(size)}: ${formatTime(time, unit)}`;
      return { x: x(size), y: y.at(time), text: said };
    });
    const exponent = exponentText(shown);
    const center = SCALING_TOP + row * LEGEND_ROW + 6;
    const sample = [right + 12, right + 30].map((at) => [at, center] as const);
    marks.push(
      path(
        placed.map((stop) => [stop.x, stop.y] as const),
        ink,
        { strokeWidth: 1.75, strokeDasharray },
      ),
      ...placed.map((stop) => dot([stop.x, stop.y], 2.75, ink)),
      path(sample, ink, { strokeWidth: 2, strokeDasharray }),
      text([right + 36, center + 4], fitText(label, legend - 36 - EXPONENT), 'text'),
      text([width - 2, center + 4], exponent, 'dim', { align: 'end' }),
    );
    stops.push(...placed);
    slopes.push(`${label} ${exponent}`);
  }
  return { width, height, label: `${title}: time over size. Exponents: ${slopes.join(', ')}.`, marks, stops };
}

/** “n^1.02”: 1 is linear. */
function exponentText(points: ScalingSeries['points']): string {
  const exponent = growthExponent(points);
  return exponent === null ? '' : `n^${exponent.toFixed(2)}`;
}

function sizeScale(sizes: readonly number[], from: number, to: number): (size: number) => number {
  const [low, high] = [Math.log(sizes[0] ?? 1), Math.log(sizes.at(-1) ?? 1)];
  if (high === low) return () => (from + to) / 2;
  return (size) => from + ((Math.log(size) - low) / (high - low)) * (to - from);
}
