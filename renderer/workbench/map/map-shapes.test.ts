// Shapes of a map: where they are, which way their rings turn, and which one is at a point.
import { expect, test } from 'vitest';
import { parseGeometry } from '#shared/geometry/parse.ts';
import { shapeAt } from './hit-test.ts';
import { fitted, moved, revealing, zoomed } from './map-camera.ts';
import { LINE, MapShapes, POINT, RING } from './map-shapes.ts';
import { coordinatesOf, MAX_LATITUDE, mercatorX, mercatorY } from './projection.ts';

function shapesOf(...texts: readonly string[]): MapShapes {
  const shapes = new MapShapes();
  for (const [index, text] of texts.entries()) shapes.add(index * 10, parseGeometry(text)!.shape, 'plane');
  return shapes;
}

const partsOf = (shapes: MapShapes, shape: number) =>
  Array.from({ length: shapes.firstPart(shape + 1) - shapes.firstPart(shape) }, (_, index) => {
    const part = shapes.firstPart(shape) + index;
    return [shapes.kindOf(part), [...shapes.coordinates.subarray(shapes.startOf(part), shapes.startOf(part + 1))]];
  });

test('parts, boxes, and bounds; what cannot be drawn is left out', () => {
  const shapes = shapesOf(
    'MULTIPOINT ((1 2), (3 4))',
    'POINT EMPTY',
    'LINESTRING Z (0 0 9, NaN 1 9, 5 5 9)',
    'POINT (NaN 1)',
    'GEOMETRYCOLLECTION (POINT (7 7), POLYGON ((0 0, 1 0, 1 1, 0 0)))',
  );
  expect([shapes.count, shapes.points]).toEqual([3, 9]);
  expect(partsOf(shapes, 0)).toEqual([
    [POINT, [1, 2]],
    [POINT, [3, 4]],
  ]);
  expect(partsOf(shapes, 1)).toEqual([[LINE, [0, 0, 5, 5]]]);
  expect(partsOf(shapes, 2).map(([kind]) => kind)).toEqual([POINT, RING]);
  expect([0, 1, 2, 3].map((side) => shapes.box(2, side as 0))).toEqual([0, 0, 7, 7]);
  expect(shapes.bounds).toEqual({ minX: 0, minY: 0, maxX: 7, maxY: 7 });
  expect([0, 10, 20, 40].map((row) => shapes.shapeOf(row))).toEqual([0, -1, 1, 2]);
  expect([shapes.rowBeside(-1, 1), shapes.rowBeside(0, 1), shapes.rowBeside(40, 1)]).toEqual([0, 20, null]);
  expect([shapes.rowBeside(40, -1), shapes.rowBeside(25, -1), shapes.rowBeside(0, -1)]).toEqual([20, 20, null]);
});

test('outer rings turn to the left and holes to the right, however they were written', () => {
  const [outer, hole] = ['0 0, 4 0, 4 4, 0 4, 0 0', '1 1, 2 1, 2 2, 1 1'];
  const turned = (ring: string): string => ring.split(', ').toReversed().join(', ');
  const expected = partsOf(shapesOf(`POLYGON ((${outer}), (${turned(hole)}))`), 0);
  expect(partsOf(shapesOf(`POLYGON ((${turned(outer)}), (${hole}))`), 0)).toEqual(expected);
  expect(expected[0]).toEqual([RING, [0, 0, 4, 0, 4, 4, 0, 4, 0, 0]]);
});

test('the shape at a point: inside but not in a hole, near a line, the upper one of two', () => {
  const shapes = shapesOf(
    'POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 4 2, 4 4, 2 4, 2 2))',
    'LINESTRING (20 0, 30 10)',
    'POINT (5 5)',
    'POLYGON ((8 8, 12 8, 12 12, 8 12, 8 8))',
  );
  const at = (x: number, y: number): number => shapeAt(shapes, x, y, 0.5);
  expect([at(1, 1), at(3, 3), at(2.2, 3), at(25, 5.2), at(25, 7)]).toEqual([0, -1, 0, 1, -1]);
  expect([at(5.1, 5), at(9, 9), at(-0.4, 5), at(-1, 5)]).toEqual([2, 3, 0, -1]);
});

test('the projection is that of EPSG:3857, and other systems are left as they are', () => {
  // From pyproj 3.7.2.
  const known = [
    [13.4, 52.5, 1491681.1766298658, 6891041.723891586],
    [180, MAX_LATITUDE, 20037508.342789244, 20037508.342789248],
    [-122.4194, 37.7749, -13627665.271218073, 4547675.354340558],
    [151.2, -33.9, 16831507.007942963, -4015382.36007316],
  ] as const;
  for (const [longitude, latitude, x, y] of known)
    expect([mercatorX(longitude), mercatorY(latitude)]).toEqual([expect.closeTo(x, 6), expect.closeTo(y, 6)]);
  expect([mercatorY(90), mercatorY(-1e9), mercatorY(0)]).toEqual([
    mercatorY(MAX_LATITUDE),
    mercatorY(-MAX_LATITUDE),
    expect.closeTo(0, 6),
  ]);
  expect([4326, 3857, 900_913, 25_833, 0, null].map(coordinatesOf)).toEqual([
    'longitude-latitude',
    'web-mercator',
    'web-mercator',
    'plane',
    'plane',
    'plane',
  ]);
});

test('the camera: everything fits, the point under the pointer stays, and zoom has ends', () => {
  const size = { width: 248, height: 148 };
  const fit = fitted({ minX: 0, minY: 0, maxX: 100, maxY: 100 }, size);
  expect(fit).toEqual({ x: 50, y: 50, scale: 1 });
  expect(fitted({ minX: 5, minY: 5, maxX: 5, maxY: 5 }, size)).toEqual({ x: 5, y: 5, scale: 1 });
  expect(moved(fit, 10, 20)).toEqual({ x: 60, y: 30, scale: 1 });
  const at = { right: 30, down: -40 };
  const place = ({ x, y, scale }: typeof fit) => [x + at.right / scale, y - at.down / scale];
  expect(place(zoomed(fit, 4, fit, at))).toEqual(place(fit));
  expect([zoomed(fit, 1e9, fit).scale, zoomed(fit, 1e-9, fit).scale]).toEqual([1e6, 1 / 16]);
  const box = { minX: 200, minY: 50, maxX: 210, maxY: 60 };
  expect(revealing(fit, box, size)).toEqual({ x: 205, y: 55, scale: 1 });
  expect(revealing(fit, { ...box, minX: 90 }, size)).toBe(fit);
});
