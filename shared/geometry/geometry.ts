// Geometries as OGC Simple Features describes them (ISO 19125), read from any of the forms in which databases keep them.

export const GEOMETRY_TYPES = [
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
] as const;
export type GeometryType = (typeof GEOMETRY_TYPES)[number];

/** Z is a height, M a measure along a line. */
export const AXES = ['XY', 'XYZ', 'XYM', 'XYZM'] as const;
export type Axes = (typeof AXES)[number];

export interface Shape {
  readonly type: GeometryType;
  readonly axes: Axes;
  /** Coordinates, point after point: of a point (none if it is empty), of a line, or of each ring of a polygon. */
  readonly lines: readonly Float64Array[];
  /** Parts of a collection. */
  readonly members: readonly Shape[];
}

export type GeometryForm = 'GeoPackage' | 'SpatiaLite' | 'WKB' | 'EWKB' | 'WKT' | 'EWKT' | 'GeoJSON';

export interface Geometry {
  readonly form: GeometryForm;
  /** Number of its spatial reference system; null if the value does not say. */
  readonly srid: number | null;
  readonly shape: Shape;
}

export interface Bounds {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** Longer values are not read as geometries. */
export const MAX_GEOMETRY_BYTES = 16 * 1024 * 1024;
/** Collections in collections. */
export const MAX_DEPTH = 32;
/** Rings and members together: a ring takes 4 bytes in a blob, but far more in memory. */
export const MAX_PARTS = 100_000;

export class NotGeometry extends Error {}

export function reject(why: string): never {
  throw new NotGeometry(why);
}

/** Counts the parts of one value. */
export class PartLimit {
  #parts = 0;

  /** @throws NotGeometry beyond {@link MAX_PARTS} */
  add(parts: number): void {
    this.#parts += parts;
    if (this.#parts > MAX_PARTS) reject('too many parts');
  }
}

/** The type of the members of a collection; null if they can have any. */
export const memberTypeOf = (type: GeometryType): GeometryType | null =>
  type.startsWith('Multi') ? (type.slice('Multi'.length) as GeometryType) : null;

/** Numbers of each point. */
export const sizeOf = (axes: Axes): number => axes.length;

export interface GeometryFacts {
  readonly points: number;
  /** Null if no point has coordinates. */
  readonly bounds: Bounds | null;
}

export function factsOf(shape: Shape): GeometryFacts {
  let points = 0;
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { axes, lines } of simpleShapesOf(shape)) {
    const size = sizeOf(axes);
    for (const line of lines) {
      points += line.length / size;
      for (let at = 0; at < line.length; at += size) {
        const [x, y] = [line[at]!, line[at + 1]!];
        if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
        minX = Math.min(minX, x);
        maxX = Math.max(maxX, x);
        minY = Math.min(minY, y);
        maxY = Math.max(maxY, y);
      }
    }
  }
  return { points, bounds: minX > maxX ? null : { minX, minY, maxX, maxY } };
}

/** Points, lines, and polygons of a shape, in order. */
export function* simpleShapesOf(shape: Shape): Generator<Shape> {
  if (shape.members.length === 0) yield shape;
  else for (const member of shape.members) yield* simpleShapesOf(member);
}
