// A picture as data: shapes in pixels with colors by name, and scales that map values to pixels. The window draws a picture as SVG, the export
// paints it, tests read it.

export type Ink =
  | 'bg'
  | 'panel'
  | 'line2'
  | 'line-strong'
  | 'text'
  | 'dim'
  | 'faint'
  | 'accent'
  | 'accent-bg'
  | 'warn'
  | 'error'
  | 'error-bg'
  | 'ins'
  | 'kw'
  | 'str'
  | 'fn';

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An SVG element, with the names that React has for its attributes. */
export interface Shape {
  readonly tag: 'line' | 'rect' | 'circle' | 'polyline' | 'text' | 'g';
  readonly fill?: Ink | undefined;
  readonly stroke?: Ink | undefined;
  readonly at: Attributes;
  readonly text?: string;
  readonly parts?: readonly Shape[];
}

/** A place where the keyboard and the pointer can stop. */
export interface Stop {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly label: string;
  readonly marks: readonly Shape[];
  readonly stops: readonly Stop[];
}

type Point = readonly [x: number, y: number];

export const line = ([x1, y1]: Point, [x2, y2]: Point, stroke: Ink, more: Attributes = {}): Shape => ({
  tag: 'line',
  stroke,
  at: { x1, y1, x2, y2, ...more },
});

export const path = (points: readonly Point[], stroke: Ink, more: Attributes): Shape => ({
  tag: 'polyline',
  stroke,
  at: { points: points.map(String).join(' '), ...more },
});

export const rect = ([x, y]: Point, [width, height]: Point, fill: Ink, stroke?: Ink): Shape => ({
  tag: 'rect',
  fill,
  stroke,
  at: { x, y, width, height, rx: stroke && 2 },
});

export const dot = ([cx, cy]: Point, r: number, fill: Ink, opacity?: number): Shape => ({
  tag: 'circle',
  fill,
  at: { cx, cy, r, opacity },
});

const FONT_SIZE = 11;
/** Font size of the numbers of an axis, and of notes. */
export const SMALL_SIZE = 10;

interface TextStyle {
  readonly size?: number;
  readonly bold?: boolean;
  readonly align?: 'start' | 'middle' | 'end';
}

/** @param y the baseline */
export const text = (
  [x, y]: Point,
  words: string,
  fill: Ink,
  { size = FONT_SIZE, bold = false, align = 'start' }: TextStyle = {},
): Shape => ({
  tag: 'text',
  fill,
  text: words,
  at: { x, y, fontSize: size, fontWeight: bold ? 600 : 400, textAnchor: align },
});

/** Cut to fit, with an ellipsis. A rough estimate, because pictures are laid out where no font can be measured. */
export function fitText(words: string, width: number, size = FONT_SIZE): string {
  const most = width / (size * 0.56);
  return words.length <= most ? words : `${words.slice(0, Math.max(1, Math.floor(most) - 1)).trimEnd()}…`;
}

/** Inks of six hues for different engines, in the order they come; dashes tell apart those that share one. */
const SERIES: readonly Ink[] = ['accent', 'kw', 'str', 'fn', 'error', 'dim'];
const DASHES = [undefined, '5 3', '2 3', '8 3 2 3', '10 4', '1 5'] as const;

export function seriesStyle(index: number): { readonly ink: Ink; readonly strokeDasharray: string | undefined } {
  const strokeDasharray = DASHES[Math.floor(index / SERIES.length) % DASHES.length];
  return { ink: SERIES[index % SERIES.length]!, strokeDasharray };
}

const GAP = 14;
const TITLE = 20;
const PAD = 12;

/** Several charts below one another, as one picture. */
export function stackScenes(
  title: string,
  charts: readonly { readonly title: string; readonly scene: Scene }[],
): Scene {
  const width = Math.max(320, ...charts.map(({ scene }) => scene.width)) + 2 * PAD;
  const marks: Shape[] = [text([PAD, 22], title, 'text', { size: 14, bold: true })];
  let top = 34;
  for (const { title: own, scene } of charts) {
    marks.push(text([PAD, top + 13], own, 'text', { bold: true }));
    marks.push({ tag: 'g', at: { transform: `translate(${PAD} ${top + TITLE})` }, parts: scene.marks });
    top += TITLE + scene.height + GAP;
  }
  return { width, height: top, label: title, marks, stops: [] };
}

/** Maps values to pixels, with ticks at round values. */
export interface Scale {
  readonly ticks: readonly number[];
  at(value: number): number;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const TICKS = 5;
/** Beyond this spread, the small values would overlap. */
const LOG_FROM = 20;

/**
 * Linear from zero, or logarithmic if the largest value is many times the smallest. With `isClose`, the axis does not begin at zero
 * if the values lie close together.
 */
export function timeScale(values: readonly number[], pixels: Range, isClose = false): Scale {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return linearScale(0, 1, pixels);
  let [low, high] = [Infinity, 0];
  for (const value of positive) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (high / low > LOG_FROM) return logScale(low, high, pixels);
  const isFar = !isClose || low < high / 2;
  const pad = (high - low) / 10 || high / 20;
  return isFar ? linearScale(0, high, pixels) : linearScale(low - pad, high + pad, pixels);
}

export function linearScale(low: number, high: number, { from, to }: Range): Scale {
  const top = high > low ? high : low + 1;
  const rough = (top - low) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((lead) => rough / power <= lead)! * power;
  const [start, end] = [Math.floor(low / step + 1e-9) * step, Math.ceil(top / step - 1e-9) * step];
  const ticks: number[] = [];
  for (let at = 0; start + at * step <= end + step / 1e6; at++) ticks.push(Number((start + at * step).toPrecision(12)));
  return { ticks, at: (value) => from + ((value - start) / (end - start)) * (to - from) };
}

export function logScale(low: number, high: number, { from, to }: Range): Scale {
  const [bottom, top] = [Math.floor(Math.log10(low) + 1e-9), Math.ceil(Math.log10(high) - 1e-9)];
  const end = top > bottom ? top : bottom + 1;
  const decades = end - bottom;
  const every = Math.max(1, Math.ceil(decades / TICKS));
  const ticks: number[] = [];
  for (let power = bottom; power <= end; power += every) {
    ticks.push(10 ** power);
    if (decades <= 2 && power < end) ticks.push(2 * 10 ** power, 5 * 10 ** power);
  }
  const floor = 10 ** bottom;
  return {
    ticks,
    // A sample of 0 is shorter than the step of the clock; it is drawn at the edge.
    at: (value) => from + ((Math.log10(Math.max(value, floor)) - bottom) / decades) * (to - from),
  };
}
