// GeoJSON (RFC 7946): geometries, features, and collections of features, of which only the geometries are read.
import { GEOMETRY_TYPES, MAX_DEPTH, memberTypeOf, PartLimit, reject } from './geometry.ts';
import type { Axes, Geometry, GeometryType, Shape } from './geometry.ts';

/** Arrays and objects in each other: those of a polygon in each collection, and those of other members of a feature. */
const MAX_JSON_DEPTH = MAX_DEPTH * 3;
const WGS84 = 4326;
const EPSG = /\bEPSG:{1,2}(\d{1,9})$/i;

export const looksLikeGeoJson = (text: string): boolean =>
  /^\s*\{/.test(text) && /"(?:coordinates|geometries|geometry|features)"/.test(text);

/** @throws NotGeometry */
export function readGeoJson(text: string): Geometry {
  if (!isShallow(text)) reject('too deep');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    reject('no JSON');
  }
  const shape = shapeOf(json, 0, new PartLimit());
  return { form: 'GeoJSON', srid: sridOf(json), shape };
}

/** Counts brackets before any memory is taken; those in strings count, too. */
function isShallow(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    if (depth > MAX_JSON_DEPTH) return false;
  }
  return true;
}

/** WGS 84 unless a member of the first GeoJSON (2008) says otherwise. */
function sridOf(json: unknown): number | null {
  const crs = memberOf(json, 'crs');
  if (crs === undefined || crs === null) return WGS84;
  const name = memberOf(memberOf(crs, 'properties'), 'name');
  if (typeof name !== 'string') return null;
  if (/\bCRS84$/i.test(name)) return WGS84;
  const code = EPSG.exec(name)?.[1];
  return code === undefined ? null : Number(code);
}

const memberOf = (json: unknown, name: string): unknown =>
  typeof json === 'object' && json !== null && Object.hasOwn(json, name)
    ? (json as Readonly<Record<string, unknown>>)[name]
    : undefined;

function shapeOf(json: unknown, depth: number, parts: PartLimit): Shape {
  if (depth > MAX_DEPTH) reject('too deep');
  const type = memberOf(json, 'type');
  if (type === 'Feature') return shapeOf(memberOf(json, 'geometry'), depth + 1, parts);
  if (type === 'FeatureCollection') return collection(memberOf(json, 'features'), depth, parts);
  if (type === 'GeometryCollection') return collection(memberOf(json, 'geometries'), depth, parts);
  if (typeof type !== 'string' || !GEOMETRY_TYPES.includes(type as GeometryType)) reject('an unknown type');
  return coordinatesShape(type as GeometryType, memberOf(json, 'coordinates'), { axes: null }, parts);
}

function collection(json: unknown, depth: number, parts: PartLimit): Shape {
  const items = listOf(json);
  parts.add(items.length);
  // A feature can have no geometry.
  const shown = items.filter((item) => memberOf(item, 'type') !== 'Feature' || memberOf(item, 'geometry') !== null);
  const members = shown.map((item) => shapeOf(item, depth + 1, parts));
  return { type: 'GeometryCollection', axes: members[0]?.axes ?? 'XY', lines: [], members };
}

function coordinatesShape(type: GeometryType, json: unknown, found: { axes: Axes | null }, parts: PartLimit): Shape {
  const memberType = memberTypeOf(type);
  const items = listOf(json);
  if (type !== 'Point' && type !== 'LineString') parts.add(items.length);
  let lines: readonly Float64Array[] = [];
  let members: readonly Shape[] = [];
  if (memberType) members = items.map((item) => coordinatesShape(memberType, item, found, parts));
  else if (type === 'Polygon') lines = items.map((item) => lineOf(listOf(item), found));
  else if (type === 'LineString') lines = [lineOf(items, found)];
  else lines = [items.length === 0 ? new Float64Array(0) : lineOf([items], found)];
  return { type, axes: found.axes ?? 'XY', lines, members };
}

const listOf = (json: unknown): readonly unknown[] => (Array.isArray(json) ? json : reject('no list'));

/** More numbers than X, Y, and Z have no meaning in GeoJSON. */
function lineOf(points: readonly unknown[], found: { axes: Axes | null }): Float64Array {
  found.axes ??= points.length > 0 ? (listOf(points[0]).length > 2 ? 'XYZ' : 'XY') : null;
  const size = found.axes === 'XYZ' ? 3 : 2;
  const line = new Float64Array(points.length * size);
  for (const [index, point] of points.entries())
    for (let axis = 0; axis < size; axis++) {
      const number = listOf(point)[axis];
      if (typeof number !== 'number') reject('no number');
      line[index * size + axis] = number;
    }
  return line;
}
