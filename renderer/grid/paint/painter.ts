// Paints the visible cells on a canvas: all input comes as one frame, and only measured text is kept.
import { displayCell, unsetDisplay } from './cell-display.ts';
import { paintDifference, paintPlaceholder, paintStrike, paintTint, paintUnsaved, paintValue } from './cell-painter.ts';
import { HEADER_HEIGHT, ROW_HEIGHT, numberRoom } from '../layout/geometry.ts';
import { CELL_PADDING, partsOf } from './frame.ts';
import type { Brush, DraftRow, Fitters, Frame, FramePart } from './frame.ts';
import { paintHeader, paintHeaderGround } from './header-painter.ts';
import type { CachedRow } from '../rows/row-cache.ts';
import { sameCell } from '../rows/same-cell.ts';
import { cursorOf, isSelected, isSingleCell } from '../input/selection.ts';
import { TextFitter } from './text-fit.ts';
import type { GridTheme } from './theme.ts';

/** Share of its strength that the selection keeps while another element has the focus. */
const UNFOCUSED_OPACITY = 0.45;

export class Painter {
  readonly context: CanvasRenderingContext2D;
  #brush: Brush;
  /** Result of {@link pictureOf} when the canvas was painted: a canvas with another size is black. */
  #picture = '';

  constructor(canvas: HTMLCanvasElement, theme: GridTheme) {
    // Opaque: text keeps subpixel antialiasing, and the compositor has nothing to blend.
    this.context = canvas.getContext('2d', { alpha: false })!;
    this.#brush = createBrush(this.context, theme);
  }

  set theme(theme: GridTheme) {
    this.#brush = createBrush(this.context, theme);
  }

  get fitters(): Fitters {
    return this.#brush.fitters;
  }

  paint(frame: Frame, pixelRatio: number): void {
    this.#paintBody(frame, pixelRatio, HEADER_HEIGHT, frame.height);
    paintHeader(this.#brush, frame);
    this.#picture = pictureOf(this.context);
  }

  /** Keeps the picture, because another one follows in a moment; without a picture, paints the background of header and rows. */
  paintNothing(frame: Frame, pixelRatio: number): void {
    const { context, theme } = this.#brush;
    if (this.#picture === pictureOf(context)) return;
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.fillStyle = theme.background;
    context.fillRect(0, 0, frame.width, frame.height);
    paintHeaderGround(this.#brush, frame);
    this.#picture = pictureOf(context);
  }

  /** Repaints these rows. Nothing may have moved since the last paint. */
  paintRows(frame: Frame, first: number, last: number, pixelRatio: number): void {
    const yOf = rowPositions(frame, pixelRatio);
    // Whole device pixels, including rows that share the outermost ones: repainting must give the same result.
    const top = Math.floor(yOf(first) * pixelRatio) / pixelRatio;
    const bottom = Math.ceil(yOf(last + 1) * pixelRatio) / pixelRatio;
    const around = {
      ...frame,
      firstRow: Math.max(frame.firstRow, first - 1),
      lastRow: Math.min(frame.lastRow, last + 1),
    };
    this.#paintBody(around, pixelRatio, Math.max(HEADER_HEIGHT, top), bottom);
  }

  #paintBody(frame: Frame, pixelRatio: number, top: number, bottom: number): void {
    const { context } = this;
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.textBaseline = 'middle';
    context.save();
    context.beginPath();
    context.rect(0, top, frame.width, bottom - top);
    context.clip();
    context.fillStyle = this.#brush.theme.background;
    context.fillRect(0, top, frame.width, bottom - top);
    const yOf = rowPositions(frame, pixelRatio);
    for (const part of partsOf(frame)) this.#paintPart(part, yOf);
    if (frame.frozen > 0) this.#paintFrozenEdge(frame, yOf);
    this.#paintGutter(frame, yOf);
    context.restore();
  }

  #paintPart({ frame, from, to }: FramePart, yOf: (row: number) => number): void {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(from, HEADER_HEIGHT, to - from, frame.height - HEADER_HEIGHT);
    context.clip();
    this.#paintTints(frame, yOf);
    this.#paintLines(frame, yOf);
    for (let row = frame.firstRow; row <= frame.lastRow; row++) {
      const y = yOf(row);
      const room = yOf(row + 1) - y;
      if (room < ROW_HEIGHT) this.#clipped(frame, y, room, () => this.#paintRow(frame, row, y));
      else this.#paintRow(frame, row, y);
    }
    this.#paintCursor(frame, yOf);
    context.restore();
  }

  #paintFrozenEdge(frame: Frame, yOf: (row: number) => number): void {
    const bottom = Math.min(frame.height, yOf(frame.lastRow + 1));
    this.context.fillStyle = this.#brush.theme.line;
    this.context.fillRect(frame.gutter + frame.frozenWidth - 1, HEADER_HEIGHT, 1, bottom - HEADER_HEIGHT);
  }

  /** An appearing row does not have its full height yet. */
  #clipped(frame: Frame, y: number, height: number, paint: () => void): void {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(0, y, frame.width, height);
    context.clip();
    paint();
    context.restore();
  }

  #paintTints(frame: Frame, yOf: (row: number) => number): void {
    const { context } = this;
    const cursor = cursorOf(frame.selection);
    const single = isSingleCell(frame.selection);
    const end = frame.gutter + Math.min(frame.width, frame.layout.width - frame.left);
    for (let row = frame.firstRow; row <= frame.lastRow; row++) {
      if (frame.draft && row === frame.bounds.rows - 1) {
        context.fillStyle = this.#brush.theme.glow;
        context.fillRect(frame.gutter, yOf(row), end - frame.gutter, ROW_HEIGHT);
      }
      context.fillStyle = this.#brush.theme.selection;
      if (single) {
        if (row === cursor.row) this.#paintTint(frame, frame.gutter, yOf(row), end - frame.gutter);
        continue;
      }
      for (let displayIndex = frame.firstDisplayIndex; displayIndex <= frame.lastDisplayIndex; displayIndex++) {
        if (isSelected(frame.selection, row, displayIndex, frame.bounds)) {
          const x = this.#xOf(frame, displayIndex);
          this.#paintTint(
            frame,
            x,
            yOf(row),
            frame.layout.edges[displayIndex + 1]! - frame.layout.edges[displayIndex]!,
          );
        }
      }
    }
  }

  #paintTint({ focused }: Frame, x: number, y: number, width: number): void {
    this.context.globalAlpha = this.#brush.theme.selectionOpacity * (focused ? 1 : UNFOCUSED_OPACITY);
    this.context.fillRect(x, y, width, ROW_HEIGHT - 1);
    this.context.globalAlpha = 1;
  }

  #paintLines(frame: Frame, yOf: (row: number) => number): void {
    const { context } = this;
    const right = Math.min(frame.width, this.#xOf(frame, frame.layout.columns.length));
    const bottom = Math.min(frame.height, yOf(frame.lastRow + 1));
    context.fillStyle = this.#brush.theme.softLine;
    for (let row = frame.firstRow; row <= frame.lastRow; row++)
      context.fillRect(0, Math.min(yOf(row) + ROW_HEIGHT, yOf(row + 1)) - 1, right, 1);
    for (let displayIndex = frame.firstDisplayIndex; displayIndex <= frame.lastDisplayIndex; displayIndex++) {
      context.fillRect(this.#xOf(frame, displayIndex + 1) - 1, HEADER_HEIGHT, 1, bottom - HEADER_HEIGHT);
    }
  }

  #paintRow(frame: Frame, row: number, y: number): void {
    if (frame.draft && row === frame.bounds.rows - 1) return this.#paintDraft(frame, frame.draft, y);
    const cached = frame.row(row);
    if (cached) this.#paintGlow(frame, cached, y);
    for (let displayIndex = frame.firstDisplayIndex; displayIndex <= frame.lastDisplayIndex; displayIndex++) {
      const column = frame.layout.columns[displayIndex]!;
      const x = this.#xOf(frame, displayIndex);
      const width = frame.layout.edges[displayIndex + 1]! - frame.layout.edges[displayIndex]!;
      if (!cached) paintPlaceholder(this.#brush, { row, displayIndex }, x, y, width);
      else {
        const difference = frame.differenceAt?.(row, column);
        if (difference) paintDifference(this.#brush, difference, x, y, width);
        const unsaved = frame.unsaved?.markOf(cached, column) ?? null;
        if (unsaved) paintUnsaved(this.#brush, unsaved, x, y, width);
        const tint = difference || unsaved ? null : (frame.tints?.(cached, column) ?? null);
        if (tint) paintTint(this.#brush, tint, x, y, width);
        const display = frame.unsaved?.isUnset(cached, column)
          ? unsetDisplay(frame.columns[column]!)
          : displayCell(cached.rows, cached.index, column + frame.hiddenColumns, frame.columns[column]);
        paintValue(this.#brush, display, x, y, width, frame.columns[column]!.link === true, tint !== null);
        if (unsaved === 'deleted') paintStrike(this.#brush, x, y, width);
      }
    }
  }

  #paintGlow(frame: Frame, cached: CachedRow, y: number): void {
    const { context } = this;
    const glow = frame.glow.of(cached, frame.nowMs);
    if (!glow) return;
    context.fillStyle = this.#brush.theme.glow;
    context.globalAlpha = glow.strength;
    for (let displayIndex = frame.firstDisplayIndex; displayIndex <= frame.lastDisplayIndex; displayIndex++) {
      if (glow.before && sameCell(glow.before, cached, frame.layout.columns[displayIndex]! + frame.hiddenColumns))
        continue;
      const width = frame.layout.edges[displayIndex + 1]! - frame.layout.edges[displayIndex]!;
      context.fillRect(this.#xOf(frame, displayIndex), y, width - 1, ROW_HEIGHT - 1);
    }
    context.globalAlpha = 1;
  }

  #paintDraft(frame: Frame, draft: DraftRow, y: number): void {
    for (let displayIndex = frame.firstDisplayIndex; displayIndex <= frame.lastDisplayIndex; displayIndex++) {
      const column = frame.layout.columns[displayIndex]!;
      const width = frame.layout.edges[displayIndex + 1]! - frame.layout.edges[displayIndex]!;
      const unset = unsetDisplay(frame.columns[column]!);
      paintValue(this.#brush, draft.cells.get(column) ?? unset, this.#xOf(frame, displayIndex), y, width, false);
    }
  }

  #paintCursor(frame: Frame, yOf: (row: number) => number): void {
    const { context } = this;
    const cursor = cursorOf(frame.selection);
    const { firstDisplayIndex, lastDisplayIndex } = frame;
    if (cursor.row < frame.firstRow || cursor.row > frame.lastRow || frame.layout.columns.length === 0) return;
    if (cursor.displayIndex < firstDisplayIndex || cursor.displayIndex > lastDisplayIndex) return;
    const x = this.#xOf(frame, cursor.displayIndex);
    const y = yOf(cursor.row);
    const width = frame.layout.edges[cursor.displayIndex + 1]! - frame.layout.edges[cursor.displayIndex]!;
    context.fillStyle = this.#brush.theme.raise;
    context.fillRect(x, y, width - 1, ROW_HEIGHT - 1);
    this.#paintOne(frame, cursor.row, cursor.displayIndex, x, y, width);
    context.strokeStyle = frame.focused ? this.#brush.theme.accent : this.#brush.theme.faint;
    context.lineWidth = frame.focused ? 2 : 1;
    const inset = context.lineWidth / 2;
    context.strokeRect(x + inset, y + inset, width - 1 - inset * 2, ROW_HEIGHT - 1 - inset * 2);
  }

  #paintOne(frame: Frame, row: number, displayIndex: number, x: number, y: number, width: number): void {
    const one = { ...frame, firstDisplayIndex: displayIndex, lastDisplayIndex: displayIndex };
    this.context.save();
    this.context.beginPath();
    this.context.rect(x, y, width - 1, ROW_HEIGHT - 1);
    this.context.clip();
    this.#paintRow(one, row, y);
    this.context.restore();
  }

  #paintGutter(frame: Frame, yOf: (row: number) => number): void {
    const { context, theme } = this.#brush;
    const bottom = Math.min(frame.height, yOf(frame.lastRow + 1));
    context.fillStyle = theme.panel;
    context.fillRect(0, HEADER_HEIGHT, frame.gutter, bottom - HEADER_HEIGHT);
    context.font = theme.gutterFont;
    context.textAlign = 'right';
    const cursor = cursorOf(frame.selection);
    for (let row = frame.firstRow; row <= frame.lastRow; row++) {
      const y = yOf(row);
      const isDraft = frame.draft !== null && row === frame.bounds.rows - 1;
      const room = Math.min(ROW_HEIGHT, yOf(row + 1) - y);
      context.fillStyle = theme.softLine;
      context.fillRect(0, y + room - 1, frame.gutter, 1);
      if (row === cursor.row) {
        context.fillStyle = theme.selection;
        this.#paintTint(frame, 0, y, frame.gutter);
      }
      const sign = isDraft ? (frame.draft?.failed ? '!' : '+') : rowSign(frame, row);
      context.fillStyle = sign !== null ? theme.warn : row === cursor.row && frame.focused ? theme.link : theme.faint;
      if (room < ROW_HEIGHT / 2) continue;
      const x = frame.gutter - CELL_PADDING;
      context.fillText(sign ?? String(row + 1), x, y + room / 2, numberRoom(frame.gutter));
    }
    context.textAlign = 'left';
    context.fillStyle = theme.line;
    context.fillRect(frame.gutter - 1, HEADER_HEIGHT, 1, bottom - HEADER_HEIGHT);
  }

  #xOf(frame: Frame, displayIndex: number): number {
    return frame.gutter + frame.layout.edges[displayIndex]! - frame.left;
  }
}

/** Stands for the row number of a row that is not stored yet, or that will be deleted. */
function rowSign({ unsaved, row }: Frame, position: number): string | null {
  const cached = unsaved && row(position);
  const mark = cached && unsaved.markOf(cached, 0);
  if (mark === 'added') return '+';
  return mark === 'deleted' ? '−' : null;
}

const pictureOf = ({ canvas }: CanvasRenderingContext2D): string => `${canvas.width}×${canvas.height}`;

function createBrush(context: CanvasRenderingContext2D, theme: GridTheme): Brush {
  const fitter = (font: string): TextFitter =>
    new TextFitter((text) => {
      context.font = font;
      return context.measureText(text).width;
    });
  const fitters = { cell: fitter(theme.cellFont), header: fitter(theme.headerFont), label: fitter(theme.labelFont) };
  return { context, theme, fitters };
}

function rowPositions(frame: Frame, pixelRatio: number): (row: number) => number {
  // Aligned to device pixels, because otherwise every line of the table would be smeared over two.
  const offset = Math.round(frame.top * pixelRatio) / pixelRatio;
  return (row) => HEADER_HEIGHT + row * ROW_HEIGHT - offset + Math.round(frame.offset(row) * pixelRatio) / pixelRatio;
}
