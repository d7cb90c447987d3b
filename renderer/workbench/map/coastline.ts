// The coasts of the world at 1:110 million, from Natural Earth by way of world-atlas. Loaded with the first map that needs them.
import land from 'world-atlas/land-110m.json';
import { mercatorX, mercatorY } from './projection.ts';

/** Where the map is cut, land has an edge that is no coast. */
const isCut = (longitude: number, latitude: number): boolean => Math.abs(longitude) > 179.9 || latitude < -85.5;

/** The arcs of TopoJSON are the coasts: differences of whole numbers, from one point to the next. In coordinates of the map. */
export function coastlines(): readonly Float64Array[] {
  const { scale, translate } = land.transform;
  return land.arcs.flatMap((arc) => {
    const lines: number[][] = [[]];
    let [x, y] = [0, 0];
    for (const [dx, dy] of arc) {
      [x, y] = [x + dx!, y + dy!];
      const [longitude, latitude] = [x * scale[0]! + translate[0]!, y * scale[1]! + translate[1]!];
      if (isCut(longitude, latitude)) lines.push([]);
      else lines.at(-1)!.push(mercatorX(longitude), mercatorY(latitude));
    }
    return lines.filter(({ length }) => length > 2).map((line) => Float64Array.from(line));
  });
}
