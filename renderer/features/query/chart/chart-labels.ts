// A chart in words: for people who do not see it, for the line under it, and for notes on missing values. Pure.
import type { ChartData, ChartKind } from '#shared/protocol/index.ts';
import { DAY_MS } from '#shared/dates.ts';
import { visibleName } from '#shared/visible-text.ts';
import { formatCount, formatMeasure, formatUngrouped, plural } from '../../../ui/format.ts';
import { areYears, categoryName } from './chart-axes.ts';
import type { ChartChoice } from './chart-choice.ts';

export const KIND_NAMES: Readonly<Record<ChartKind, string>> = {
  line: 'Line',
  time: 'Time series',
  bar: 'Bars',
  scatter: 'Scatter',
  histogram: 'Histogram',
};

export const COMBINATION_NAMES: Readonly<Record<ChartChoice['combine'], string>> = {
  sum: 'Sum',
  mean: 'Average',
  least: 'Minimum',
  greatest: 'Maximum',
  count: 'Count',
};

/** Returns the name of a column, given its packed index. */
export type NameOf = (column: number) => string;

export const xName = ({ x }: ChartChoice, nameOf: NameOf): string => (x === null ? 'Row' : nameOf(x));

export function seriesNames({ kind, y, combine }: ChartChoice, nameOf: NameOf): readonly string[] {
  if (kind === 'histogram' || y.length === 0) return ['Rows'];
  if (kind !== 'bar') return y.map(nameOf);
  return y.map((column) => `${COMBINATION_NAMES[combine]} of ${nameOf(column)}`);
}

export function momentText(atMs: number): string {
  const text = new Date(atMs).toISOString().replace('T', ' ').slice(0, -1);
  if (atMs % DAY_MS === 0) return text.slice(0, -13);
  return text.replace(/:00\.000$|\.000$/, '');
}

function xText({ kind }: ChartChoice, data: ChartData, index: number): string {
  if (data.labels) return visibleName(categoryName(data.labels[index] ?? null));
  if (kind === 'time') return momentText(data.x[index]!);
  const formatX = areYears(data) ? formatUngrouped : formatMeasure;
  if (kind !== 'histogram') return formatX(data.x[index]!);
  const isLast = index === data.x.length - 2;
  return `${formatX(data.x[index]!)} ${isLast ? 'to' : 'to under'} ${formatX(data.x[index + 1]!)}`;
}

/** “Mar 1: total 5, tax 1”. Series without a value there are left out. */
export function pointText(choice: ChartChoice, data: ChartData, index: number, nameOf: NameOf): string {
  const values = seriesNames(choice, nameOf).flatMap((name, series) => {
    const value = data.y[series]?.[index];
    return value === undefined || Number.isNaN(value) ? [] : [`${name} ${formatMeasure(value)}`];
  });
  return `${xText(choice, data, index)}: ${values.join(', ') || 'no value'}`;
}

export function chartText(choice: ChartChoice, data: ChartData, nameOf: NameOf): string {
  const names = seriesNames(choice, nameOf);
  const axis = xName(choice, nameOf);
  const count = placesOf(data);
  const what =
    choice.kind === 'histogram' ? `Histogram of ${axis}` : `${KIND_NAMES[choice.kind]}: ${names.join(', ')} by ${axis}`;
  const places = plural(count, data.labels ? 'bar' : choice.kind === 'histogram' ? 'bin' : 'point');
  const reach =
    data.labels || count === 0 ? '' : ` from ${xText(choice, data, 0)} to ${xText(choice, data, count - 1)}`;
  const extremes = names.map((name, series) => extremesText(choice, data, series, name)).filter(Boolean);
  return [`${what}. ${places}${reach}.`, ...extremes].join(' ');
}

/** Number of positions along X where the cursor can stop. */
export const placesOf = ({ x, y }: ChartData): number => y[0]?.length ?? x.length;

function extremesText(choice: ChartChoice, data: ChartData, series: number, name: string): string {
  const values = data.y[series] ?? new Float64Array(0);
  let [low, high] = [-1, -1];
  values.forEach((value, index) => {
    if (Number.isNaN(value)) return;
    if (low < 0 || value < values[low]!) low = index;
    if (high < 0 || value > values[high]!) high = index;
  });
  if (low < 0) return `${name} has no values.`;
  const place = (index: number): string => `${formatMeasure(values[index]!)} at ${xText(choice, data, index)}`;
  return `${name}: lowest ${place(low)}, highest ${place(high)}.`;
}

/** Notes on what may be unexpected; empty if there are none. */
export function chartNotes(choice: ChartChoice, data: ChartData): readonly string[] {
  const { rows, left, isCut, isReduced, labels } = data;
  const notes: string[] = [];
  if (isReduced && choice.kind === 'scatter')
    notes.push(`${plural(rows, 'row')}; points at the same position are drawn once`);
  else if (isReduced) notes.push(`${plural(rows, 'row')}, drawn as the lowest and highest value of each interval`);
  if (isCut) notes.push(`Only the first ${labels!.length} values are shown. Sort or filter the rows to choose others`);
  else if (left > 0) {
    const reason = choice.kind === 'time' ? 'without a date or a number' : 'without a number';
    notes.push(`${formatCount(left)} of ${plural(rows, 'row')} ${reason}`);
  }
  return notes;
}
