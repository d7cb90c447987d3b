// The shapes of a map, in few large arrays: a hundred thousand objects would be slow to walk through in each frame.
import { factsOf, simpleShapesOf, sizeOf, type Bounds, type Shape } from '#shared/geometry/geometry.ts';
import { mercatorX, mercatorY, type Coordinates } from './projection.ts';

export const [POINT, LINE, RING] = [0, 1, 2] as const;
type PartKind = typeof POINT | typeof LINE | typeof RING;

/** 64 MB of coordinates. */
export const MAX_POINTS = 4_000_000;

/** One shape for each row; its parts are points, lines, and rings. Coordinates are those of the map. */
export class MapShapes {
  #coordinates = new Float64Array(1024);
  #numbers = 0;
  /** Where the coordinates of each part begin, and what it is. */
  readonly #partAt: number[] = [];
  readonly #partKinds: PartKind[] = [];
  readonly #shapeAt: number[] = [];
  readonly #rows: number[] = [];
  readonly #boxes: number[] = [];
  #bounds: Bounds | null = null;

  get count(): number {
    return this.#rows.length;
  }
  get points(): number {
    return this.#numbers / 2;
  }
  get bounds(): Bounds | null {
    return this.#bounds;
  }
  get coordinates(): Float64Array {
    return this.#coordinates;
  }

  rowOf(shape: number): number {
    return this.#rows[shape]!;
  }
  /** Least X of a shape; its least Y, greatest X, and greatest Y follow. */
  box(shape: number, side: 0 | 1 | 2 | 3): number {
    return this.#boxes[shape * 4 + side]!;
  }
  firstPart(shape: number): number {
    return this.#shapeAt[shape] ?? this.#partAt.length;
  }
  kindOf(part: number): PartKind {
    return this.#partKinds[part]!;
  }
  /** Where the coordinates of a part begin; those of the part before end there. */
  startOf(part: number): number {
    return this.#partAt[part] ?? this.#numbers;
  }

  /** The shape of a row; −1 if it has none. Rows are added in ascending order. */
  shapeOf(row: number): number {
    const at = this.#firstFrom(row);
    return this.#rows[at] === row ? at : -1;
  }

  /** The row of the next shape before or after a row; null at the end. */
  rowBeside(row: number, step: 1 | -1): number | null {
    const at = this.#firstFrom(step === 1 ? row + 1 : row);
    return this.#rows[step === 1 ? at : at - 1] ?? null;
  }

  #firstFrom(row: number): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#rows[middle]! < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** False if nothing of it can be drawn: it is empty, or its coordinates are not finite. */
  add(row: number, shape: Shape, coordinates: Coordinates): boolean {
    const { points, bounds } = factsOf(shape);
    if (!bounds) return false;
    this.#makeRoom(points * 2);
    const firstPart = this.#partAt.length;
    const firstNumber = this.#numbers;
    for (const { type, axes, lines } of simpleShapesOf(shape)) {
      const kind = type === 'Point' ? POINT : type === 'LineString' ? LINE : RING;
      for (const [index, line] of lines.entries()) this.#addPart(line, sizeOf(axes), kind, index, coordinates);
    }
    if (this.#numbers === firstNumber) return false;
    this.#shapeAt.push(firstPart);
    this.#rows.push(row);
    this.#measure(firstNumber);
    return true;
  }

  #makeRoom(numbers: number): void {
    const needed = this.#numbers + numbers;
    if (needed <= this.#coordinates.length) return;
    const larger = new Float64Array(Math.max(needed, this.#coordinates.length * 2));
    larger.set(this.#coordinates.subarray(0, this.#numbers));
    this.#coordinates = larger;
  }

  /** Outer rings turn one way and holes the other, so that many polygons can be filled at once. @param index 0 for an outer ring */
  #addPart(line: Float64Array, size: number, kind: PartKind, index: number, coordinates: Coordinates): void {
    const start = this.#numbers;
    const isGeographic = coordinates === 'longitude-latitude';
    for (let at = 0; at < line.length; at += size) {
      const [x, y] = isGeographic ? [mercatorX(line[at]!), mercatorY(line[at + 1]!)] : [line[at]!, line[at + 1]!];
      if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
      this.#coordinates[this.#numbers++] = x;
      this.#coordinates[this.#numbers++] = y;
    }
    if (this.#numbers === start) return;
    if (kind === RING && areaOf(this.#coordinates, start, this.#numbers) > 0 !== (index === 0))
      reverse(this.#coordinates, start, this.#numbers);
    this.#partAt.push(start);
    this.#partKinds.push(kind);
  }

  #measure(start: number): void {
    let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let at = start; at < this.#numbers; at += 2) {
      const [x, y] = [this.#coordinates[at]!, this.#coordinates[at + 1]!];
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
    this.#boxes.push(minX, minY, maxX, maxY);
    const all = this.#bounds ?? { minX, minY, maxX, maxY };
    this.#bounds = {
      minX: Math.min(all.minX, minX),
      minY: Math.min(all.minY, minY),
      maxX: Math.max(all.maxX, maxX),
      maxY: Math.max(all.maxY, maxY),
    };
  }
}

/** Twice the area; positive if the ring turns to the left. Relative to its first point, because products of large numbers lose digits. */
function areaOf(coordinates: Float64Array, start: number, end: number): number {
  const [x0, y0] = [coordinates[start]!, coordinates[start + 1]!];
  let area = 0;
  for (let at = start; at < end - 2; at += 2)
    area +=
      (coordinates[at]! - x0) * (coordinates[at + 3]! - y0) - (coordinates[at + 2]! - x0) * (coordinates[at + 1]! - y0);
  return area;
}

function reverse(coordinates: Float64Array, start: number, end: number): void {
  for (let [low, high] = [start, end - 2]; low < high; low += 2, high -= 2) {
    const [x, y] = [coordinates[low]!, coordinates[low + 1]!];
    coordinates[low] = coordinates[high]!;
    coordinates[low + 1] = coordinates[high + 1]!;
    coordinates[high] = x;
    coordinates[high + 1] = y;
  }
}
