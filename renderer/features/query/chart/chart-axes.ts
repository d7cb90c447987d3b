// The axes of a chart: the visible range of numbers, and the ticks. The same for the screen and for pictures in files. Pure.
import type { ChartData, ChartSpan } from '#shared/protocol/index.ts';
import { DAY_MS } from '#shared/dates.ts';
import { LOCALE } from '../../../ui/format.ts';
import type { ChartChoice } from './chart-choice.ts';

export interface Axis extends ChartSpan {
  readonly ticks: readonly Tick[];
}

interface ChartAxes {
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

// Ticks of an axis and their labels: round numbers, and round times in UTC. Pure.
interface Tick {
  readonly at: number;
  readonly label: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14].map((days) => days * DAY_MS),
];
const STEPS_MONTHS = [1, 2, 3, 4, 6, 12, 24, 60, 120, 240, 600, 1200, 6000, 12_000];
const MONTH_MS = 30.44 * DAY_MS;
const UNITS = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
] as const;

interface NumberTicksOptions {
  /** Whether labels have separators; true if missing. */
  readonly isGrouped?: boolean;
  /** No fractions between whole numbers. */
  readonly isWhole?: boolean;
}

/** About `count` ticks within the bounds. */
export function numberTicks(
  from: number,
  to: number,
  count: number,
  { isGrouped = true, isWhole = false }: NumberTicksOptions = {},
): readonly Tick[] {
  const step = Math.max(roundStep((to - from) / Math.max(1, count)), isWhole ? 1 : 0);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  const places = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  return places.map((at) => ({ at, label: numberLabel(at, step, isGrouped) }));
}

/** 1, 2, or 5 times a power of ten; not less than `rough`. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / power;
  return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
}

/** Uses enough digits to tell neighbors apart. */
function numberLabel(value: number, step: number, isGrouped: boolean): string {
  const size = Math.abs(value);
  if (size === 0 && step < 1e-6) return '0';
  if (size >= 1e15 || step < 1e-6) return value.toExponential(2);
  const [unit, letter] = UNITS.find(([each]) => size >= each && step >= each / 1000) ?? [1, ''];
  const decimals = Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
  return decimal(decimals, isGrouped).format(value / unit) + letter;
}

const formats = new Map<string, Intl.NumberFormat>();

function decimal(digits: number, isGrouped: boolean): Intl.NumberFormat {
  const name = `${digits} ${isGrouped}`;
  const places = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = formats.get(name) ?? new Intl.NumberFormat(LOCALE, { ...places, useGrouping: isGrouped });
  formats.set(name, format);
  return format;
}

/** About `count` ticks within the bounds, which are milliseconds since 1970. */
export function timeTicks(from: number, to: number, count: number): readonly Tick[] {
  const rough = (to - from) / Math.max(1, count);
  if (rough < 1000 / 2) return numberTicks(from, to, count).map(({ at }) => ({ at, label: timeText(at, 1) }));
  const months = rough > 14 * DAY_MS;
  return months ? monthTicks(from, to, rough) : clockTicks(from, to, rough);
}

function clockTicks(from: number, to: number, rough: number): readonly Tick[] {
  const step = STEPS_MS.find((each) => each >= rough) ?? STEPS_MS.at(-1)!;
  // 1970 began on a Thursday, weeks begin on Monday.
  const origin = step % (7 * DAY_MS) === 0 ? 4 * DAY_MS : 0;
  const ticks: Tick[] = [];
  for (let at = Math.ceil((from - origin) / step) * step + origin; at <= to; at += step)
    ticks.push({ at, label: timeText(at, step) });
  return ticks;
}

function monthTicks(from: number, to: number, rough: number): readonly Tick[] {
  const step = STEPS_MONTHS.find((each) => each * MONTH_MS >= rough) ?? STEPS_MONTHS.at(-1)!;
  const start = new Date(from);
  const first = Math.floor((start.getUTCFullYear() * 12 + start.getUTCMonth()) / step) * step;
  const ticks: Tick[] = [];
  for (let month = first; ; month += step) {
    const at = new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1);
    if (at > to) return ticks;
    const text = new Date(at).toISOString();
    if (at >= from) ticks.push({ at, label: step % 12 === 0 ? text.slice(0, -20) : text.slice(0, -17) });
  }
}

/** The part of a time that a tick needs. */
function timeText(at: number, step: number): string {
  const [day = '', time = ''] = new Date(at).toISOString().split('T');
  if (step >= DAY_MS) return day;
  if (at % DAY_MS === 0) return day.slice(-5);
  return time.slice(0, step < 1000 ? 12 : step < MINUTE_MS ? 8 : 5);
}
