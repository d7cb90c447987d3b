// Paints the header: names, types, key glyphs, sort arrows, and where a dragged column would be dropped.
import { headerText } from './cell-display.ts';
import { HEADER_HEIGHT } from '../layout/geometry.ts';
import { CELL_PADDING, partsOf } from './frame.ts';
import type { Brush, Fitters, Frame, FramePart, SortColumn } from './frame.ts';
import type { GridColumn } from '../grid-source.ts';
import { cursorOf, placesOf } from '../input/selection.ts';

const LABEL_GAP = 6;
const KEY_WIDTH = 16;
const SORT_WIDTH = 12;
const FORMAT_WIDTH = 15;
/** A label that does not fit is only shown truncated if at least this much of it remains. */
const MIN_CUT_LABEL_WIDTH = 44;

/** SQLite allows a column without a name. */
const nameOf = (column: GridColumn): string => (column.name === '' ? '(no name)' : headerText(column.name));
const labelOf = (column: GridColumn): string => headerText(column.typeLabel);

export function paintHeader(brush: Brush, frame: Frame): void {
  const { context, theme } = brush;
  const middle = HEADER_HEIGHT / 2;
  paintHeaderGround(brush, frame);
  for (const part of partsOf(frame)) paintColumns(brush, part, middle);
  if (frame.frozen > 0) {
    context.fillStyle = theme.line;
    context.fillRect(frame.gutter + frame.frozenWidth - 1, 0, 1, HEADER_HEIGHT);
  }
  context.font = theme.headerFont;
  context.fillStyle = theme.faint;
  context.textAlign = 'right';
  context.fillText('#', frame.gutter - CELL_PADDING, middle);
  context.textAlign = 'left';
  context.fillStyle = theme.line;
  context.fillRect(frame.gutter - 1, 0, 1, HEADER_HEIGHT);
}

export function paintHeaderGround({ context, theme }: Brush, { width }: Frame): void {
  context.fillStyle = theme.panel;
  context.fillRect(0, 0, width, HEADER_HEIGHT);
  context.fillStyle = theme.line;
  context.fillRect(0, HEADER_HEIGHT - 1, width, 1);
}

function paintColumns(brush: Brush, { frame, from, to }: FramePart, middle: number): void {
  const { context, theme } = brush;
  const xOf = (displayIndex: number): number => frame.gutter + frame.layout.edges[displayIndex]! - frame.left;
  const right = Math.min(frame.width, xOf(frame.layout.columns.length));
  context.save();
  context.beginPath();
  context.rect(from, 0, to - from, HEADER_HEIGHT);
  context.clip();
  for (let displayIndex = frame.firstDisplayIndex; displayIndex <= frame.lastDisplayIndex; displayIndex++)
    paintColumn(brush, frame, displayIndex, xOf(displayIndex), middle);
  if (frame.dropBefore !== null) {
    context.fillStyle = theme.accent;
    context.fillRect(Math.min(xOf(frame.dropBefore) - 1.5, right - 3), 0, 3, HEADER_HEIGHT);
  }
  context.restore();
}

function paintColumn(brush: Brush, frame: Frame, displayIndex: number, x: number, middle: number): void {
  const { context, theme, fitters } = brush;
  const index = frame.layout.columns[displayIndex]!;
  const column = frame.columns[index]!;
  const width = frame.layout.edges[displayIndex + 1]! - frame.layout.edges[displayIndex]!;
  const range = frame.selection.ranges.find(
    (candidate) =>
      candidate.span === 'columns' &&
      displayIndex >= placesOf(candidate, frame.bounds).first &&
      displayIndex <= placesOf(candidate, frame.bounds).last,
  );
  if (range) {
    context.fillStyle = theme.selection;
    context.fillRect(x, 0, width - 1, HEADER_HEIGHT - 1);
  } else if (frame.focused && cursorOf(frame.selection).displayIndex === displayIndex) {
    context.fillStyle = theme.accent;
    context.fillRect(x, HEADER_HEIGHT - 2, width - 1, 2);
  }
  context.fillStyle = theme.softLine;
  context.fillRect(x + width - 1, 0, 1, HEADER_HEIGHT - 1);

  let left = x + CELL_PADDING;
  let end = x + width - CELL_PADDING;
  const sortIndex = frame.sort.findIndex((mark) => mark.column === index);
  if (sortIndex >= 0)
    end = paintSort(brush, frame.sort[sortIndex]!, frame.sort.length > 1 ? sortIndex + 1 : null, end, middle);
  if (column.format) {
    paintFormat(brush, end, middle);
    end -= FORMAT_WIDTH;
  }
  if (column.key) {
    paintKey(brush, left, middle);
    left += KEY_WIDTH;
  }
  context.font = theme.headerFont;
  context.fillStyle = theme.text;
  const name = fitters.header.fit(nameOf(column), end - left);
  context.fillText(name.text, left, middle);
  left += name.width + LABEL_GAP;
  const label = labelOf(column);
  if (label === '' || end - left < Math.min(fitters.label.width(label), MIN_CUT_LABEL_WIDTH)) return;
  context.font = theme.labelFont;
  context.fillStyle = theme.dim;
  context.fillText(fitters.label.fit(label, end - left).text, left, middle + 0.5);
}

/** Returns where the space for the name ends. */
function paintSort(
  { context, theme, fitters }: Brush,
  { descending, isPending }: SortColumn,
  order: number | null,
  end: number,
  middle: number,
): number {
  let right = end;
  context.fillStyle = isPending ? theme.faint : theme.link;
  if (order !== null) {
    const text = String(order);
    context.font = theme.labelFont;
    right -= fitters.label.width(text);
    context.fillText(text, right, middle + 0.5);
    right -= 2;
  }
  const tip = descending ? middle + 3 : middle - 3;
  const base = descending ? middle - 2.5 : middle + 2.5;
  context.beginPath();
  context.moveTo(right - 8, base);
  context.lineTo(right, base);
  context.lineTo(right - 4, tip);
  context.fill();
  return right - SORT_WIDTH;
}

/** Two arrows, to the right and back: the cells show another form of their values. */
function paintFormat({ context, theme }: Brush, end: number, middle: number): void {
  const [left, right] = [end - 10, end - 0.5];
  context.strokeStyle = theme.link;
  context.lineWidth = 1.3;
  context.beginPath();
  for (const [from, to, y] of [
    [left, right, middle - 2.5],
    [right, left, middle + 2.5],
  ] as const) {
    const back = to + Math.sign(from - to) * 3;
    context.moveTo(from, y);
    context.lineTo(to, y);
    context.lineTo(back, y + Math.sign(y - middle) * 3);
  }
  context.stroke();
}

function paintKey({ context, theme }: Brush, x: number, middle: number): void {
  context.strokeStyle = theme.faint;
  context.lineWidth = 1.3;
  context.beginPath();
  context.arc(x + 3.2, middle, 2.6, 0, Math.PI * 2);
  context.moveTo(x + 5.8, middle);
  context.lineTo(x + 12, middle);
  context.moveTo(x + 11.4, middle);
  context.lineTo(x + 11.4, middle + 3);
  context.moveTo(x + 8.8, middle);
  context.lineTo(x + 8.8, middle + 2.4);
  context.stroke();
}

/** The width at which glyph, name and type are all readable. */
export function headerWidth(fitters: Fitters, column: GridColumn): number {
  const label = column.typeLabel === '' ? 0 : LABEL_GAP + fitters.label.width(labelOf(column));
  const marks = (column.key ? KEY_WIDTH : 0) + (column.format ? FORMAT_WIDTH : 0);
  return CELL_PADDING * 2 + fitters.header.width(nameOf(column)) + label + marks + 2;
}
