// A picture as data: shapes in pixels with colors by name. The window draws it as SVG, the export paints it, tests read it.

/** Names of color tokens. */
export type Ink =
  | 'bg'
  | 'panel'
  | 'raise'
  | 'line'
  | 'line2'
  | 'line-strong'
  | 'text'
  | 'dim'
  | 'faint'
  | 'accent'
  | 'accent-bg'
  | 'accent-text'
  | 'sel'
  | 'num'
  | 'warn'
  | 'warn-bg'
  | 'error'
  | 'error-bg'
  | 'ins'
  | 'ins-bg'
  | 'kw'
  | 'str'
  | 'fn';

export type Shape =
  | {
      readonly kind: 'line';
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
      readonly ink: Ink;
      readonly width?: number;
      readonly dash?: readonly number[];
    }
  | {
      readonly kind: 'rect';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly fill?: Ink;
      readonly stroke?: Ink;
      readonly radius?: number;
    }
  | {
      readonly kind: 'dot';
      readonly x: number;
      readonly y: number;
      readonly r: number;
      readonly ink: Ink;
      readonly hollow?: boolean;
      readonly opacity?: number;
    }
  | {
      readonly kind: 'path';
      readonly points: readonly (readonly [x: number, y: number])[];
      readonly ink: Ink;
      readonly width?: number;
      readonly dash?: readonly number[];
    }
  | {
      readonly kind: 'text';
      readonly x: number;
      /** Y position of the baseline. */
      readonly y: number;
      readonly text: string;
      readonly ink: Ink;
      readonly size?: number;
      readonly bold?: boolean;
      readonly align?: 'start' | 'middle' | 'end';
    };

/** A place where the keyboard and the pointer can stop. */
export interface Stop {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  /** The whole picture in words. */
  readonly label: string;
  readonly marks: readonly Shape[];
  readonly stops: readonly Stop[];
}

export const FONT_SIZE = 11;

/** A rough estimate, because pictures are laid out where no font can be measured. */
export const textWidth = (text: string, size = FONT_SIZE): number => text.length * size * 0.56;

/** Cut to fit, with an ellipsis. */
export function fitText(text: string, width: number, size = FONT_SIZE): string {
  if (textWidth(text, size) <= width) return text;
  const room = Math.max(1, Math.floor(width / (size * 0.56)) - 1);
  return `${text.slice(0, room).trimEnd()}…`;
}

/** Inks of six hues for different engines, in the order they come; dashes tell apart those that share one. */
const SERIES: readonly Ink[] = ['accent', 'kw', 'str', 'fn', 'error', 'dim'];
const DASHES: readonly (readonly number[])[] = [[], [5, 3], [2, 3], [8, 3, 2, 3], [10, 4], [1, 5]];

export function seriesStyle(index: number): { readonly ink: Ink; readonly dash: readonly number[] } {
  return { ink: SERIES[index % SERIES.length]!, dash: DASHES[Math.floor(index / SERIES.length) % DASHES.length]! };
}

const GAP = 14;
const TITLE = 20;
const PAD = 12;

interface TitledScene {
  readonly title: string;
  readonly scene: Scene;
}

/** Several charts below one another, as one picture. */
export function stackScenes(title: string, charts: readonly TitledScene[]): Scene {
  const width = Math.max(320, ...charts.map(({ scene }) => scene.width)) + 2 * PAD;
  const marks: Shape[] = [{ kind: 'text', x: PAD, y: 22, text: title, ink: 'text', size: 14, bold: true }];
  let top = 34;
  for (const { title: own, scene } of charts) {
    marks.push({ kind: 'text', x: PAD, y: top + 13, text: own, ink: 'text', bold: true });
    marks.push(...scene.marks.map((mark) => moved(mark, PAD, top + TITLE)));
    top += TITLE + scene.height + GAP;
  }
  return { width, height: top, label: title, marks, stops: [] };
}

function moved(mark: Shape, x: number, y: number): Shape {
  if (mark.kind === 'line') return { ...mark, x1: mark.x1 + x, x2: mark.x2 + x, y1: mark.y1 + y, y2: mark.y2 + y };
  if (mark.kind === 'path') return { ...mark, points: mark.points.map(([px, py]) => [px + x, py + y] as const) };
  return { ...mark, x: mark.x + x, y: mark.y + y };
}
