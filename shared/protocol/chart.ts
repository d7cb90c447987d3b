// Charts of the rows of a result: computed where the rows are kept, so that a window gets only as many points as its screen can show.
import type { DateForm } from '../dates.ts';
import type { Op } from './envelope.ts';
import type { ReaderId } from './rows.ts';
import type { Value } from './values.ts';

export const CHART_KINDS = ['line', 'time', 'bar', 'scatter', 'histogram'] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

/** How a bar combines the numbers of its rows. `count`: in how many rows there is a value. */
export const COMBINATIONS = ['sum', 'mean', 'least', 'greatest', 'count'] as const;
export type Combination = (typeof COMBINATIONS)[number];

/** Content of some rows in a column. Columns are counted from 0 in packed order, as in an arrangement. */
export interface ColumnContents {
  /** Rows with a value. */
  readonly values: number;
  /** Finite numbers, also as text such as “12.5”. */
  readonly numbers: number;
  /** Values that are dates in the form `dateForm`; for numbers only if the name of the column suggests it. */
  readonly dates: number;
  readonly dateForm: DateForm | null;
  /** Different values among the rows. */
  readonly distinct: number;
  /** The numbers or dates never become less from row to row. */
  readonly isAscending: boolean;
}

export interface ChartSpan {
  readonly from: number;
  readonly to: number;
}

export interface ChartRequest {
  readonly kind: ChartKind;
  /** Column along the X axis, or of the histogram; null: the number of the row, from 1. */
  readonly x: number | null;
  /** How its values are dates, for `time`; milliseconds since 1970 are returned then. */
  readonly xDates: DateForm | null;
  /** One series for each column; none for a histogram. With `count`, none stands for the rows themselves. */
  readonly y: readonly number[];
  /** Used by `bar` only. */
  readonly combine: Combination;
  /** The part of the X axis on screen; null: all of it. */
  readonly span: ChartSpan | null;
  /** Size of the picture, in points that can be told apart. */
  readonly width: number;
  readonly height: number;
}

/** Series over a common X axis. */
export interface ChartData {
  /** X values in ascending order. Bars are numbered from 0. A histogram has the start of each bin, and finally the end of the last one. */
  readonly x: Float64Array;
  /** A number for each X, by series; NaN: none. A histogram has one series with the rows in each bin. */
  readonly y: readonly Float64Array[];
  /** Values that the bars stand for; null stands for NULL. */
  readonly labels: readonly (string | null)[] | null;
  readonly rows: number;
  /** Rows that are not shown because they have no X that can be drawn, or no Y. */
  readonly left: number;
  /** Bars that are not shown: there are more categories than {@link MAX_BARS}. */
  readonly isCut: boolean;
  /** Points that fall on each other are drawn as one; of lines the extremes of each step are kept. */
  readonly isReduced: boolean;
  /** Range of all X values, whatever part is shown; null if there is none. */
  readonly whole: ChartSpan | null;
}

/** Null: there is no number. */
export interface ColumnExtremes {
  readonly least: Value;
  readonly greatest: Value;
}

/** The bars of the first categories, in the order of the rows. */
export const MAX_BARS = 60;

export interface ChartOperations {
  /** Describes the content of the columns of a result of `rows` rows, from up to a thousand of them. */
  'chart.columns': Op<
    { readonly reader: ReaderId },
    { readonly rows: number; readonly columns: readonly ColumnContents[] }
  >;
  /**
   * Computes a chart of the rows as they are sorted and filtered, in slices. Numbers are doubles: beyond 2^53 they are rounded. Fails with
   * `stopped`, and with `invalid` for columns that the result does not have.
   */
  'chart.read': Op<{ readonly reader: ReaderId; readonly chart: ChartRequest }, ChartData>;
  /** The least and the greatest INTEGER or REAL in a column of the rows as they are filtered, read in slices. Fails as `chart.read` does. */
  'chart.extremes': Op<{ readonly reader: ReaderId; readonly column: number }, ColumnExtremes>;
}
