// Data of a chart of a result, computed from all of its rows in slices.
import { COMBINATIONS } from '#shared/protocol/chart.ts';
import type { ChartData, ChartRequest, ChartSpan } from '#shared/protocol/chart.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { CellType } from '#shared/packed-rows/format.ts';
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { Pause, Turn } from '../../sessions/session.ts';
import type { KeptRows } from '../arrange/arranged-rows.ts';
import { walkRows } from '../walk-rows.ts';
import { binEdges, binOf } from './bins.ts';
import { Categories } from './categories.ts';
import { dateNumberOf, numberOf } from './cell-numbers.ts';
import type { CellNumber } from './cell-numbers.ts';
import { PlaneCells } from './plane-cells.ts';
import { PointBuckets, sortedPoints } from './point-buckets.ts';
import type { Points } from './point-buckets.ts';

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
