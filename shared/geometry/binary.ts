// Reads geometries from blobs: WKB in its ISO and its extended form, and the blobs of GeoPackage and SpatiaLite, which wrap WKB or resemble it.
import { AXES, GEOMETRY_TYPES, MAX_DEPTH, memberTypeOf, PartLimit, reject, sizeOf } from './geometry.ts';
import type { Axes, Geometry, GeometryType, Shape } from './geometry.ts';

interface Header {
  readonly type: GeometryType;
  readonly axes: Axes;
  /** Points between the first and the last one are differences in 32 bits. */
  readonly isCompressed: boolean;
}

/** Bits of a type in EWKB. */
const [HAS_Z, HAS_M, HAS_SRID] = [0x80000000, 0x40000000, 0x20000000] as const;
/** The type of a compressed shape is greater by this. */
const COMPRESSED = 1_000_000;
/** Least bytes of a member: byte order or mark, type, and a count. */
const MEMBER_BYTES = 9;
const [MARK_START, MARK_MBR, MARK_ENTITY, MARK_END] = [0x00, 0x7c, 0x69, 0xfe] as const;
/** Place of the mark after SRID and bounds in a blob of SpatiaLite. */
const MBR_AT = 38;

class Reader {
  at: number;
  isLittle = true;
  srid: number | null = null;
  readonly #view: DataView;
  readonly #end: number;
  readonly #isSpatiaLite: boolean;
  readonly #parts = new PartLimit();

  constructor(bytes: Uint8Array, start: number, end: number, isSpatiaLite: boolean) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.at = start;
    this.#end = end;
    this.#isSpatiaLite = isSpatiaLite;
  }

  /** The shape that takes all of the bytes. */
  whole(): Shape {
    const shape = this.#shape(null, 0);
    if (this.at !== this.#end) reject('more bytes than one geometry');
    return shape;
  }

  byte(): number {
    this.#need(1);
    return this.#view.getUint8(this.at++);
  }

  word(): number {
    this.#need(4);
    this.at += 4;
    return this.#view.getUint32(this.at - 4, this.isLittle);
  }

  /** @param count points whose bytes must be there before memory for them is taken */
  points(count: number, axes: Axes): Float64Array {
    const numbers = count * sizeOf(axes);
    this.#need(numbers * 8);
    const line = new Float64Array(numbers);
    for (let number = 0; number < numbers; number++)
      line[number] = this.#view.getFloat64(this.at + number * 8, this.isLittle);
    this.at += numbers * 8;
    return line;
  }

  #shape(expected: GeometryType | null, depth: number): Shape {
    if (depth > MAX_DEPTH) reject('too deep');
    const { type, axes, isCompressed } = this.#isSpatiaLite ? this.#entityHeader(depth) : this.#wkbHeader(depth);
    if (expected !== null && type !== expected) reject(`${type} in a collection of ${expected}`);
    if (type === 'Point') return { type, axes, lines: [pointOrNone(this.points(1, axes))], members: [] };
    if (type === 'LineString') return { type, axes, lines: [this.#line(axes, isCompressed)], members: [] };
    const count = this.word();
    if (type === 'Polygon') {
      const lines = this.#several(count, 4, () => this.#line(axes, isCompressed));
      return { type, axes, lines, members: [] };
    }
    const memberType = memberTypeOf(type);
    const members = this.#several(count, MEMBER_BYTES, () => this.#shape(memberType, depth + 1));
    return { type, axes, lines: [], members };
  }

  #several<T>(count: number, leastBytes: number, read: () => T): readonly T[] {
    this.#need(count * leastBytes);
    this.#parts.add(count);
    const parts: T[] = [];
    for (let part = 0; part < count; part++) parts.push(read());
    return parts;
  }

  #line(axes: Axes, isCompressed: boolean): Float64Array {
    const count = this.word();
    if (!isCompressed || count <= 2) return this.points(count, axes);
    return this.#compressedLine(count, axes);
  }

  /** X, Y, and Z are differences from the point before, M is written in full. */
  #compressedLine(count: number, axes: Axes): Float64Array {
    const size = sizeOf(axes);
    const isDifference = Array.from({ length: size }, (_, axis) => axes[axis] !== 'M');
    const inner = isDifference.reduce((bytes, isShort) => bytes + (isShort ? 4 : 8), 0);
    this.#need((count - 2) * inner + 2 * 8 * size);
    const line = new Float64Array(count * size);
    line.set(this.points(1, axes));
    for (let number = size; number < (count - 1) * size; number++) {
      const isShort = isDifference[number % size]!;
      line[number] = isShort
        ? line[number - size]! + this.#view.getFloat32(this.at, this.isLittle)
        : this.#view.getFloat64(this.at, this.isLittle);
      this.at += isShort ? 4 : 8;
    }
    line.set(this.points(1, axes), (count - 1) * size);
    return line;
  }

  #wkbHeader(depth: number): Header {
    const order = this.byte();
    if (order > 1) reject('no byte order');
    this.isLittle = order === 1;
    const word = this.word();
    if ((word & HAS_SRID) !== 0) {
      const srid = this.word() | 0;
      if (depth === 0) this.srid = srid;
    }
    return headerOf(word & 0x1fffffff, (word & HAS_Z) !== 0, (word & HAS_M) !== 0);
  }

  #entityHeader(depth: number): Header {
    if (depth > 0 && this.byte() !== MARK_ENTITY) reject('no mark before a member');
    const code = this.word();
    if (code < COMPRESSED) return headerOf(code, false, false);
    const header = headerOf(code - COMPRESSED, false, false);
    if (header.type !== 'LineString' && header.type !== 'Polygon') reject('compressed, but no line');
    return { ...header, isCompressed: true };
  }

  #need(bytes: number): void {
    if (bytes > this.#end - this.at) reject('too few bytes');
  }
}

function headerOf(code: number, hasZ: boolean, hasM: boolean): Header {
  const isoAxes = AXES[Math.floor(code / 1000)];
  const type = GEOMETRY_TYPES[(code % 1000) - 1];
  if (!type || !isoAxes) reject('an unknown type');
  const [z, m] = [hasZ || isoAxes.includes('Z'), hasM || isoAxes.includes('M')];
  return { type, axes: AXES[(z ? 1 : 0) + (m ? 2 : 0)]!, isCompressed: false };
}

/** WKB writes an empty point as NaN. */
const pointOrNone = (point: Float64Array): Float64Array => (point.every(Number.isNaN) ? new Float64Array(0) : point);

/** @throws NotGeometry */
export function readWkb(bytes: Uint8Array): Geometry {
  const reader = new Reader(bytes, 0, bytes.length, false);
  const shape = reader.whole();
  // The type is written in the byte order of the first byte: its highest bits tell the extended form.
  const isExtended = ((bytes[0] === 1 ? bytes[4] : bytes[1])! & 0xe0) !== 0;
  return { form: isExtended ? 'EWKB' : 'WKB', srid: reader.srid, shape };
}

/** Bytes of the envelope by its kind. */
const ENVELOPE_BYTES = [0, 32, 48, 48, 64] as const;
const GEOPACKAGE_HEADER_BYTES = 8;

/** GeoPackage 1.4, 2.1.3: “GP”, a version, flags, SRID, an envelope, and WKB. @throws NotGeometry */
export function readGeoPackage(bytes: Uint8Array): Geometry {
  if (bytes.length < GEOPACKAGE_HEADER_BYTES) reject('too few bytes');
  const flags = bytes[3]!;
  const envelope = ENVELOPE_BYTES[(flags >> 1) & 7];
  const isExtendedType = (flags & 0x20) !== 0;
  if (envelope === undefined || isExtendedType) reject('an unknown envelope or type');
  const header = new Reader(bytes, 4, GEOPACKAGE_HEADER_BYTES, false);
  header.isLittle = (flags & 1) === 1;
  const srid = header.word() | 0;
  const start = GEOPACKAGE_HEADER_BYTES + envelope;
  if (start > bytes.length) reject('too few bytes');
  return { form: 'GeoPackage', srid, shape: new Reader(bytes, start, bytes.length, false).whole() };
}

/** @throws NotGeometry */
export function readSpatiaLite(bytes: Uint8Array): Geometry {
  const order = bytes[1]!;
  const isTiny = order === 0x80 || order === 0x81;
  if (isTiny) return tinyPoint(bytes, order === 0x81);
  const reader = new Reader(bytes, 2, bytes.length - 1, true);
  reader.isLittle = order === 1;
  const srid = reader.word() | 0;
  reader.at = MBR_AT + 1;
  return { form: 'SpatiaLite', srid, shape: reader.whole() };
}

/** A point without bounds, from version 5 on. */
function tinyPoint(bytes: Uint8Array, isLittle: boolean): Geometry {
  const reader = new Reader(bytes, 2, bytes.length - 1, true);
  reader.isLittle = isLittle;
  const srid = reader.word() | 0;
  const axes = AXES[reader.byte() - 1];
  if (!axes || bytes.length !== reader.at + sizeOf(axes) * 8 + 1) reject('no tiny point');
  const shape: Shape = { type: 'Point', axes, lines: [pointOrNone(reader.points(1, axes))], members: [] };
  return { form: 'SpatiaLite', srid, shape };
}

export function looksLikeSpatiaLite(bytes: Uint8Array): boolean {
  if (bytes[0] !== MARK_START || bytes.at(-1) !== MARK_END) return false;
  return bytes[1]! <= 1 ? bytes[MBR_AT] === MARK_MBR : bytes[1] === 0x80 || bytes[1] === 0x81;
}
