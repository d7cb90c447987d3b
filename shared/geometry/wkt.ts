// Well-known text: read with or without an SRID in front, and written.
import { GEOMETRY_TYPES, MAX_DEPTH, memberTypeOf, PartLimit, reject, sizeOf } from './geometry.ts';
import type { Axes, Geometry, GeometryType, Shape } from './geometry.ts';

const TOKEN = /\s*(?:([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|[-+]?inf(?:inity)?|nan)|([a-z]+)|([(),]))/iy;
const SRID = /^\s*SRID\s*=\s*(-?\d{1,9})\s*;/i;
const BEGINNING = /^\s*(?:SRID\s*=\s*-?\d{1,9}\s*;\s*)?(?:MULTI)?(?:POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION)/i;
const NAMES = new Map(GEOMETRY_TYPES.map((type) => [type.toUpperCase(), type]));

export const looksLikeWkt = (text: string): boolean => BEGINNING.test(text);

/** @throws NotGeometry */
export function readWkt(text: string): Geometry {
  const prefix = SRID.exec(text);
  const shape = new WktReader(text, prefix?.[0].length ?? 0).whole();
  return { form: prefix ? 'EWKT' : 'WKT', srid: prefix ? Number(prefix[1]) : null, shape };
}

class WktReader {
  readonly #text: string;
  readonly #parts = new PartLimit();
  #at: number;
  #number = NaN;
  /** The current token: a word or sign in capitals, `number`, or '' at the end. */
  #token = '';

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
    this.#next();
  }

  whole(): Shape {
    const shape = this.#shape(0);
    if (this.#token !== '') reject('more text than one geometry');
    return shape;
  }

  #next(): void {
    TOKEN.lastIndex = this.#at;
    const found = TOKEN.exec(this.#text);
    if (!found) {
      if (this.#text.slice(this.#at).trim() !== '') reject('an unknown sign');
      this.#token = '';
      return;
    }
    this.#at = TOKEN.lastIndex;
    const [, number, word, sign] = found;
    if (number === undefined) this.#token = sign ?? word!.toUpperCase();
    else {
      this.#token = 'number';
      this.#number = numberOf(number);
    }
  }

  #take(token: string): void {
    if (this.#token !== token) reject(`no ${token}`);
    this.#next();
  }

  #shape(depth: number): Shape {
    if (depth > MAX_DEPTH) reject('too deep');
    const [, name, suffix] = /^(.+?)(ZM|Z|M)?$/.exec(this.#token) ?? [];
    const type = NAMES.get(name ?? '');
    if (!type) reject('an unknown type');
    this.#next();
    const tag = suffix ?? this.#tag();
    return this.#body(type, { axes: tag === undefined ? null : (`XY${tag}` as Axes) }, depth);
  }

  #tag(): string | undefined {
    const token = this.#token;
    if (token !== 'Z' && token !== 'M' && token !== 'ZM') return undefined;
    this.#next();
    return token;
  }

  /** @param found the axes, which the first point decides where no letter does */
  #body(type: GeometryType, found: { axes: Axes | null }, depth: number): Shape {
    const memberType = memberTypeOf(type);
    let lines: readonly Float64Array[] =
      type === 'Polygon' || memberType || type === 'GeometryCollection' ? [] : [NONE];
    let members: readonly Shape[] = [];
    if (this.#token === 'EMPTY') this.#next();
    else if (type === 'GeometryCollection') members = this.#list(() => this.#shape(depth + 1));
    else if (memberType) members = this.#list(() => this.#member(memberType, found));
    else if (type === 'Polygon') lines = this.#list(() => this.#ring(found));
    else lines = [this.#line(found, type === 'Point')];
    return { type, axes: found.axes ?? 'XY', lines, members };
  }

  #member(type: GeometryType, found: { axes: Axes | null }): Shape {
    if (type !== 'Point' || this.#token !== 'number') return this.#body(type, found, 0);
    const point: number[] = [];
    this.#point(point, found);
    return { type, axes: found.axes!, lines: [Float64Array.from(point)], members: [] };
  }

  #ring(found: { axes: Axes | null }): Float64Array {
    if (this.#token !== 'EMPTY') return this.#line(found, false);
    this.#next();
    return NONE;
  }

  #list<T>(read: () => T): readonly T[] {
    const parts: T[] = [];
    this.#take('(');
    for (;;) {
      this.#parts.add(1);
      parts.push(read());
      if (this.#token !== ',') break;
      this.#next();
    }
    this.#take(')');
    return parts;
  }

  #line(found: { axes: Axes | null }, isOne: boolean): Float64Array {
    const numbers: number[] = [];
    this.#take('(');
    for (;;) {
      this.#point(numbers, found);
      if (isOne || this.#token !== ',') break;
      this.#next();
    }
    this.#take(')');
    return Float64Array.from(numbers);
  }

  #point(into: number[], found: { axes: Axes | null }): void {
    const before = into.length;
    while (this.#token === 'number' && into.length - before < 5) {
      into.push(this.#number);
      this.#next();
    }
    const size = into.length - before;
    found.axes ??= UNTAGGED[size] ?? null;
    if (found.axes === null || sizeOf(found.axes) !== size) reject('another count of numbers');
  }
}

const NONE = new Float64Array(0);
/** Axes by the count of numbers. */
const UNTAGGED: readonly (Axes | undefined)[] = [undefined, undefined, 'XY', 'XYZ', 'XYZM'];

function numberOf(text: string): number {
  const number = Number(text);
  if (!Number.isNaN(number) || /^nan$/i.test(text)) return number;
  return text.startsWith('-') ? -Infinity : Infinity;
}

/** @param maxChars writing stops soon after so many characters */
export function writeWkt(shape: Shape, maxChars = Infinity): string {
  const writer = { text: '', maxChars };
  writeTagged(writer, shape);
  return writer.text;
}

interface Writer {
  text: string;
  readonly maxChars: number;
}

function writeTagged(writer: Writer, shape: Shape): void {
  const tag = shape.axes.slice(2);
  writer.text += `${shape.type.toUpperCase()} ${tag === '' ? '' : `${tag} `}`;
  writeBody(writer, shape);
}

function writeBody(writer: Writer, { type, axes, lines, members }: Shape): void {
  const size = sizeOf(axes);
  if (type === 'Point' || type === 'LineString') writeLine(writer, lines[0]!, size);
  else if (type === 'Polygon') writeList(writer, lines, (ring) => writeLine(writer, ring, size));
  else if (type === 'GeometryCollection') writeList(writer, members, (member) => writeTagged(writer, member));
  else writeList(writer, members, (member) => writeBody(writer, member));
}

function writeList<T>(writer: Writer, parts: readonly T[], write: (part: T) => void): void {
  if (parts.length === 0) {
    writer.text += 'EMPTY';
    return;
  }
  writer.text += '(';
  for (const [index, part] of parts.entries()) {
    if (writer.text.length > writer.maxChars) return;
    if (index > 0) writer.text += ', ';
    write(part);
  }
  writer.text += ')';
}

function writeLine(writer: Writer, line: Float64Array, size: number): void {
  if (line.length === 0) {
    writer.text += 'EMPTY';
    return;
  }
  writer.text += '(';
  for (let at = 0; at < line.length; at += size) {
    if (writer.text.length > writer.maxChars) return;
    if (at > 0) writer.text += ', ';
    for (let axis = 0; axis < size; axis++) writer.text += `${axis > 0 ? ' ' : ''}${exact(line[at + axis]!)}`;
  }
  writer.text += ')';
}

const exact = (number: number): string => (Object.is(number, -0) ? '-0' : String(number));
