// The picture of a geometry: fitted, upright, in proportion, and bounded.
import { expect, test } from 'vitest';
import { parseGeometry } from '#shared/geometry/parse.ts';
import { geometryPicture } from './geometry-picture.ts';

const picture = (wkt: string) => geometryPicture(parseGeometry(wkt)!);
const numbersIn = (path: string): readonly number[] => (path.match(/-?[\d.]+/g) ?? []).map(Number);

test('a polygon fills the box, with its north up and its hole', () => {
  const { polygons, lines, points, width, height, isCut } = picture(
    'POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 3 2, 3 3, 2 2))',
  )!;
  expect([lines, points, isCut, width, height]).toEqual(['', '', false, 320, 200]);
  expect(polygons.match(/M/g)).toHaveLength(2);
  // From the lower left corner to the right, and up.
  expect(numbersIn(polygons).slice(0, 6)).toEqual([68, 192, 252, 192, 252, 8]);
});

test('degrees of longitude are shorter in the north', () => {
  const sides = (srid: string): number => {
    const [left, , right] = numbersIn(picture(`${srid}LINESTRING (0 59.9, 0.2 60.1)`)!.lines);
    return right! - left!;
  };
  expect(sides('')).toBe(184);
  expect(sides('SRID=4326;')).toBeCloseTo(92, 0);
});

test('a point, a collection, and coordinates that cannot be drawn', () => {
  expect(picture('POINT (5 5)')!.points).toBe('M160.0 24.0h0');
  expect(picture('POINT EMPTY')).toBe(null);
  expect(picture('POINT (NaN Infinity)')).toBe(null);
  const parts = picture(
    'GEOMETRYCOLLECTION (POINT (0 0), LINESTRING (0 0, NaN 1, 2 2), POLYGON ((0 0, 1 0, 1 1, 0 0)))',
  )!;
  expect([parts.points, parts.lines.match(/[ML]/g), parts.polygons.at(-1)]).toEqual([
    expect.any(String),
    ['M', 'L'],
    'Z',
  ]);
  for (const path of [parts.points, parts.lines, parts.polygons]) expect(path).not.toMatch(/NaN|Infinity/);
  expect(picture('LINESTRING (-1.7e308 0, 1.7e308 1)')).not.toBe(null);
});

test('a million points are drawn as those that can be told apart', () => {
  const points = Array.from({ length: 200_000 }, (_, at) => `${at / 1000} ${Math.sin(at / 10_000)}`);
  const { lines, isCut } = picture(`LINESTRING (${points.join(', ')})`)!;
  expect([lines.length < 40_000, isCut]).toEqual([true, false]);
  const scattered = Array.from({ length: 30_000 }, (_, at) => `(${(at * 7919) % 1000} ${(at * 104_729) % 997})`);
  expect(picture(`MULTIPOINT (${scattered.join(', ')})`)!.isCut).toBe(true);
});
