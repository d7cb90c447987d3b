// Draws a map on a canvas. The shapes are drawn into a picture that is larger than the screen, a few milliseconds in each frame; each frame
// shows the last complete picture, moved and enlarged as the map is. So moving is as smooth with a hundred thousand shapes as with one.
import type { MapSize, MapView } from './map-camera.ts';
import { POINT, RING, type MapShapes } from './map-shapes.ts';
import { PixelLayer } from './pixel-layer.ts';

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
/** Time for drawing in each frame while the map moves, and while it rests: the rest belongs to the grid and everything else. */
const SLICE_MS = { moving: 5, resting: 12 };
/** Numbers of coordinates between two looks at the clock. */
const BATCH = 1000;
const LEAST_DISTANCE = 0.6;
const POINT_SIZE = 5;
/** From so many shapes on screen on, those smaller than this, in pixels, are drawn pixel by pixel. */
const CROWD = { shapes: 2000, size: 24 };

export class MapPainter {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  #scene: MapScene;
  #colors: MapColors;
  #view: MapView = { x: 0, y: 0, scale: 1 };
  #size: MapSize = { width: 0, height: 0 };
  /** Shapes drawn over the picture: the selected one, and the one under the pointer. */
  #marked: readonly number[] = [];
  #paintedView: MapView | null = null;
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
    if (!this.#work && this.#needsPicture()) this.#begin();
    this.#continue();
    this.#compose();
    this.#paintedView = this.#view;
    if (this.#work || this.#shown?.view !== this.#view) this.#request();
  }

  /** While the map moves, the border is used up first: then most frames only move the picture. */
  #needsPicture(): boolean {
    const shown = this.#shown?.view;
    if (this.#isOld || !shown) return true;
    if (shown === this.#view) return false;
    const isResting = this.#paintedView === this.#view;
    const { x, y, scale } = this.#view;
    const used = Math.max(Math.abs(x - shown.x), Math.abs(y - shown.y)) * scale;
    return isResting || scale !== shown.scale || used > BORDER / 2;
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
    const isMoving = this.#next !== null && this.#next.view !== this.#view;
    const until = performance.now() + (isMoving ? SLICE_MS.moving : SLICE_MS.resting);
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
  const { width, height } = context.canvas;
  const isCrowd = visibleShapes(shapes, view, size) > CROWD.shapes;
  const layer = isCrowd ? new PixelLayer(width, height, pixelOf(colors.line)) : null;
  const pen = new Pen(context, colors, view, size, { layer, wider: 0 });
  pen.coasts(coasts);
  yield;
  for (let shape = 0; shape < shapes.count; shape++) {
    pen.shape(shapes, shape);
    if (pen.waiting < BATCH) continue;
    pen.flush();
    yield;
  }
  pen.flush();
  if (layer) putOn(context, layer);
}

function visibleShapes(shapes: MapShapes, { x, y, scale }: MapView, { width, height }: MapSize): number {
  const [halfX, halfY] = [width / 2 / scale, height / 2 / scale];
  let count = 0;
  for (let shape = 0; shape < shapes.count; shape++)
    if (
      shapes.box(shape, 0) <= x + halfX &&
      shapes.box(shape, 2) >= x - halfX &&
      shapes.box(shape, 1) <= y + halfY &&
      shapes.box(shape, 3) >= y - halfY
    )
      count++;
  return count;
}

function pixelOf(color: string): number {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [1, 1];
  const context = canvas.getContext('2d')!;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0]!;
}

function putOn(context: CanvasRenderingContext2D, { pixels, width, height }: PixelLayer): void {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const image = new ImageData(new Uint8ClampedArray(pixels.buffer as ArrayBuffer), width, height);
  canvas.getContext('2d', { willReadFrequently: true })!.putImageData(image, 0, 0);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(canvas, 0, 0);
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
  const pen = new Pen(context, { ...colors, area: selected, line: selected, point: selected }, view, size, {
    layer: null,
    wider: 2,
  });
  pen.shape(shapes, shape);
  pen.flush();
}

interface PenOptions {
  readonly layer: PixelLayer | null;
  /** Additional width of lines and points. */
  readonly wider: number;
}

/** Collects paths, and draws many of them at once. */
class Pen {
  readonly #context: CanvasRenderingContext2D;
  readonly #colors: MapColors;
  readonly #view: MapView;
  readonly #size: MapSize;
  /** Additional width of lines and points. */
  readonly #wider: number;
  /** Takes the small shapes of a crowd. */
  readonly #layer: PixelLayer | null;
  #areas = new Path2D();
  #lines = new Path2D();
  #points = new Path2D();
  #hasPaths = false;
  waiting = 0;

  constructor(
    context: CanvasRenderingContext2D,
    colors: MapColors,
    view: MapView,
    size: MapSize,
    { layer, wider }: PenOptions,
  ) {
    this.#context = context;
    this.#colors = colors;
    this.#view = view;
    this.#size = size;
    this.#wider = wider;
    this.#layer = layer;
  }

  coasts(coasts: readonly Float64Array[]): void {
    for (const line of coasts) this.#line(this.#lines, line, 0, line.length, false);
    this.#context.lineWidth = 1;
    this.#context.globalAlpha = 0.5;
    this.#context.strokeStyle = this.#colors.coast;
    this.#context.stroke(this.#lines);
    this.#context.globalAlpha = 1;
    this.#lines = new Path2D();
    this.#hasPaths = false;
    this.waiting = 0;
  }

  shape(shapes: MapShapes, shape: number): void {
    const [left, right] = [this.#x(shapes.box(shape, 0)), this.#x(shapes.box(shape, 2))];
    const [top, bottom] = [this.#y(shapes.box(shape, 3)), this.#y(shapes.box(shape, 1))];
    if (right < -POINT_SIZE || left > this.#size.width + POINT_SIZE) return;
    if (bottom < -POINT_SIZE || top > this.#size.height + POINT_SIZE) return;
    const { coordinates } = shapes;
    const isSmall = Math.max(right - left, bottom - top) < CROWD.size;
    for (let part = shapes.firstPart(shape); part < shapes.firstPart(shape + 1); part++) {
      const [start, end, kind] = [shapes.startOf(part), shapes.startOf(part + 1), shapes.kindOf(part)];
      if (kind === POINT) this.#point(this.#x(coordinates[start]!), this.#y(coordinates[start + 1]!));
      else if (this.#layer && isSmall) this.#edges(this.#layer, coordinates, start, end, kind === RING);
      else this.#line(kind === RING ? this.#areas : this.#lines, coordinates, start, end, kind === RING);
    }
  }

  flush(): void {
    this.waiting = 0;
    if (!this.#hasPaths) return;
    this.#hasPaths = false;
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
    // Ends the queue of the canvas.
    if (this.#wider === 0) context.getImageData(0, 0, 1, 1);
  }

  #x(x: number): number {
    return (x - this.#view.x) * this.#view.scale + this.#size.width / 2;
  }

  #y(y: number): number {
    return (this.#view.y - y) * this.#view.scale + this.#size.height / 2;
  }

  #point(x: number, y: number): void {
    const radius = POINT_SIZE / 2 + this.#wider;
    if (this.#layer) {
      this.#layer.disc(x * devicePixelRatio, y * devicePixelRatio, radius * devicePixelRatio);
      this.waiting += 2;
      return;
    }
    this.#points.moveTo(x + radius, y);
    this.#points.arc(x, y, radius, 0, 2 * Math.PI);
    this.#hasPaths = true;
    this.waiting += 16;
  }

  #edges(layer: PixelLayer, coordinates: Float64Array, start: number, end: number, isClosed: boolean): void {
    const last = isClosed ? end - 2 : start;
    let x1 = this.#x(coordinates[last]!) * devicePixelRatio;
    let y1 = this.#y(coordinates[last + 1]!) * devicePixelRatio;
    for (let at = start; at < end; at += 2) {
      const x2 = this.#x(coordinates[at]!) * devicePixelRatio;
      const y2 = this.#y(coordinates[at + 1]!) * devicePixelRatio;
      layer.edge(x1, y1, x2, y2);
      [x1, y1] = [x2, y2];
    }
    this.waiting += (end - start) / 2;
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
    this.#hasPaths = true;
    this.waiting += (end - start) / 16;
  }
}
