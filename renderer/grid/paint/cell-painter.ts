// Paints the contents of a cell: its value, its marks, or a bar while it is not loaded.
import { symbolParts } from './cell-display.ts';
import type { CellDisplay } from './cell-display.ts';
import { CELL_PADDING } from './frame.ts';
import type { Brush } from './frame.ts';
import { ROW_HEIGHT } from '../layout/geometry.ts';
import type { CellTint } from '../cell-tints.ts';
import type { CellDifference } from '../companion.ts';
import type { CellPosition } from '../input/selection.ts';
import type { GridTheme } from './theme.ts';
import type { UnsavedMark } from '../unsaved-rows.ts';

/**
 * @param link the value refers to another row
 * @param isTinted all text then has the text color, because the other colors are too pale on a tint
 */
export function paintValue(
  brush: Brush,
  display: CellDisplay,
  x: number,
  y: number,
  width: number,
  link: boolean,
  isTinted = false,
): void {
  const { context, theme, fitters } = brush;
  const isNumber = display.style === 'number';
  const isPale = display.style === 'null';
  // Runs first, because measuring sets the font.
  const fitted = fitters.cell.fit(display.text, width - CELL_PADDING * 2, display.cut);
  context.font = isPale ? theme.nullFont : theme.cellFont;
  const color = isTinted ? theme.text : colorOf(theme, display, link);
  context.fillStyle = color;
  const start = isNumber ? x + width - CELL_PADDING - fitted.width : x + CELL_PADDING;
  const middle = y + ROW_HEIGHT / 2;
  const paint = (): void => {
    if (display.hasSymbols) paintWithSymbols(brush, fitted.text, start, middle, color, isTinted ? color : theme.faint);
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

function paintWithSymbols(
  { context, fitters }: Brush,
  text: string,
  x: number,
  y: number,
  color: string,
  symbolColor: string,
): void {
  let at = x;
  symbolParts(text).forEach((part, index) => {
    if (part === '') return;
    context.fillStyle = index % 2 === 0 ? color : symbolColor;
    context.fillText(part, at, y);
    at += fitters.cell.width(part);
  });
}

/** A bar of a scale has a line beneath it, so that its end can be seen. */
export function paintTint(
  { context, theme }: Brush,
  { color, share }: CellTint,
  x: number,
  y: number,
  width: number,
): void {
  const reach = share < 1 ? Math.max(2, Math.round((width - 1) * share)) : width - 1;
  context.fillStyle = theme.tints[color];
  context.globalAlpha = theme.tintOpacity;
  context.fillRect(x, y, reach, ROW_HEIGHT - 1);
  context.globalAlpha = 1;
  if (share < 1 || theme.tintOpacity === 0) context.fillRect(x, y + ROW_HEIGHT - 3, reach, 2);
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

/** A tint and, where a value was changed, an edge. */
export function paintUnsaved({ context, theme }: Brush, mark: UnsavedMark, x: number, y: number, width: number): void {
  context.fillStyle = BACKGROUNDS[mark](theme);
  context.fillRect(x, y, width - 1, ROW_HEIGHT - 1);
  if (mark === 'added' || mark === 'deleted') return;
  context.fillStyle = mark === 'conflict' ? theme.differsEdge : theme.warn;
  context.fillRect(x, y, 3, ROW_HEIGHT - 1);
}

const BACKGROUNDS: Readonly<Record<UnsavedMark, (theme: GridTheme) => string>> = {
  changed: (theme) => theme.moved,
  conflict: (theme) => theme.differs,
  deleted: (theme) => theme.differs,
  added: (theme) => theme.glow,
};

/** Strikes through the whole cell, so that a line runs through the whole row. */
export function paintStrike({ context, theme }: Brush, x: number, y: number, width: number): void {
  context.fillStyle = theme.differsEdge;
  context.fillRect(x, y + Math.floor(ROW_HEIGHT / 2), width, 1);
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
