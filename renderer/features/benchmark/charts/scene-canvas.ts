// A scene as a PNG: painted with the colors of the theme that is on screen.
import type { Ink, Shape, Scene } from './scene.ts';
import { FONT_SIZE } from './scene.ts';

/** Sharp on dense screens and in print. */
const DENSITY = 2;
/** Largest canvas that Chromium paints. */
const MOST_PIXELS = 16_000;

export async function scenePng(scene: Scene, element: Element): Promise<Uint8Array> {
  const style = getComputedStyle(element);
  const color = (ink: Ink): string => style.getPropertyValue(`--${ink}`).trim() || 'gray';
  const density = Math.min(DENSITY, MOST_PIXELS / Math.max(scene.width, scene.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(scene.width * density);
  canvas.height = Math.ceil(scene.height * density);
  const context = canvas.getContext('2d')!;
  context.scale(density, density);
  context.fillStyle = color('bg');
  context.fillRect(0, 0, scene.width, scene.height);
  const font = style.getPropertyValue('--ui').trim() || 'sans-serif';
  for (const mark of scene.marks) paint(context, mark, color, font);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return new Uint8Array(await blob!.arrayBuffer());
}

function paint(context: CanvasRenderingContext2D, mark: Shape, color: (ink: Ink) => string, font: string): void {
  context.setLineDash(mark.kind === 'line' || mark.kind === 'path' ? [...(mark.dash ?? [])] : []);
  context.lineWidth = mark.kind === 'line' || mark.kind === 'path' ? (mark.width ?? 1) : 1;
  context.beginPath();
  switch (mark.kind) {
    case 'line':
      context.strokeStyle = color(mark.ink);
      context.moveTo(mark.x1, mark.y1);
      context.lineTo(mark.x2, mark.y2);
      context.stroke();
      break;
    case 'rect':
      context.rect(mark.x, mark.y, mark.width, mark.height);
      if (mark.fill) {
        context.fillStyle = color(mark.fill);
        context.fill();
      }
      if (mark.stroke) {
        context.strokeStyle = color(mark.stroke);
        context.stroke();
      }
      break;
    case 'dot':
      context.globalAlpha = mark.opacity ?? 1;
      context.arc(mark.x, mark.y, mark.r, 0, 2 * Math.PI);
      context.fillStyle = color(mark.hollow ? 'bg' : mark.ink);
      context.fill();
      context.strokeStyle = color(mark.ink);
      if (mark.hollow) context.stroke();
      context.globalAlpha = 1;
      break;
    case 'path':
      context.strokeStyle = color(mark.ink);
      mark.points.forEach(([x, y], index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
      context.stroke();
      break;
    case 'text':
      context.fillStyle = color(mark.ink);
      context.font = `${mark.bold ? 600 : 400} ${mark.size ?? FONT_SIZE}px ${font}`;
      context.textAlign = mark.align === 'middle' ? 'center' : (mark.align ?? 'start');
      context.fillText(mark.text, mark.x, mark.y);
      break;
  }
}
