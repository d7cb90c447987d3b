// Which chart suits the columns of a result, and what each kind of chart can draw. Pure.
import type { ChartKind, Combination, ColumnContents } from '#shared/protocol/index.ts';
import type { DateForm } from '#shared/dates.ts';

/** The user's choices. Columns are numbered in packed order. */
export interface ChartChoice {
  readonly kind: ChartKind;
  /** Null: the row number. */
  readonly x: number | null;
  readonly y: readonly number[];
  readonly combine: Combination;
  /** Choice before this kind of chart took a series as its X axis: the next kind starts with it again. */
  readonly before?: Pick<ChartChoice, 'x' | 'y'> | undefined;
}

export interface ChartColumn extends ColumnContents {
  readonly index: number;
  readonly name: string;
}

/** Series that a suggestion draws; the user may choose more. */
const SUGGESTED_SERIES = 3;
/** Minimum share of values that are of the kind. */
const MOST = 0.8;

const isNumber = ({ numbers, values }: ChartColumn): boolean => numbers > 0 && numbers >= MOST * values;
const isDate = ({ dates, values }: ChartColumn): boolean => dates > 0 && dates >= MOST * values;
/** Numbers that only identify their row are useless as heights. */
const isKey = ({ name, isAscending, distinct, numbers }: ChartColumn): boolean =>
  /^(row)?id$|[_ ]id$|[a-z]Id$|ID$/.test(name) || (isAscending && distinct === numbers && numbers > 2);

/** Null if no column has anything that can be drawn. */
export function suggestChart(columns: readonly ChartColumn[]): ChartChoice | null {
  const dates = columns.filter(isDate);
  const numbers = columns.filter((column) => isNumber(column) && !dates.includes(column));
  const texts = columns.filter((column) => column.values > 0 && !dates.includes(column) && !numbers.includes(column));
  const measures = numbers.filter((column) => !isKey(column));
  const heights = (measures.length > 0 ? measures : numbers).map(({ index }) => index);
  const choice = (kind: ChartKind, x: number | null, y: readonly number[]): ChartChoice => ({
    kind,
    x,
    y: y.slice(0, SUGGESTED_SERIES),
    combine: kind === 'bar' && y.length === 0 ? 'count' : 'sum',
  });
  if (dates[0] && heights.length > 0) return choice('time', dates[0].index, heights);
  const category = [...texts].sort((a, b) => a.distinct - b.distinct)[0];
  if (category) return choice('bar', category.index, heights.slice(0, 1));
  if (dates[0]) return choice('bar', dates[0].index, []);
  const [first] = numbers;
  if (!first) return null;
  const others = heights.filter((index) => index !== first.index);
  if (others.length === 0) return choice('histogram', first.index, []);
  if (isKey(first) || first.isAscending) return choice('line', first.index, others);
  return choice('scatter', first.index, others.slice(0, 1));
}

/** Columns that a kind of chart can have along its X axis. */
export function xColumns(kind: ChartKind, columns: readonly ChartColumn[]): readonly ChartColumn[] {
  if (kind === 'bar') return columns;
  return columns.filter(({ numbers, dates }) => (kind === 'time' ? dates > 0 : numbers > 0));
}

export const yColumns = (columns: readonly ChartColumn[]): readonly ChartColumn[] =>
  columns.filter(({ numbers }) => numbers > 0);

/** Lines and points can be drawn over the row number. */
export const canCountRows = (kind: ChartKind): boolean => kind === 'line' || kind === 'scatter';

/** The same columns, as far as the other kind can draw them. */
export function withKind(choice: ChartChoice, kind: ChartKind, columns: readonly ChartColumn[]): ChartChoice {
  if (kind === choice.kind) return choice;
  const { x: formerX, y: former, combine } = { ...choice, ...choice.before };
  // Another run may not have all of them.
  const series = former.filter((column) => columns.some(({ index }) => index === column));
  const x = otherX(formerX, series, kind, columns);
  const heights = series.filter((column) => column !== x);
  const free = yColumns(columns).find(({ index }) => index !== x)?.index;
  const isEmpty = heights.length === 0 && kind !== 'bar' && kind !== 'histogram';
  const y = kind === 'histogram' ? series : isEmpty && free !== undefined ? [free] : heights;
  const before = x !== null && series.includes(x) ? { x: formerX, y: series } : undefined;
  return { kind, x, y, combine: kind === 'bar' && y.length === 0 ? 'count' : combine, ...(before && { before }) };
}

function otherX(
  x: number | null,
  y: readonly number[],
  kind: ChartKind,
  columns: readonly ChartColumn[],
): number | null {
  const offered = xColumns(kind, columns);
  const has = (index: number | null): boolean => offered.some((each) => each.index === index);
  if (has(x)) return x;
  // A line over the row number needs none of its series for the X axis.
  if (kind === 'line') return null;
  const category = kind === 'bar' ? offered.find((column) => !isNumber(column)) : undefined;
  const former = category?.index ?? y.find(has);
  return former ?? (canCountRows(kind) ? null : (offered[0]?.index ?? null));
}

/** Whether a choice made for another run still fits. */
export function fits({ kind, x, y }: ChartChoice, columns: readonly ChartColumn[]): boolean {
  const has = (offered: readonly ChartColumn[], index: number): boolean => offered.some((each) => each.index === index);
  return (
    (x === null ? canCountRows(kind) : has(xColumns(kind, columns), x)) && y.every((column) => has(columns, column))
  );
}

/** How the X values of a choice are interpreted as dates. */
export const dateFormOf = ({ kind, x }: ChartChoice, columns: readonly ChartColumn[]): DateForm | null =>
  kind === 'time' ? (columns.find(({ index }) => index === x)?.dateForm ?? null) : null;
