// Recognizes a geometry in a value, whatever form it has. Pure and bounded: counts are checked before memory is taken, and depth is limited.
import { looksLikeSpatiaLite, readGeoPackage, readSpatiaLite, readWkb } from './binary.ts';
import { looksLikeGeoJson, readGeoJson } from './geojson.ts';
import { MAX_GEOMETRY_BYTES, NotGeometry } from './geometry.ts';
import type { Geometry } from './geometry.ts';
import { looksLikeWkt, readWkt } from './wkt.ts';

const [G, P] = [0x47, 0x50] as const;
/** A byte order, a type, and a count. */
const LEAST_BYTES = 9;

/** Null for everything that is not the whole of one geometry. */
export function parseGeometry(value: unknown): Geometry | null {
  if (typeof value === 'string') return value.length > MAX_GEOMETRY_BYTES ? null : parseText(value);
  if (!(value instanceof Uint8Array) || value.length < LEAST_BYTES || value.length > MAX_GEOMETRY_BYTES) return null;
  if (value[0] === G && value[1] === P) return attempt(readGeoPackage, value);
  const spatiaLite = looksLikeSpatiaLite(value) ? attempt(readSpatiaLite, value) : null;
  return spatiaLite ?? (value[0]! <= 1 ? attempt(readWkb, value) : null);
}

/** Whether a value begins like a geometry. It may be only the beginning of one. */
export function isLikelyGeometry(value: string | Uint8Array): boolean {
  if (typeof value === 'string') return looksLikeWkt(value) || looksLikeGeoJson(value);
  if (value[0] === G && value[1] === P) return value[2] === 0;
  if (value.length < LEAST_BYTES || value[0]! > 1) return false;
  // The type of WKB, less than 4,000 apart from its flags; or the byte order of SpatiaLite.
  const isWkb = value[0] === 1 ? value[3] === 0 && value[2]! < 16 : value[2] === 0 && value[3]! < 16;
  return isWkb || (value[0] === 0 && (value[1]! <= 1 || value[1] === 0x80 || value[1] === 0x81));
}

function parseText(text: string): Geometry | null {
  if (looksLikeWkt(text)) return attempt(readWkt, text);
  return looksLikeGeoJson(text) ? attempt(readGeoJson, text) : null;
}

function attempt<T>(read: (value: T) => Geometry, value: T): Geometry | null {
  try {
    return read(value);
  } catch (thrown) {
    if (thrown instanceof NotGeometry) return null;
    throw thrown;
  }
}
