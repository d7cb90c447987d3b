// The contents of one painted frame: passed from the controller to the painters.
import type { CellDisplay } from './cell-display.ts';
import type { ColumnLayout } from '../layout/geometry.ts';
import type { Glow } from './glow.ts';
import type { CellTints } from '../cell-tints.ts';
import type { CellDifferences } from '../companion.ts';
import type { GridColumn } from '../grid-source.ts';
import type { CachedRow } from '../rows/row-cache.ts';
import type { Bounds, Selection } from '../input/selection.ts';
import type { TextFitter } from './text-fit.ts';
import type { GridTheme } from './theme.ts';
import type { UnsavedRows } from '../unsaved-rows.ts';

export const CELL_PADDING = 10;

export interface SortColumn {
  readonly column: number;
  readonly descending: boolean;
  /** The rows are not in this order yet. */
  readonly isPending?: boolean;
}

/** A row that is being filled in and is not stored in the table yet. */
export interface DraftRow {
  /** Cells by column; missing columns get their default. */
  readonly cells: ReadonlyMap<number, CellDisplay>;
  readonly failed: boolean;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Pixels from the first row; fractional when scrolled in proportion. */
  readonly top: number;
  readonly left: number;
  readonly gutter: number;
  readonly columns: readonly GridColumn[];
  readonly hiddenColumns: number;
  readonly layout: ColumnLayout;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstDisplayIndex: number;
  readonly lastDisplayIndex: number;
  /** How many places at the left do not scroll; and their width together. */
  readonly frozen: number;
  readonly frozenWidth: number;
  readonly bounds: Bounds;
  readonly selection: Selection;
  readonly focused: boolean;
  readonly sort: readonly SortColumn[];
  readonly row: (position: number) => CachedRow | null;
  /** How a row that is shown differs from what is stored. */
  readonly unsaved: UnsavedRows | null;
  /** Null without a companion. */
  readonly differenceAt: CellDifferences | null;
  readonly tints: CellTints | null;
  readonly glow: Glow;
  readonly nowMs: number;
  /** How far below its place a row is painted while rows are moving. */
  readonly offset: (row: number) => number;
  /** Painted as the last row, if there is one. */
  readonly draft: DraftRow | null;
  /** A dragged header would be dropped before this position. */
  readonly dropBefore: number | null;
}

/** The scrolled columns, or the frozen ones: a frame of their own, and the pixels it may touch. */
export interface FramePart {
  readonly frame: Frame;
  readonly from: number;
  readonly to: number;
}

export function partsOf(frame: Frame): readonly FramePart[] {
  const { gutter, frozen, frozenWidth, width } = frame;
  const scrolled = { frame, from: gutter + frozenWidth, to: width };
  if (frozen === 0) return [scrolled];
  const atLeft = { ...frame, left: 0, firstDisplayIndex: 0, lastDisplayIndex: frozen - 1 };
  return [scrolled, { frame: atLeft, from: gutter, to: gutter + frozenWidth }];
}

export interface Fitters {
  readonly cell: TextFitter;
  readonly header: TextFitter;
  readonly label: TextFitter;
}

/** Tools of the painters. */
export interface Brush {
  readonly context: CanvasRenderingContext2D;
  readonly theme: GridTheme;
  readonly fitters: Fitters;
}
