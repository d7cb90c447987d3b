// Geometries that other programs wrote, made ones in every form and back, and bytes that are none, however they pretend to be.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import { AXES, factsOf, GEOMETRY_TYPES, MAX_DEPTH, memberTypeOf, sizeOf } from './geometry.ts';
import type { Axes, GeometryType, Shape } from './geometry.ts';
import { KNOWN_GEOMETRIES } from './known-geometries.test-suite.ts';
import { parseGeometry } from './parse.ts';
import { writeWkt } from './wkt.ts';

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

test.each(KNOWN_GEOMETRIES)('$wkt is read as Shapely and GDAL wrote it', ({ wkt, points, bounds, values }) => {
  const text = parseGeometry(wkt)!;
  expect([text.form, text.srid, writeWkt(text.shape)]).toEqual(['WKT', null, wkt]);
  expect(values.length).toBeGreaterThan(3);
  for (const { form, srid, value } of values) {
    const read = parseGeometry(value);
    expect([value, read?.form, read?.srid, read && writeWkt(read.shape)]).toEqual([value, form, srid, wkt]);
    expect(factsOf(read!.shape)).toEqual({ points, bounds });
  }
});

describe('what is written is read again', () => {
  const random = createRandom(20261201);
  const shapes = Array.from({ length: 300 }, () => shapeOf(random, random.pick(GEOMETRY_TYPES), random.pick(AXES), 0));

  test.each([true, false])('as WKB, little-endian: %s', (isLittle) => {
    for (const shape of shapes) {
      for (const dialect of ['iso', 'extended', 'spatialite'] as const) {
        const bytes = written(shape, isLittle, dialect);
        const read = parseGeometry(bytes);
        expect(read && writeWkt(read.shape)).toBe(writeWkt(shape));
        expect(read!.srid).toBe(dialect === 'iso' ? null : 4326);
        // One byte less or more is no geometry, and neither is any other beginning of it.
        expect(parseGeometry(bytes.subarray(0, bytes.length - 1))).toBe(null);
        expect(parseGeometry(Uint8Array.of(...bytes, 0))).toBe(null);
        expect(parseGeometry(bytes.subarray(0, random.between(0, bytes.length - 1)))).toBe(null);
      }
    }
  });

  test('as WKT, in any case, with an SRID, and with or without spaces', () => {
    for (const shape of shapes) {
      const text = writeWkt(shape);
      const read = parseGeometry(`SRID=3857;${text.toLowerCase().replaceAll(', ', ' ,\n ')} `);
      expect([read?.form, read?.srid, read && writeWkt(read.shape)]).toEqual(['EWKT', 3857, text]);
      expect(parseGeometry(text.slice(0, -1))).toBe(null);
      expect(parseGeometry(`${text})`)).toBe(null);
    }
  });

  test('changed bytes are read or not, but never fail', () => {
    for (const shape of shapes) {
      for (const dialect of ['iso', 'extended', 'spatialite'] as const) {
        const bytes = written(shape, random.chance(0.5), dialect);
        for (let change = 0; change < 5; change++) bytes[random.between(0, bytes.length - 1)] = random.between(0, 255);
        const read = parseGeometry(bytes);
        if (read) expect(writeWkt(read.shape).length).toBeGreaterThan(0);
      }
    }
  });
});

test('tiny points of SpatiaLite, with each kind of coordinates', () => {
  for (const [at, axes] of AXES.entries()) {
    for (const isLittle of [true, false]) {
      const view = new DataView(new ArrayBuffer(8 + sizeOf(axes) * 8));
      view.setUint8(1, isLittle ? 0x81 : 0x80);
      view.setInt32(2, 3857, isLittle);
      view.setUint8(6, at + 1);
      for (let axis = 0; axis < sizeOf(axes); axis++) view.setFloat64(7 + axis * 8, axis + 0.5, isLittle);
      view.setUint8(view.byteLength - 1, 0xfe);
      const read = parseGeometry(new Uint8Array(view.buffer));
      expect([read?.srid, read?.shape.axes, [...(read?.shape.lines[0] ?? [])]]).toEqual([
        3857,
        axes,
        [0.5, 1.5, 2.5, 3.5].slice(0, sizeOf(axes)),
      ]);
    }
  }
});

test('compressed lines of SpatiaLite with M: differences of X, Y, and Z, and M in full', () => {
  const line = Float64Array.of(10, 20, 5, 1, 10.5, 20.25, 5.5, 2, 10.25, 20.5, 5.25, 3, 11, 21, 6, 4);
  const view = new DataView(new ArrayBuffer(39 + 4 + 4 + 32 + 2 * 20 + 32 + 1));
  view.setUint8(1, 1);
  view.setUint8(38, 0x7c);
  view.setUint32(39, 1_003_002, true);
  view.setUint32(43, 4, true);
  let at = 47;
  for (let point = 0; point < 4; point++)
    for (let axis = 0; axis < 4; axis++) {
      const number = line[point * 4 + axis]!;
      const isFull = point === 0 || point === 3 || axis === 3;
      if (isFull) view.setFloat64(at, number, true);
      else view.setFloat32(at, number - line[(point - 1) * 4 + axis]!, true);
      at += isFull ? 8 : 4;
    }
  view.setUint8(at, 0xfe);
  const read = parseGeometry(new Uint8Array(view.buffer));
  expect([read?.shape.axes, [...(read?.shape.lines[0] ?? [])]]).toEqual(['XYZM', [...line]]);
});

test('GeoJSON: features, height, another reference system, and a geometry that is missing', () => {
  const feature = (geometry: unknown) => ({ type: 'Feature', properties: { a: '[' }, geometry });
  const point = { type: 'Point', coordinates: [1, 2, 3] };
  const read = (json: unknown) => {
    const found = parseGeometry(JSON.stringify(json));
    return found && [found.srid, writeWkt(found.shape)];
  };
  expect(read(feature(point))).toEqual([4326, 'POINT Z (1 2 3)']);
  const collection = { type: 'FeatureCollection', features: [feature(point), feature(null)] };
  expect(read(collection)).toEqual([4326, 'GEOMETRYCOLLECTION Z (POINT Z (1 2 3))']);
  const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::3857' } };
  expect(read({ ...point, crs })).toEqual([3857, 'POINT Z (1 2 3)']);
  for (const json of [feature(null), { type: 'Point' }, { type: 'Point', coordinates: ['1', 2] }, { coordinates: [] }])
    expect(read(json)).toBe(null);
});

describe('values that pretend to be geometries', () => {
  const claiming = (type: number, count: number): Uint8Array => {
    const view = new DataView(new ArrayBuffer(21));
    view.setUint8(0, 1);
    view.setUint32(1, type, true);
    view.setUint32(5, count, true);
    return new Uint8Array(view.buffer);
  };

  test('take no memory for what they only claim', () => {
    for (const type of [2, 3, 4, 5, 6, 7]) expect(parseGeometry(claiming(type, 0xffffffff))).toBe(null);
    const lines = new Uint8Array(9 + 4 * 2_000_000);
    lines.set(claiming(3, 2_000_000).subarray(0, 9));
    expect(parseGeometry(lines)).toBe(null);
  });

  test('are read to a depth, not as deep as they go', () => {
    const nested = (depth: number): Uint8Array => {
      const bytes = new Uint8Array(9 * (depth + 1));
      for (let level = 0; level <= depth; level++)
        bytes.set(claiming(7, level < depth ? 1 : 0).subarray(0, 9), level * 9);
      return bytes;
    };
    expect(parseGeometry(nested(MAX_DEPTH))).not.toBe(null);
    expect(parseGeometry(nested(MAX_DEPTH + 1))).toBe(null);
    expect(parseGeometry(nested(500_000))).toBe(null);
    const text = (depth: number): string => `${'GEOMETRYCOLLECTION('.repeat(depth)}POINT EMPTY${')'.repeat(depth)}`;
    expect(parseGeometry(text(MAX_DEPTH))).not.toBe(null);
    expect(parseGeometry(text(200_000))).toBe(null);
    expect(parseGeometry(`{"coordinates":${'['.repeat(1_000_000)}`)).toBe(null);
  });

  test('are no geometries where only something resembles one', () => {
    for (const value of [
      null,
      1,
      '',
      'POINT',
      'POINT (1)',
      'POINT (1 2 3 4 5)',
      'POINT Z (1 2)',
      'POINTLESS (1 2)',
      'POINT (1 2), POINT (3 4)',
      'LINESTRING (1 2, 3 4 5)',
      'MULTIPOINT (LINESTRING (1 2))',
      'POLYGON (1 2)',
      'CIRCULARSTRING (0 0, 1 1, 2 0)',
      '{"coordinates": [1, 2]}',
      '{"type": "Point", "coordinates": [1, 2]',
      bytesOf('4750'),
      bytesOf('47500001e6100000'),
      bytesOf('4750002fe610000001'),
      bytesOf('0001e61000007c'),
      new Uint8Array(100),
    ])
      expect([value, parseGeometry(value)]).toEqual([value, null]);
  });
});

function shapeOf(random: Random, type: GeometryType, axes: Axes, depth: number): Shape {
  const points = (count: number): Float64Array => {
    const numbers = Array.from({ length: count * sizeOf(axes) }, () => numberOf(random));
    return Float64Array.from(numbers);
  };
  const several = <T>(make: () => T): readonly T[] => Array.from({ length: random.between(0, 3) }, make);
  if (type === 'Point') return { type, axes, lines: [points(random.between(0, 1))], members: [] };
  if (type === 'LineString') return { type, axes, lines: [points(random.between(0, 5))], members: [] };
  if (type === 'Polygon') return { type, axes, lines: several(() => points(random.between(1, 5))), members: [] };
  const memberType = memberTypeOf(type);
  const types = depth > 2 ? GEOMETRY_TYPES.slice(0, 6) : GEOMETRY_TYPES;
  const member = (): Shape => shapeOf(random, memberType ?? random.pick(types), axes, depth + 1);
  return { type, axes, lines: [], members: several(member) };
}

const numberOf = (random: Random): number =>
  random.chance(0.3)
    ? random.between(-180, 180)
    : random.pick([random.next() * 360 - 180, random.next() * 2e7, random.next() / 1e9, -0, 1e21, 5e-324, -1.7e308]);

/** An encoder of its own: by the texts of the standards, not by what the reader does. */
function written(shape: Shape, isLittle: boolean, dialect: 'iso' | 'extended' | 'spatialite'): Uint8Array {
  const bytes: number[] = [];
  const put = (size: number, set: (view: DataView) => void): void => {
    const view = new DataView(new ArrayBuffer(size));
    set(view);
    bytes.push(...new Uint8Array(view.buffer));
  };
  const word = (number: number): void => put(4, (view) => view.setUint32(0, number >>> 0, isLittle));
  const double = (number: number): void => put(8, (view) => view.setFloat64(0, number, isLittle));
  const points = (line: Float64Array): void => line.forEach(double);
  const one = ({ type, axes, lines, members }: Shape, depth: number): void => {
    const code = GEOMETRY_TYPES.indexOf(type) + 1;
    const [z, m] = [axes.includes('Z'), axes.includes('M')];
    if (dialect === 'spatialite' && depth > 0) bytes.push(0x69);
    if (dialect !== 'spatialite') bytes.push(isLittle ? 1 : 0);
    if (dialect !== 'extended') word(code + AXES.indexOf(axes) * 1000);
    else word(code + (z ? 0x80000000 : 0) + (m ? 0x40000000 : 0) + (depth === 0 ? 0x20000000 : 0));
    if (dialect === 'extended' && depth === 0) word(4326);
    if (type === 'Point') {
      points(lines[0]!.length === 0 ? new Float64Array(sizeOf(axes)).fill(NaN) : lines[0]!);
      return;
    }
    if (type === 'LineString') word(lines[0]!.length / sizeOf(axes));
    else word(lines.length + members.length);
    for (const line of lines) {
      if (type === 'Polygon') word(line.length / sizeOf(axes));
      points(line);
    }
    for (const member of members) one(member, depth + 1);
  };
  if (dialect === 'spatialite') {
    bytes.push(0, isLittle ? 1 : 0);
    word(4326);
    for (let side = 0; side < 4; side++) double(0);
    bytes.push(0x7c);
  }
  one(shape, 0);
  if (dialect === 'spatialite') bytes.push(0xfe);
  return Uint8Array.from(bytes);
}
