// A diagram as shapes: the window draws them as SVG, the exports write them to files. Colors are token names.
import { lastWhere } from '#shared/binary-search.ts';
import { visibleName } from '#shared/visible-text.ts';
import { formatCount } from '../../ui/format.ts';
import { HEADER_HEIGHT, isBold, NAME_X, NOT_NULL_WIDTH, ROW_HEIGHT } from './graph.ts';
import type { GraphNode, MeasureText, NodeRow } from './graph.ts';
import type { Point, Route } from './geometry.ts';
import type { PlacedEdge } from './placement.ts';

export type Ink = 'bg' | 'panel' | 'raise' | 'line' | 'line-strong' | 'text' | 'dim' | 'faint' | 'accent-text' | 'warn';

export type Shape =
  | {
      readonly kind: 'rect';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly fill: Ink;
      readonly stroke?: Ink;
      readonly radius?: number;
    }
  | {
      readonly kind: 'text';
      readonly x: number;
      /** Y position of the baseline. */
      readonly y: number;
      readonly text: string;
      readonly ink: Ink;
      readonly size: number;
      readonly bold?: boolean;
      readonly align?: 'middle' | 'end';
    }
  | { readonly kind: 'path'; readonly d: string; readonly ink: Ink; readonly dashed?: boolean };

export const FONT_SIZE = 12;
const BASELINE = 14;
const RIGHT = 8;

const KEY_MARKS: Readonly<Record<NonNullable<NodeRow['key']>, string>> = {
  primary: 'PK',
  foreign: 'FK',
  both: 'PF',
  likely: 'fk?',
};

/** How much of a picture is legible: at the size of `boxes`, not even names. */
export type Detail = 'columns' | 'names' | 'boxes';

/** Relative to its own top left corner. */
export function tableShapes(node: GraphNode, detail: Detail, measure: MeasureText): readonly Shape[] {
  if (detail === 'columns') return [...frame(node, 'bg'), ...title(node, measure), ...columns(node, measure)];
  return detail === 'names' ? [...frame(node, 'bg'), bigTitle(node, measure)] : frame(node, 'dim');
}

function frame({ width, height, kind }: GraphNode, fill: Ink): readonly Shape[] {
  const stroke = kind === 'table' ? 'line-strong' : 'line';
  return [{ kind: 'rect', x: 0, y: 0, width, height, fill, stroke, radius: 5 }];
}

function title({ name, kind, width }: GraphNode, measure: MeasureText): readonly Shape[] {
  const badge = kind === 'table' ? '' : kind;
  const room = width - 20 - (badge ? measure(badge, false) + 10 : 0);
  const y = HEADER_HEIGHT / 2 + 4.5;
  return [
    { kind: 'rect', x: 1, y: 1, width: width - 2, height: HEADER_HEIGHT - 1, fill: 'panel', radius: 4 },
    { kind: 'path', d: `M0 ${HEADER_HEIGHT}H${width}`, ink: 'line' },
    {
      kind: 'text',
      x: 10,
      y,
      text: fit(shownName(name), room, true, measure),
      ink: 'text',
      size: FONT_SIZE,
      bold: true,
    },
    ...(badge
      ? [{ kind: 'text', x: width - RIGHT, y, text: badge, ink: 'dim', size: 10, align: 'end' } satisfies Shape]
      : []),
  ];
}

/** Title in the largest font that fits. */
function bigTitle({ name, width, height }: GraphNode, measure: MeasureText): Shape {
  const text = fit(shownName(name), width * 0.9, true, measure);
  const size = Math.max(
    FONT_SIZE,
    Math.min(56, (FONT_SIZE * width * 0.9) / Math.max(1, measure(text, true)), height * 0.5),
  );
  return {
    kind: 'text',
    x: width / 2,
    y: height / 2 + size * 0.35,
    text,
    ink: 'text',
    size: Math.round(size),
    bold: true,
    align: 'middle',
  };
}

function columns({ rows, width, folds, hidden }: GraphNode, measure: MeasureText): readonly Shape[] {
  const shapes = rows.flatMap((row, at) => rowShapes(row, HEADER_HEIGHT + at * ROW_HEIGHT + BASELINE, width, measure));
  if (!folds) return shapes;
  const y = HEADER_HEIGHT + rows.length * ROW_HEIGHT + BASELINE;
  const text = hidden > 0 ? `${formatCount(hidden)} more` : 'Show keys only';
  return [...shapes, { kind: 'text', x: NAME_X, y, text, ink: 'accent-text', size: FONT_SIZE }];
}

function rowShapes({ column, key }: NodeRow, y: number, width: number, measure: MeasureText): readonly Shape[] {
  const typeRight = width - RIGHT - NOT_NULL_WIDTH;
  const room = typeRight - NAME_X - 8;
  const bold = isBold(key);
  const name = fit(shownName(column.name), room, bold, measure);
  const type = fit(visibleName(column.declaredType), room - measure(name, bold), false, measure);
  return [
    ...(key
      ? [
          {
            kind: 'text',
            x: 8,
            y,
            text: KEY_MARKS[key],
            ink: key === 'likely' ? 'dim' : 'accent-text',
            size: 10,
          } satisfies Shape,
        ]
      : []),
    { kind: 'text', x: NAME_X, y, text: name, ink: 'text', size: FONT_SIZE, bold },
    ...(type
      ? [{ kind: 'text', x: typeRight, y, text: type, ink: 'dim', size: 11, align: 'end' } satisfies Shape]
      : []),
    ...(column.notNull
      ? [{ kind: 'text', x: width - RIGHT, y, text: 'NN', ink: 'faint', size: 9, align: 'end' } satisfies Shape]
      : []),
  ];
}

export const shownName = (name: string): string => visibleName(name) || '(empty name)';

/** Empty if not even one letter fits. */
function fit(text: string, room: number, bold: boolean, measure: MeasureText): string {
  if (text === '' || measure(text, bold) <= room) return text;
  const letters = [...text];
  const cut = (count: number): string => `${letters.slice(0, count).join('')}…`;
  const kept = lastWhere(letters.length, (count) => measure(cut(count), bold) <= room);
  return kept <= 0 ? '' : cut(kept);
}

/** The line, with the possible number of rows at its ends: a bar for one, a ring for none, a crow's foot for many. */
export function edgeShapes({ route, relation }: PlacedEdge, detail: Detail): readonly Shape[] {
  const dashed = relation.origin === 'likely';
  const ink: Ink = detail === 'boxes' ? 'line-strong' : 'faint';
  const line: Shape = { kind: 'path', d: pathOf(route), ink, dashed };
  if (detail !== 'columns') return [line];
  const one = relation.optional ? ringAndBar(route[0]!, route[1]!) : bar(route[0]!, route[1]!, 8);
  const [last, before] = [route.at(-1)!, route.at(-2)!];
  const many = relation.single ? bar(last, before, 8) : crowsFoot(last, before);
  return [line, { kind: 'path', d: `${one}${many}`, ink }];
}

const CORNER = 5;

/** Corners are rounded if the lines that meet there are long enough. */
export function pathOf(route: Route): string {
  const parts = [`M${at(route[0]!)}`];
  for (let index = 1; index < route.length - 1; index++) {
    const [previous, corner, next] = [route[index - 1]!, route[index]!, route[index + 1]!];
    const radius = Math.min(CORNER, distance(previous, corner) / 2, distance(corner, next) / 2);
    if (radius > 0.5)
      parts.push(`L${at(toward(corner, previous, radius))}Q${at(corner)} ${at(toward(corner, next, radius))}`);
  }
  return `${parts.join('')}L${at(route.at(-1)!)}`;
}

function bar(end: Point, inner: Point, away: number): string {
  const { x, y } = toward(end, inner, away);
  const { x: dx, y: dy } = across(end, inner, 5);
  return `M${at({ x: x - dx, y: y - dy })}L${at({ x: x + dx, y: y + dy })}`;
}

function ringAndBar(end: Point, inner: Point): string {
  const { x, y } = toward(end, inner, 14);
  return `${bar(end, inner, 6)}M${at({ x: x - 4, y })}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0`;
}

function crowsFoot(end: Point, inner: Point): string {
  const tip = toward(end, inner, 11);
  const { x: dx, y: dy } = across(end, inner, 6);
  return `M${at({ x: end.x - dx, y: end.y - dy })}L${at(tip)}L${at({ x: end.x + dx, y: end.y + dy })}`;
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

function toward(from: Point, to: Point, by: number): Point {
  const length = distance(from, to) || 1;
  return { x: from.x + ((to.x - from.x) / length) * by, y: from.y + ((to.y - from.y) / length) * by };
}

function across(from: Point, to: Point, by: number): Point {
  const length = distance(from, to) || 1;
  return { x: ((to.y - from.y) / length) * by, y: ((to.x - from.x) / length) * by };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
const at = ({ x, y }: Point): string => `${rounded(x)} ${rounded(y)}`;
