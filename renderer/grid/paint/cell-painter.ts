// Paints the contents of a cell: its value, its marks, or a bar while it is not loaded.
import { symbolParts } from './cell-display.ts';
import type { CellDisplay } from './cell-display.ts';
import { CELL_PADDING } from './frame.ts';
import type { Brush } from './frame.ts';
import { ROW_HEIGHT } from '../layout/geometry.ts';
import type { CellDifference } from '../companion.ts';
import type { CellPosition } from '../input/selection.ts';
import type { GridTheme } from './theme.ts';

/** @param link the value refers to another row */
export function paintValue(
  brush: Brush,
  display: CellDisplay,
  x: number,
  y: number,
  width: number,
  link: boolean,
): void {
  const { context, theme, fitters } = brush;
  const isNumber = display.style === 'number';
  const isPale = display.style === 'null';
  // Runs first, because measuring sets the font.
  const fitted = fitters.cell.fit(display.text, width - CELL_PADDING * 2, display.cut);
  context.font = isPale ? theme.nullFont : theme.cellFont;
  const color = colorOf(theme, display, link);
  context.fillStyle = color;
  const start = isNumber ? x + width - CELL_PADDING - fitted.width : x + CELL_PADDING;
  const middle = y + ROW_HEIGHT / 2;
  const paint = (): void => {
    if (display.hasSymbols) paintWithSymbols(brush, fitted.text, start, middle, color);
    else context.fillText(fitted.text, start, middle);
  };
  if (display.isTall) within(context, x, y, width, paint);
  else paint();
  if (link && !isPale && display.style !== 'blob') {
    context.fillStyle = theme.line;
    context.fillRect(start, middle + 8, fitted.width, 1);
  }
}

function colorOf(theme: GridTheme, { style }: CellDisplay, link: boolean): string {
  if (style === 'null') return theme.null;
  if (style === 'blob') return theme.dim;
  if (link) return theme.link;
  return style === 'number' ? theme.number : theme.text;
}

/** Clipping each cell would cost more than painting it. */
function within(context: Brush['context'], x: number, y: number, width: number, paint: () => void): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, ROW_HEIGHT - 1);
  context.clip();
  paint();
  context.restore();
}

function paintWithSymbols({ context, theme, fitters }: Brush, text: string, x: number, y: number, color: string): void {
  let at = x;
  symbolParts(text).forEach((part, index) => {
    if (part === '') return;
    context.fillStyle = index % 2 === 0 ? color : theme.faint;
    context.fillText(part, at, y);
    at += fitters.cell.width(part);
  });
}

export function paintDifference(
  { context, theme }: Brush,
  difference: CellDifference,
  x: number,
  y: number,
  width: number,
): void {
  context.fillStyle = difference === 'content' ? theme.differs : theme.moved;
  context.fillRect(x, y, width - 1, ROW_HEIGHT - 1);
  // A mark in addition to the color.
  context.fillStyle = difference === 'content' ? theme.differsEdge : theme.warn;
  context.fillRect(x, y, difference === 'content' ? 3 : 1, ROW_HEIGHT - 1);
}

/** A bar with the length of a typical text that does not flicker: its length is the same in every frame. */
export function paintPlaceholder(
  { context, theme }: Brush,
  { row, displayIndex }: CellPosition,
  x: number,
  y: number,
  width: number,
): void {
  const share = 0.35 + (((row * 31 + displayIndex * 17) % 7) / 7) * 0.4;
  context.fillStyle = theme.softLine;
  context.fillRect(x + CELL_PADDING, y + 9, Math.max(8, (width - CELL_PADDING * 2) * share), 7);
}
