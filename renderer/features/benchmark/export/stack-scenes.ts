// Several charts below one another, as one picture.
import type { Shape, Scene } from '../charts/scene.ts';

const GAP = 14;
const TITLE = 20;
const PAD = 12;

export interface TitledScene {
  readonly title: string;
  readonly scene: Scene;
}

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
