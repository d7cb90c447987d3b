// Measures off screen how long a screenful of rows takes to paint: decoded, laid out and in pixels, by the grid's painter.
import type { PackedRows } from '#shared/packed-rows/format.ts';
import {
  HEADER_HEIGHT,
  ROW_HEIGHT,
  gutterWidth,
  layoutColumns,
  PLAIN_VIEW,
  visibleColumns,
} from '../layout/geometry.ts';
import { Glow } from './glow.ts';
import type { GridColumn } from '../grid-source.ts';
import { naturalWidths } from '../layout/column-widths.ts';
import { Painter } from './painter.ts';
import { rowsOfPage } from '../rows/row-cache.ts';
import { FIRST_CELL } from '../input/selection.ts';
import { readTheme } from './theme.ts';

const WIDTH = 800;
const ROWS = 24;

export class PaintProbe {
  readonly #canvas = document.createElement('canvas');
  readonly #painter: Painter;

  constructor() {
    this.#canvas.width = WIDTH;
    this.#canvas.height = HEADER_HEIGHT + ROWS * ROW_HEIGHT;
    this.#painter = new Painter(this.#canvas, readTheme(document.documentElement));
  }

  /** Returns milliseconds. */
  paint(packed: PackedRows): number {
    const began = performance.now();
    const rows = rowsOfPage(packed);
    const columns = Array.from({ length: packed.columnCount }, (_, index): GridColumn => ({
      name: `${index}`,
      typeLabel: '',
    }));
    const shown = Math.min(ROWS, rows.length);
    const gutter = gutterWidth(rows.length);
    const sample = { rows: rows.slice(0, shown), rowCount: rows.length, room: WIDTH - gutter };
    const natural = naturalWidths(columns, 0, this.#painter.fitters, sample);
    const layout = layoutColumns(columns.length, PLAIN_VIEW, (column) => natural[column] ?? 0);
    const displayColumns = visibleColumns(layout, 0, WIDTH - gutter);
    this.#painter.paint(
      {
        width: WIDTH,
        height: this.#canvas.height,
        top: 0,
        left: 0,
        gutter,
        columns,
        hiddenColumns: 0,
        layout,
        firstRow: 0,
        lastRow: shown - 1,
        firstDisplayIndex: displayColumns.first,
        lastDisplayIndex: displayColumns.last,
        frozen: 0,
        frozenWidth: 0,
        bounds: { rows: rows.length, displayColumns: columns.length },
        selection: FIRST_CELL,
        focused: false,
        sort: [],
        row: (position) => rows[position] ?? null,
        differenceAt: null,
        tints: null,
        glow: new Glow(),
        nowMs: began,
        offset: () => 0,
        draft: null,
        unsaved: null,
        dropBefore: null,
      },
      1,
    );
    // Until a pixel is read, the browser only records what is to be painted.
    this.#painter.context.getImageData(0, 0, 1, 1);
    return performance.now() - began;
  }
}
