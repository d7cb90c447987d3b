// Data of a chart of a result, computed from all of its rows in slices.
import { COMBINATIONS, MAX_BARS } from '#shared/protocol/chart.ts';
import type { ChartData, ChartRequest, ChartSpan, Combination } from '#shared/protocol/chart.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { CellType } from '#shared/packed-rows/format.ts';
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { Pause, Turn } from '../../sessions/session.ts';
import type { KeptRows } from '../arrange/arranged-rows.ts';
import { walkRows, dateNumberOf, numberOf, type CellNumber } from './column-contents.ts';
import { PointBuckets, sortedPoints, EqualSteps, type Points } from './point-buckets.ts';

/** Up to so many points are sent as they are. */
const MAX_POINTS = 4000;
/** Largest request of a window: no screen is larger. */
const MAX_PIXELS = 8192;
const MAX_SERIES = 20;
const MAX_LABEL_CHARS = 200;

type Computed<T> = Generator<Pause, T>;
type Found = Pick<ChartData, 'x' | 'y' | 'left'> & Partial<ChartData>;

/** @throws AppError `invalid`, `stopped`, `not-found` when the rows were freed in the meantime */
export function* chartData(turn: Turn, rows: KeptRows, chart: ChartRequest): Computed<ChartData> {
  checkRequest(chart, rows.columnCount);
  const found = yield* computed(turn, rows, chart);
  return { labels: null, rows: rows.rowCount, isCut: false, isReduced: false, whole: null, ...found };
}

function computed(turn: Turn, rows: KeptRows, chart: ChartRequest): Computed<Found> {
  switch (chart.kind) {
    case 'bar':
      return bars(turn, rows, chart);
    case 'histogram':
      return histogram(turn, rows, chart);
    default:
      return points(turn, rows, chart);
  }
}

function checkRequest({ kind, x, y, width, height, combine, span }: ChartRequest, columnCount: number): void {
  const isColumn = (column: number): boolean => Number.isInteger(column) && column >= 0 && column < columnCount;
  const isSize = (pixels: number): boolean => pixels >= 1 && pixels <= MAX_PIXELS;
  const needsX = kind === 'bar' || kind === 'histogram' || kind === 'time';
  const isSpan = span === null || (Number.isFinite(span.from) && Number.isFinite(span.to) && span.from < span.to);
  const isRight =
    (x === null ? !needsX : isColumn(x)) &&
    y.length <= MAX_SERIES &&
    y.every(isColumn) &&
    isSize(width) &&
    isSize(height);
  if (isRight && isSpan && COMBINATIONS.includes(combine)) return;
  throw AppError.invalid('The result has no such columns to draw. Choose other columns.');
}

function xOf({ kind, x, xDates }: ChartRequest): (cells: PackedRowsReader, row: number, start: number) => number {
  if (x === null) return (_cells, row, start) => start + row + 1;
  const read: CellNumber = kind === 'time' && xDates !== null ? dateNumberOf(xDates) : numberOf;
  return (cells, row) => read(cells, row, x);
}

interface Survey {
  readonly whole: ChartSpan | null;
  /** Span of the Y values of the shown part. */
  readonly heights: ChartSpan;
  readonly left: number;
  /** Points of the shown part, if they are few. */
  readonly points: { readonly x: number[]; readonly y: number[][] } | null;
}

/** First pass: what there is, and the points themselves as long as they are few. */
function* survey(turn: Turn, rows: KeptRows, chart: ChartRequest): Computed<Survey> {
  const [getX, series] = [xOf(chart), chart.y];
  const { from, to } = chart.span ?? { from: -Infinity, to: Infinity };
  let [least, greatest, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  let left = 0;
  let points: { x: number[]; y: number[][] } | null = { x: [], y: series.map(() => []) };
  const values = series.map(() => NaN);
  yield* walkRows(turn, rows, 'Reading', (cells, start) => {
    for (let row = 0; row < cells.rows.rowCount; row++) {
      const x = getX(cells, row, start);
      let hasY = false;
      for (let index = 0; index < series.length; index++) {
        const y = (values[index] = numberOf(cells, row, series[index]!));
        if (!Number.isNaN(y)) hasY = true;
      }
      if (Number.isNaN(x) || !hasY) left++;
      if (Number.isNaN(x)) continue;
      if (x < least) least = x;
      if (x > greatest) greatest = x;
      if (x < from || x > to) continue;
      for (const y of values) {
        if (y < low) low = y;
        if (y > high) high = y;
      }
      if (points === null) continue;
      points.x.push(x);
      points.y.forEach((column, index) => column.push(values[index]!));
      if (points.x.length > MAX_POINTS) points = null;
    }
  });
  return {
    whole: least <= greatest ? { from: least, to: greatest } : null,
    heights: { from: low, to: high },
    left,
    points,
  };
}

function* points(turn: Turn, rows: KeptRows, chart: ChartRequest): Computed<Found> {
  const { whole, heights, left, points: few } = yield* survey(turn, rows, chart);
  if (few) return { ...sortedPoints(few.x, few.y), left, whole };
  const span = {
    from: Math.max(whole!.from, chart.span?.from ?? -Infinity),
    to: Math.min(whole!.to, chart.span?.to ?? Infinity),
  };
  const [getX, series] = [xOf(chart), chart.y];
  const reduced = chart.kind === 'scatter' ? plane(span, heights, chart) : steps(span, chart);
  yield* walkRows(turn, rows, 'Drawing', (cells, start) => {
    for (let row = 0; row < cells.rows.rowCount; row++) {
      const x = getX(cells, row, start);
      if (!(x >= span.from && x <= span.to)) continue;
      const add = reduced.at(x);
      for (let index = 0; index < series.length; index++) {
        const y = numberOf(cells, row, series[index]!);
        if (!Number.isNaN(y)) add(index, y);
      }
    }
  });
  return { ...reduced.finish(), left, whole };
}

interface Reduced {
  at(x: number): (series: number, y: number) => void;
  finish(): Points & Pick<ChartData, 'isReduced'>;
}

function steps({ from, to }: ChartSpan, { width, y: series }: ChartRequest): Reduced {
  const buckets = new PointBuckets(from, to > from ? to : from + 1, Math.ceil(width), series.length);
  return {
    at: (x) => {
      const step = buckets.addX(x);
      return (index, y) => buckets.addY(index, step, x, y);
    },
    finish: () => ({ ...buckets.finish(), isReduced: true }),
  };
}

function plane(span: ChartSpan, heights: ChartSpan, { width, height, y: series }: ChartRequest): Reduced {
  const squares = new PlaneCells(span, heights, width, height, series.length);
  return {
    at: (x) => (index, y) => squares.add(index, x, y),
    finish: () => ({ ...squares.finish(), isReduced: squares.covered > 0 }),
  };
}

function* histogram(turn: Turn, rows: KeptRows, { x: column }: ChartRequest): Computed<Found> {
  let [least, greatest, count, areIntegers] = [Infinity, -Infinity, 0, true];
  const eachNumber = (cells: PackedRowsReader, take: (value: number) => void): void => {
    for (let row = 0; row < cells.rows.rowCount; row++) {
      const value = numberOf(cells, row, column!);
      if (!Number.isNaN(value)) take(value);
    }
  };
  yield* walkRows(turn, rows, 'Reading', (cells) =>
    eachNumber(cells, (value) => {
      count++;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
      areIntegers &&= Number.isInteger(value);
    }),
  );
  const left = rows.rowCount - count;
  if (count === 0) return { x: new Float64Array(0), y: [new Float64Array(0)], left };
  const edges = binEdges(least, greatest, count, areIntegers);
  const counts = new Float64Array(edges.length - 1);
  yield* walkRows(turn, rows, 'Counting', (cells) => eachNumber(cells, (value) => counts[binOf(edges, value)]!++));
  return { x: edges, y: [counts], left, whole: { from: edges[0]!, to: edges.at(-1)! } };
}

function* bars(turn: Turn, rows: KeptRows, { x, y, combine }: ChartRequest): Computed<Found> {
  const countsRows = y.length === 0;
  const categories = new Categories(Math.max(1, y.length));
  let left = 0;
  yield* walkRows(turn, rows, 'Reading', (cells) => {
    for (let row = 0; row < cells.rows.rowCount; row++) {
      const bar = categories.bar(keyOf(cells, row, x!), () => labelOf(cells, row, x!));
      if (bar < 0) left++;
      if (bar < 0) continue;
      if (countsRows) categories.count(bar, 0);
      for (let index = 0; index < y.length; index++) {
        if (cells.type(row, y[index]!) === CellType.null) continue;
        categories.count(bar, index);
        const value = numberOf(cells, row, y[index]!);
        if (!Number.isNaN(value)) categories.add(bar, index, value);
      }
    }
  });
  const { labels, isCut } = categories;
  const series = countsRows ? [categories.values(0, 'count')] : y.map((_, index) => categories.values(index, combine));
  const numbers = Float64Array.from(labels, (_, index) => index);
  return { x: numbers, y: series, labels, isCut, left, whole: { from: -0.5, to: labels.length - 0.5 } };
}

/** Equal for equal values: 1 and 1.0 are, 1 and '1' are not. */
function keyOf(cells: PackedRowsReader, row: number, column: number): string {
  const storageClass = cells.storageClass(row, column);
  if (storageClass === 'integer' || storageClass === 'real') return `n${cells.text(row, column).replace(/\.0$/, '')}`;
  return `${storageClass} ${storageClass === 'blob' ? hex(cells.bytes(row, column)) : cells.text(row, column)}`;
}

function labelOf(cells: PackedRowsReader, row: number, column: number): string | null {
  const storageClass = cells.storageClass(row, column);
  if (storageClass === 'null') return null;
  return storageClass === 'blob'
    ? `x'${hex(cells.bytes(row, column).subarray(0, 8))}…'`
    : cells.text(row, column).slice(0, MAX_LABEL_CHARS);
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** A point is about as large as a square of this many pixels. */
const SQUARE = 3;

/**
 * Points of a scatter chart, reduced to what a screen can show: the first point of each small square of the picture. Pure.
 */
export class PlaneCells {
  readonly #across: EqualSteps;
  readonly #up: EqualSteps;
  /** A bit for each square of each series. */
  readonly #taken: Uint8Array;
  readonly #seriesCount: number;
  readonly #x: number[] = [];
  readonly #y: number[][];
  /** Points that fell on an existing one. */
  covered = 0;

  constructor(x: Bounds, y: Bounds, width: number, height: number, seriesCount: number) {
    this.#across = new EqualSteps(x.from, x.to, Math.max(1, Math.ceil(width / SQUARE)));
    this.#up = new EqualSteps(y.from, y.to, Math.max(1, Math.ceil(height / SQUARE)));
    this.#seriesCount = seriesCount;
    this.#taken = new Uint8Array(Math.ceil((this.#across.count * this.#up.count * seriesCount) / 8));
    this.#y = Array.from({ length: seriesCount }, () => []);
  }

  add(series: number, x: number, y: number): void {
    const square = (this.#up.at(y) * this.#across.count + this.#across.at(x)) * this.#seriesCount + series;
    const bit = 1 << (square & 7);
    if (this.#taken[square >> 3]! & bit) return void this.covered++;
    this.#taken[square >> 3]! |= bit;
    this.#x.push(x);
    this.#y.forEach((values, index) => values.push(index === series ? y : NaN));
  }

  finish(): Points {
    return sortedPoints(this.#x, this.#y);
  }
}

// The bins of a histogram: of equal width, with round edges. Pure.

const MOST_BINS = 50;
const FEWEST_BINS = 5;

/** @returns where each bin begins, and at the end where the last one ends */
export function binEdges(least: number, greatest: number, count: number, areIntegers: boolean): Float64Array {
  const spread = greatest - least;
  if (spread === Infinity) return binEdges(least / 2, greatest / 2, count, false).map((edge) => finite(edge * 2));
  if (!(spread > 0)) return singleBin(least, greatest);
  // The Rice rule: enough bins to see a shape, few enough to have rows in each.
  const wanted = Math.max(FEWEST_BINS, Math.min(MOST_BINS, Math.ceil(2 * Math.cbrt(count))));
  const rough = roundUp(spread / wanted);
  const step = areIntegers ? Math.max(1, rough) : rough;
  const first = Math.floor(least / step);
  const last = Math.floor(greatest / step) + 1;
  const edges = Float64Array.from({ length: last - first + 1 }, (_, index) =>
    finite(Number(((first + index) * step).toPrecision(12))),
  );
  // Beyond the precision of a double, edges fall together.
  return edges.every((edge, index) => index === 0 || edge > edges[index - 1]!) &&
    edges[0]! <= least &&
    (edges.at(-1)! > greatest || edges.at(-1) === Number.MAX_VALUE)
    ? edges
    : singleBin(least, greatest);
}

function singleBin(least: number, greatest: number): Float64Array {
  const half = Math.max(0.5, Math.abs(least) / 1e6);
  return least === greatest
    ? Float64Array.of(finite(least - half), finite(greatest + half))
    : Float64Array.of(least, greatest);
}

const finite = (edge: number): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, edge));

/** 1, 2, or 5 times a power of ten. */
function roundUp(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / power;
  return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
}

/** The bin of a value between the first and the last edge. An edge belongs to the bin it begins; the last one to the last bin. */
export function binOf(edges: Float64Array, value: number): number {
  const last = edges.length - 2;
  // Computed from halves, because the difference of two doubles may exceed a double.
  const width = (edges[last + 1]! / 2 - edges[0]! / 2) / (last + 1);
  let bin = Math.max(0, Math.min(last, Math.floor((value / 2 - edges[0]! / 2) / width) || 0));
  // The division may round to a neighbor.
  while (bin > 0 && value < edges[bin]!) bin--;
  while (bin < last && value >= edges[bin + 1]!) bin++;
  return bin;
}

/** The bars of a bar chart: the numbers of the rows that have the same value, combined. Pure. */
export class Categories {
  readonly #bars = new Map<string, number>();
  readonly labels: (string | null)[] = [];
  readonly #sums: Combined[][] = [];
  readonly #seriesCount: number;
  /** Some categories have no bar. */
  isCut = false;

  constructor(seriesCount: number) {
    this.#seriesCount = seriesCount;
  }

  /** @returns the bar of a category, which `key` identifies; −1 if it has none */
  bar(key: string, label: () => string | null): number {
    const known = this.#bars.get(key);
    if (known !== undefined) return known;
    if (this.labels.length === MAX_BARS) {
      this.isCut = true;
      return -1;
    }
    this.#bars.set(key, this.labels.length);
    this.#sums.push(Array.from({ length: this.#seriesCount }, () => new Combined()));
    return this.labels.push(label()) - 1;
  }

  add(bar: number, series: number, value: number): void {
    this.#sums[bar]![series]!.add(value);
  }

  count(bar: number, series: number): void {
    this.#sums[bar]![series]!.count++;
  }

  values(series: number, combine: Combination): Float64Array {
    return Float64Array.from(this.#sums, (sums) => sums[series]!.value(combine));
  }
}

class Combined {
  count = 0;
  #numbers = 0;
  #sum = 0;
  /** Rounding error of the sum (Neumaier), as SQLite's own sum() keeps it. */
  #lost = 0;
  #least = Infinity;
  #greatest = -Infinity;

  add(value: number): void {
    this.#numbers++;
    const sum = this.#sum + value;
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
    if (value < this.#least) this.#least = value;
    if (value > this.#greatest) this.#greatest = value;
  }

  /** NaN if there is no number to combine. */
  value(combine: Combination): number {
    if (combine === 'count') return this.count;
    if (this.#numbers === 0) return NaN;
    const sum = this.#sum + this.#lost;
    return { sum, mean: sum / this.#numbers, least: this.#least, greatest: this.#greatest }[combine];
  }
}
