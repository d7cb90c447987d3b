// The columns on screen: order and widths as arranged by the user, and natural widths for the others. What was measured once stays, so that
// nothing jumps.
import { fittingWidth, naturalWidths, sampledRows } from './column-widths.ts';
import type { Sample } from './column-widths.ts';
import type { Fitters } from '../paint/frame.ts';
import { movedColumn } from './arrange-columns.ts';
import {
  DEFAULT_COLUMN_WIDTH,
  MAX_COLUMN_WIDTH,
  MIN_COLUMN_WIDTH,
  gutterWidth,
  keptGutterWidth,
  layoutColumns,
} from './geometry.ts';
import type { ColumnLayout, GridView } from './geometry.ts';
import type { ColumnFormats, GridColumn, GridSource } from '../grid-source.ts';
import type { CachedRow } from '../rows/row-cache.ts';

/** Widths that fewer rows decided, or none, are decided again by the next rows, so that a filter that is removed leaves no cut values. */
const MIN_SAMPLED_ROWS = 10;
const NO_SAMPLE: Sample = { rows: [], rowCount: 0, room: 0 };

type Headers = Pick<GridSource, 'columns' | 'hiddenColumns'>;

export class ColumnModel {
  #headers: Headers;
  #formats: ColumnFormats;
  #shown: readonly GridColumn[];
  #view: GridView;
  #layout: ColumnLayout;
  /** From the header alone until rows were measured. */
  #natural: readonly number[];
  /** Measured widths of columns with the same names, which they keep when others are added or removed. */
  #kept: ReadonlyMap<string, number> = new Map();
  /** Widths that are measured again: columns only become wider. */
  #atLeast: readonly number[] = [];
  #gutter: number | null = null;
  #isMeasured = false;
  #sampledRows = 0;

  constructor(headers: Headers, view: GridView, fitters: Fitters, formats: ColumnFormats = []) {
    this.#headers = headers;
    this.#formats = formats;
    this.#shown = withFormats(headers.columns, formats);
    this.#view = view;
    this.#natural = naturalWidths(this.#shown, headers.hiddenColumns, fitters, NO_SAMPLE);
    this.#layout = this.#layOut();
  }

  get layout(): ColumnLayout {
    return this.#layout;
  }

  /** The columns of the source with their formats. */
  get shown(): readonly GridColumn[] {
    return this.#shown;
  }

  get formats(): ColumnFormats {
    return this.#formats;
  }

  /** Widths stay as they are, so that nothing moves. */
  set formats(formats: ColumnFormats) {
    this.#formats = formats;
    this.#shown = withFormats(this.#headers.columns, formats);
  }

  /** Width of the row numbers. */
  get gutter(): number {
    return this.#gutter ?? gutterWidth(0);
  }

  /** Whether the widths are final: until then they must not be shown. */
  get isMeasured(): boolean {
    return this.#isMeasured;
  }

  /** Null until measured from content. */
  get natural(): readonly number[] | null {
    return this.#isMeasured ? this.#natural : null;
  }

  set natural(widths: readonly number[]) {
    this.#natural = widths;
    this.#layout = this.#layOut();
  }

  get view(): GridView {
    return this.#view;
  }

  set view(view: GridView) {
    this.#view = view;
    this.#layout = this.#layOut();
  }

  /**
   * Other rows. Columns that were there before keep their widths, unless hardly any rows decided those; if there are others, all wait until
   * those are measured.
   * @param ordered how many rows there were before, as far as that is known, if these are the same in another order
   */
  setHeaders(headers: Headers, rowCount: number, fitters: Fitters, ordered: number | null = null): void {
    const isSame = namesOf(headers) === namesOf(this.#headers);
    if (!isSame && this.#isMeasured) this.#kept = widthsByName(this.#headers, this.#natural);
    this.#headers = headers;
    this.#shown = withFormats(headers.columns, this.#formats);
    if (this.#gutter !== null) this.#gutter = keptGutterWidth(this.#gutter, rowCount);
    if (isSame) {
      const hasAll = ordered !== null && this.#sampledRows > 0 && this.#sampledRows >= ordered;
      if (!this.#isMeasured || this.#sampledRows >= MIN_SAMPLED_ROWS || hasAll) return;
      this.#atLeast = this.#natural;
      this.#isMeasured = false;
      return;
    }
    this.#atLeast = [];
    this.#natural = naturalWidths(this.#shown, headers.hiddenColumns, fitters, NO_SAMPLE);
    this.#isMeasured = false;
    this.#layout = this.#layOut();
  }

  /** Decides all widths, unless they are decided: from the first available rows, or from the header if there are none. */
  measure(sample: Sample, fitters: Fitters): void {
    if (this.#isMeasured) return;
    const { columns, hiddenColumns } = this.#headers;
    this.#isMeasured = true;
    this.#sampledRows = sample.rows.length;
    this.#gutter ??= gutterWidth(sample.rowCount);
    const measured = naturalWidths(this.#shown, hiddenColumns, fitters, sample);
    this.#natural = columns.map(({ name }, column) =>
      Math.max(this.#kept.get(name) ?? measured[column]!, this.#atLeast[column] ?? 0),
    );
    this.#kept = new Map();
    this.#atLeast = [];
    this.#layout = this.#layOut();
  }

  /** The texts of cells have other widths now. */
  measureAgain(sample: Sample, fitters: Fitters): void {
    if (!this.#isMeasured) return;
    this.#isMeasured = false;
    // Without the rows in view, the headers alone would decide.
    if (sample.rows.length > 0 || sample.rowCount === 0) this.measure(sample, fitters);
  }

  resized(displayIndex: number, width: number): GridView {
    return { ...this.#view, widths: { ...this.#view.widths, [this.#layout.columns[displayIndex]!]: width } };
  }

  /** Wider or narrower by `pixels`, within the limits of a column. */
  resizedBy(displayIndex: number, pixels: number): GridView {
    const { edges } = this.#layout;
    const width = edges[displayIndex + 1]! - edges[displayIndex]! + pixels;
    return this.resized(displayIndex, Math.min(Math.max(width, MIN_COLUMN_WIDTH), MAX_COLUMN_WIDTH));
  }

  /** Makes a column as wide as the header and the widest of `rows`. */
  fitted(displayIndex: number, rows: readonly CachedRow[], fitters: Fitters): GridView {
    const column = this.#layout.columns[displayIndex]!;
    const { hiddenColumns } = this.#headers;
    return this.resized(displayIndex, fittingWidth(this.#shown[column], column + hiddenColumns, fitters, rows));
  }

  /** Every shown column as wide as its header and the widest of `rows`. */
  allFitted(rows: readonly CachedRow[], fitters: Fitters): GridView {
    const { hiddenColumns } = this.#headers;
    const widths = { ...this.#view.widths };
    const sample = rows.slice(0, sampledRows(this.#layout.columns.length));
    for (const column of this.#layout.columns)
      widths[column] = fittingWidth(this.#shown[column], column + hiddenColumns, fitters, sample);
    return { ...this.#view, widths };
  }

  moved(from: number, before: number): GridView {
    return movedColumn(this.#headers.columns.length, this.#view, this.#layout, from, before);
  }

  /** Moved one place; unchanged at the end. */
  movedBy(displayIndex: number, step: 1 | -1): GridView {
    const to = displayIndex + step;
    if (to < 0 || to >= this.#layout.columns.length) return this.#view;
    return this.moved(displayIndex, step > 0 ? to + 1 : to);
  }

  #layOut(): ColumnLayout {
    return layoutColumns(
      this.#headers.columns.length,
      this.#view,
      (column) => this.#natural[column] ?? DEFAULT_COLUMN_WIDTH,
    );
  }
}

const withFormats = (columns: readonly GridColumn[], formats: ColumnFormats): readonly GridColumn[] =>
  formats.every((format) => format === null)
    ? columns
    : columns.map((column, at) => ({ ...column, format: formats[at] ?? null }));

function widthsByName({ columns }: Headers, widths: readonly number[]): Map<string, number> {
  const byName = new Map<string, number>();
  columns.forEach(({ name }, column) => !byName.has(name) && byName.set(name, widths[column]!));
  return byName;
}

const namesOf = ({ columns }: Headers): string =>
  JSON.stringify(columns.map(({ name, typeLabel }) => [name, typeLabel]));
