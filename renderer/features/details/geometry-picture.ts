// The picture of one geometry as paths of SVG: fitted into a box, and with no more points than can be told apart there.
import { factsOf, simpleShapesOf, sizeOf, type Bounds, type Geometry } from '#shared/geometry/geometry.ts';

export interface GeometryPicture {
  readonly width: number;
  readonly height: number;
  readonly polygons: string;
  readonly lines: string;
  /** Lines without a length: their round ends are the points. */
  readonly points: string;
  readonly isCut: boolean;
}

const [WIDTH, HEIGHT] = [320, 200] as const;
const MARGIN = 8;
/** Points that are nearer to each other, in pixels, are drawn as one. */
const LEAST_DISTANCE = 0.4;
const MAX_DRAWN = 20_000;
const WGS84 = 4326;

export function geometryPicture({ shape, srid }: Geometry): GeometryPicture | null {
  const { bounds } = factsOf(shape);
  if (!bounds) return null;
  const pen = new Pen(bounds, srid === WGS84);
  const paths = { polygons: '', lines: '', points: '' };
  for (const { type, axes, lines } of simpleShapesOf(shape)) {
    if (pen.isUsedUp) break;
    const size = sizeOf(axes);
    if (type === 'Point') paths.points += pen.point(lines[0]!);
    else if (type === 'LineString') paths.lines += pen.line(lines[0]!, size);
    else for (const ring of lines) paths.polygons += pen.closed(ring, size);
  }
  return { ...paths, width: WIDTH, height: pen.height, isCut: pen.isUsedUp };
}

class Pen {
  readonly height: number;
  readonly #bounds: Bounds;
  /** Pixels for each unit. */
  readonly #scale: { readonly x: number; readonly y: number };
  readonly #left: number;
  #drawn = 0;

  /** @param isGeographic a degree of longitude is shorter than one of latitude, the more so the farther from the equator */
  constructor(bounds: Bounds, isGeographic: boolean) {
    const { minX, minY, maxX, maxY } = bounds;
    const middle = Math.min(85, Math.abs(minY / 2 + maxY / 2));
    const narrow = isGeographic ? Math.cos((middle * Math.PI) / 180) : 1;
    const [room, most] = [WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN];
    const [width, height] = [(maxX - minX) * narrow, maxY - minY];
    const scale = Math.min(width > 0 ? room / width : Infinity, height > 0 ? most / height : Infinity);
    const finite = Number.isFinite(scale) ? scale : 1;
    this.#bounds = bounds;
    this.#scale = { x: finite * narrow, y: finite };
    this.#left = (WIDTH - width * finite) / 2;
    this.height = Math.max(4 * MARGIN, height * finite + 2 * MARGIN);
  }

  get isUsedUp(): boolean {
    return this.#drawn >= MAX_DRAWN;
  }

  point(coordinates: Float64Array): string {
    return coordinates.length === 0 ? '' : this.line(coordinates, coordinates.length);
  }

  line(line: Float64Array, size: number): string {
    let path = '';
    let [lastX, lastY] = [NaN, NaN];
    for (let at = 0; at < line.length && !this.isUsedUp; at += size) {
      const x = this.#left + (line[at]! - this.#bounds.minX) * this.#scale.x;
      const y = this.height - MARGIN - (line[at + 1]! - this.#bounds.minY) * this.#scale.y;
      const isLast = at + size >= line.length;
      if (!Number.isFinite(x + y)) continue;
      if (!isLast && Math.abs(x - lastX) < LEAST_DISTANCE && Math.abs(y - lastY) < LEAST_DISTANCE) continue;
      path += `${path === '' ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
      this.#drawn++;
      [lastX, lastY] = [x, y];
    }
    return path !== '' && !path.includes('L') ? `${path}h0` : path;
  }

  closed(ring: Float64Array, size: number): string {
    const path = this.line(ring, size);
    return path === '' ? '' : `${path}Z`;
  }
}
