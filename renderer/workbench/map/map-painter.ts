// Draws a map on a canvas. The shapes are drawn into a picture that is larger than the screen, a few milliseconds in each frame; each frame
// shows the last complete picture, moved and enlarged as the map is. So moving is as smooth with a hundred thousand shapes as with one.
import type { MapSize, MapView } from './map-camera.ts';
import { POINT, RING } from './map-shapes.ts';
import type { MapShapes } from './map-shapes.ts';

export interface MapScene {
  readonly shapes: MapShapes;
  readonly coasts: readonly Float64Array[];
}

export interface MapColors {
  readonly background: string;
  readonly coast: string;
  readonly area: string;
  readonly line: string;
  readonly point: string;
  readonly selected: string;
}

interface Picture {
  readonly canvas: HTMLCanvasElement;
  readonly view: MapView;
}

/** Pixels around the screen that a picture also has. */
const BORDER = 160;
/** Time for drawing in each frame: the rest belongs to the grid and everything else. */
const SLICE_MS = 5;
/** Numbers of coordinates between two looks at the clock. */
const BATCH = 4000;
/** Smaller shapes, in pixels, are drawn as a rectangle. */
const SMALL = 2.5;
const LEAST_DISTANCE = 0.6;
const POINT_SIZE = 5;

export class MapPainter {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  #scene: MapScene;
  #colors: MapColors;
  #view: MapView = { x: 0, y: 0, scale: 1 };
  #size: MapSize = { width: 0, height: 0 };
  /** Shapes drawn over the picture: the selected one, and the one under the pointer. */
  #marked: readonly number[] = [];
  #shown: Picture | null = null;
  #next: Picture | null = null;
  #work: Generator<void> | null = null;
  #isOld = true;
  #frame: number | null = null;

  constructor(canvas: HTMLCanvasElement, scene: MapScene, colors: MapColors) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d', { alpha: false })!;
    this.#scene = scene;
    this.#colors = colors;
  }

  /** Also call it when shapes have been added. */
  setScene(scene: MapScene, colors: MapColors): void {
    this.#scene = scene;
    this.#colors = colors;
    this.#isOld = true;
    this.#request();
  }

  setView(view: MapView, size: MapSize): void {
    this.#view = view;
    if (size.width !== this.#size.width || size.height !== this.#size.height) this.#resize(size);
    this.#request();
  }

  mark(marked: readonly number[]): void {
    this.#marked = marked;
    this.#request();
  }

  dispose(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#work = null;
  }

  #resize(size: MapSize): void {
    this.#size = size;
    this.#canvas.width = Math.round(size.width * devicePixelRatio);
    this.#canvas.height = Math.round(size.height * devicePixelRatio);
    this.#work = null;
    this.#isOld = true;
  }

  #request(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      if (this.#size.width > 0 && this.#size.height > 0) this.#paint();
    });
  }

  #paint(): void {
    if (!this.#work && (this.#isOld || this.#shown?.view !== this.#view)) this.#begin();
    this.#continue();
    this.#compose();
    if (this.#work || this.#shown?.view !== this.#view) this.#request();
  }

  #begin(): void {
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil((this.#size.width + 2 * BORDER) * devicePixelRatio);
    canvas.height = Math.ceil((this.#size.height + 2 * BORDER) * devicePixelRatio);
    this.#next = { canvas, view: this.#view };
    this.#isOld = false;
    // Drawn where the clock sees it: drawing that waits in a queue would come at once, in one frame.
    const context = canvas.getContext('2d', { willReadFrequently: true })!;
    this.#work = drawScene(context, this.#scene, this.#colors, this.#view, {
      width: this.#size.width + 2 * BORDER,
      height: this.#size.height + 2 * BORDER,
    });
  }

  #continue(): void {
    const until = performance.now() + SLICE_MS;
    while (this.#work && performance.now() < until) {
      if (!this.#work.next().done) continue;
      this.#work = null;
      this.#shown = this.#next;
      this.#next = null;
    }
  }

  #compose(): void {
    const context = this.#context;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.fillStyle = this.#colors.background;
    context.fillRect(0, 0, this.#size.width, this.#size.height);
    // The first picture is shown while it grows.
    const picture = this.#shown ?? this.#next;
    if (picture) {
      const { canvas, view } = picture;
      const factor = this.#view.scale / view.scale;
      const [width, height] = [(this.#size.width + 2 * BORDER) * factor, (this.#size.height + 2 * BORDER) * factor];
      const left = this.#size.width / 2 + (view.x - this.#view.x) * this.#view.scale - width / 2;
      const top = this.#size.height / 2 - (view.y - this.#view.y) * this.#view.scale - height / 2;
      const isSame = factor === 1;
      context.imageSmoothingEnabled = !isSame;
      context.drawImage(canvas, isSame ? snapped(left) : left, isSame ? snapped(top) : top, width, height);
    }
    for (const shape of this.#marked)
      drawMarked(context, this.#scene.shapes, shape, this.#colors, this.#view, this.#size);
  }
}

/** Whole device pixels: between them, a picture would be blurred. */
const snapped = (place: number): number => Math.round(place * devicePixelRatio) / devicePixelRatio;

function* drawScene(
  context: CanvasRenderingContext2D,
  { shapes, coasts }: MapScene,
  colors: MapColors,
  view: MapView,
  size: MapSize,
): Generator<void> {
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  const pen = new Pen(context, colors, view, size);
  pen.coasts(coasts);
  yield;
  for (let shape = 0; shape < shapes.count; shape++) {
    pen.shape(shapes, shape);
    if (pen.waiting < BATCH) continue;
    pen.flush();
    yield;
  }
  pen.flush();
}

function drawMarked(
  context: CanvasRenderingContext2D,
  shapes: MapShapes,
  shape: number,
  colors: MapColors,
  view: MapView,
  size: MapSize,
): void {
  if (shape < 0 || shape >= shapes.count) return;
  const { selected } = colors;
  const pen = new Pen(context, { ...colors, area: selected, line: selected, point: selected }, view, size, 2);
  pen.shape(shapes, shape);
  pen.flush();
}

/** Collects paths, and draws many of them at once. */
class Pen {
  readonly #context: CanvasRenderingContext2D;
  readonly #colors: MapColors;
  readonly #view: MapView;
  readonly #size: MapSize;
  /** Additional width of lines and points. */
  readonly #wider: number;
  /** Where points have been drawn: in a crowd most of them would be drawn over others. */
  readonly #seen: Uint8Array;
  #areas = new Path2D();
  #lines = new Path2D();
  #points = new Path2D();
  waiting = 0;

  constructor(context: CanvasRenderingContext2D, colors: MapColors, view: MapView, size: MapSize, wider = 0) {
    this.#context = context;
    this.#colors = colors;
    this.#view = view;
    this.#size = size;
    this.#wider = wider;
    this.#seen = new Uint8Array(wider === 0 ? Math.ceil(size.width) * Math.ceil(size.height) : 0);
  }

  coasts(coasts: readonly Float64Array[]): void {
    for (const line of coasts) this.#line(this.#lines, line, 0, line.length, false);
    this.#context.lineWidth = 1;
    this.#context.strokeStyle = this.#colors.coast;
    this.#context.stroke(this.#lines);
    this.#lines = new Path2D();
    this.waiting = 0;
  }

  shape(shapes: MapShapes, shape: number): void {
    const [left, right] = [this.#x(shapes.box(shape, 0)), this.#x(shapes.box(shape, 2))];
    const [top, bottom] = [this.#y(shapes.box(shape, 3)), this.#y(shapes.box(shape, 1))];
    if (right < -POINT_SIZE || left > this.#size.width + POINT_SIZE) return;
    if (bottom < -POINT_SIZE || top > this.#size.height + POINT_SIZE) return;
    const first = shapes.firstPart(shape);
    const isPoint = shapes.kindOf(first) === POINT && shapes.startOf(first + 1) - shapes.startOf(first) === 2;
    if (Math.max(right - left, bottom - top) < SMALL && !(isPoint && left === right && top === bottom)) {
      this.#small(left, top, right - left, bottom - top);
      return;
    }
    for (let part = first; part < shapes.firstPart(shape + 1); part++) {
      const [start, end, kind] = [shapes.startOf(part), shapes.startOf(part + 1), shapes.kindOf(part)];
      const { coordinates } = shapes;
      if (kind === POINT) this.#point(this.#x(coordinates[start]!), this.#y(coordinates[start + 1]!));
      else this.#line(kind === RING ? this.#areas : this.#lines, coordinates, start, end, kind === RING);
    }
  }

  flush(): void {
    const context = this.#context;
    context.lineJoin = 'round';
    context.lineWidth = 1 + this.#wider;
    context.fillStyle = this.#colors.area;
    context.globalAlpha = 0.35;
    context.fill(this.#areas);
    context.globalAlpha = 1;
    context.strokeStyle = this.#colors.line;
    context.stroke(this.#areas);
    context.lineWidth = 1.5 + this.#wider;
    context.stroke(this.#lines);
    context.fillStyle = this.#colors.point;
    context.fill(this.#points);
    this.#areas = new Path2D();
    this.#lines = new Path2D();
    this.#points = new Path2D();
    this.waiting = 0;
    // Ends the queue of the canvas.
    if (this.#wider === 0) context.getImageData(0, 0, 1, 1);
  }

  #x(x: number): number {
    return (x - this.#view.x) * this.#view.scale + this.#size.width / 2;
  }

  #y(y: number): number {
    return (this.#view.y - y) * this.#view.scale + this.#size.height / 2;
  }

  #isNew(x: number, y: number): boolean {
    const place = Math.floor(y) * Math.ceil(this.#size.width) + Math.floor(x);
    if (x < 0 || y < 0 || x >= this.#size.width || place >= this.#seen.length) return true;
    if (this.#seen[place] === 1) return false;
    this.#seen[place] = 1;
    return true;
  }

  #small(x: number, y: number, width: number, height: number): void {
    if (!this.#isNew(x, y)) return;
    this.#points.rect(
      x - this.#wider,
      y - this.#wider,
      Math.max(1, width) + 2 * this.#wider,
      Math.max(1, height) + 2 * this.#wider,
    );
    this.waiting += 8;
  }

  #point(x: number, y: number): void {
    if (!this.#isNew(x, y)) return;
    const radius = POINT_SIZE / 2 + this.#wider;
    this.#points.moveTo(x + radius, y);
    this.#points.arc(x, y, radius, 0, 2 * Math.PI);
    this.waiting += 16;
  }

  #line(path: Path2D, coordinates: Float64Array, start: number, end: number, isClosed: boolean): void {
    let [lastX, lastY] = [NaN, NaN];
    for (let at = start; at < end; at += 2) {
      const [x, y] = [this.#x(coordinates[at]!), this.#y(coordinates[at + 1]!)];
      const isNear = Math.abs(x - lastX) < LEAST_DISTANCE && Math.abs(y - lastY) < LEAST_DISTANCE;
      if (isNear && at + 2 < end) continue;
      if (at === start) path.moveTo(x, y);
      else path.lineTo(x, y);
      [lastX, lastY] = [x, y];
      this.waiting += 2;
    }
    if (isClosed) path.closePath();
    this.waiting += (end - start) / 16;
  }
}
