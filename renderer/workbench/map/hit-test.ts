// Which shape is at a point of a map.
import { LINE, POINT, RING, type MapShapes } from './map-shapes.ts';

/**
 * The shape at a point, the last drawn one if several are: the nearest point or line within `reach`, otherwise the polygon around it,
 * otherwise the nearest polygon within `reach`; −1 for none. Coordinates are those of the map.
 */
export function shapeAt(shapes: MapShapes, x: number, y: number, reach: number): number {
  let [found, least] = [-1, Infinity];
  for (let shape = shapes.count - 1; shape >= 0; shape--) {
    if (x < shapes.box(shape, 0) - reach || x > shapes.box(shape, 2) + reach) continue;
    if (y < shapes.box(shape, 1) - reach || y > shapes.box(shape, 3) + reach) continue;
    const distance = distanceTo(shapes, shape, x, y, reach);
    if (distance < least) [found, least] = [shape, distance];
  }
  return found;
}

/** Up to `reach` for points and lines, `reach` inside a polygon, more than that near one; Infinity for what is too far away. */
function distanceTo(shapes: MapShapes, shape: number, x: number, y: number, reach: number): number {
  let [distance, toRing] = [Infinity, Infinity];
  let isInside = false;
  const { coordinates } = shapes;
  for (let part = shapes.firstPart(shape); part < shapes.firstPart(shape + 1); part++) {
    const [start, end, kind] = [shapes.startOf(part), shapes.startOf(part + 1), shapes.kindOf(part)];
    if (kind === POINT || end - start === 2)
      distance = Math.min(distance, Math.hypot(coordinates[start]! - x, coordinates[start + 1]! - y));
    for (let at = start; kind !== POINT && at < end; at += 2) {
      const next = at + 2 < end ? at + 2 : start;
      if (kind === LINE && next === start) break;
      const [x1, y1] = [coordinates[at]!, coordinates[at + 1]!];
      const [x2, y2] = [coordinates[next]!, coordinates[next + 1]!];
      const toEdge = distanceToEdge(x, y, x1, y1, x2, y2);
      if (kind === LINE) distance = Math.min(distance, toEdge);
      else toRing = Math.min(toRing, toEdge);
      if (kind === RING && y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside;
    }
  }
  if (distance <= reach) return distance;
  if (isInside) return reach;
  return toRing <= reach ? reach + toRing : Infinity;
}

function distanceToEdge(x: number, y: number, x1: number, y1: number, x2: number, y2: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length));
  return Math.hypot(x1 + along * dx - x, y1 + along * dy - y);
}
