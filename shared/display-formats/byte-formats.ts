// Bytes and texts that stand for identifiers, and bytes as text.
import { parseGeometry } from '../geometry/parse.ts';
import { writeWkt } from '../geometry/wkt.ts';
import type { Value } from '../protocol/values.ts';
import { problem } from './format.ts';
import type { DisplayFormat } from './format.ts';

// Present in every runtime we have, yet in no TypeScript library that is free of the DOM.

declare class TextDecoder {
  constructor(label: string, options: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes: Uint8Array): string;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** SQLite's own limit. */
const MAX_DEPTH = 1000;

/** Null for what is neither JSON nor JSONB, and for JSONB with texts of JSON5. */
function jsonTextOf(value: Value): string | null {
  if (typeof value === 'string') return compact(value);
  if (!(value instanceof Uint8Array)) return null;
  try {
    return compact(elementText(value)) ?? compact(decoder.decode(value));
  } catch {
    return textIn(value);
  }
}

/** JSON may also be stored as the bytes of its text. */
function textIn(bytes: Uint8Array): string | null {
  try {
    return compact(decoder.decode(bytes));
  } catch {
    return null;
  }
}

/** Removes only white space, so numbers keep their digits. */
function compact(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  // Not one expression for whole strings: long ones overflow its stack.
  let isInString = false;
  return text.replace(/\\.|"|\s+/g, (part) => {
    if (part === '"') isInString = !isInString;
    return isInString || !/^\s/.test(part) ? part : '';
  });
}

interface Element {
  readonly type: number;
  readonly from: number;
  readonly to: number;
}

/** @throws RangeError where the bytes are no JSONB */
function elementText(bytes: Uint8Array): string {
  const element = elementAt(bytes, 0, bytes.length);
  if (element.to !== bytes.length) throw new RangeError('More bytes than one element');
  return textOf(bytes, element, 0);
}

/** Sizes from here on are stored in the 1, 2, 4, or 8 bytes after the first. */
const SIZE_FOLLOWS = 12;

function elementAt(bytes: Uint8Array, at: number, end: number): Element {
  if (at >= end) throw new RangeError('No element');
  const type = bytes[at]! & 15;
  let size = bytes[at]! >> 4;
  let from = at + 1;
  if (size >= SIZE_FOLLOWS) {
    const count = 2 ** (size - SIZE_FOLLOWS);
    size = 0;
    for (let byte = 0; byte < count; byte++) size = size * 256 + (bytes[from + byte] ?? 0);
    from += count;
  }
  if (from + size > end) throw new RangeError('An element that is longer than the bytes');
  return { type, from, to: from + size };
}

const CONSTANTS = ['null', 'true', 'false'];
const [INTEGER, INTEGER5, FLOAT, FLOAT5, TEXT, ESCAPED, RAW, ARRAY, OBJECT] = [3, 4, 5, 6, 7, 8, 10, 11, 12] as const;

function textOf(bytes: Uint8Array, { type, from, to }: Element, depth: number): string {
  if (depth > MAX_DEPTH) throw new RangeError('Too deep');
  const payload = (): string => decoder.decode(bytes.subarray(from, to));
  switch (type) {
    case INTEGER:
    case FLOAT:
      return payload();
    case INTEGER5:
      return hexNumber(payload());
    case FLOAT5:
      return payload()
        .replace(/^([+-]?)\./, '$10.')
        .replace(/\.(?=$|e)/i, '.0')
        .replace(/^\+/, '');
    case TEXT:
    case ESCAPED:
      return `"${payload()}"`;
    case RAW:
      return JSON.stringify(payload());
    case ARRAY:
      return `[${childrenOf(bytes, from, to, depth).join(',')}]`;
    case OBJECT:
      return `{${pairs(childrenOf(bytes, from, to, depth)).join(',')}}`;
    default:
      if (type < CONSTANTS.length && from === to) return CONSTANTS[type]!;
      throw new RangeError('An unknown element');
  }
}

function hexNumber(text: string): string {
  const [, sign, digits] = /^([+-]?)(0x[0-9a-f]{1,16})$/i.exec(text) ?? [];
  if (digits === undefined) throw new RangeError('No hexadecimal number');
  return `${sign === '-' ? '-' : ''}${BigInt(digits)}`;
}

function childrenOf(bytes: Uint8Array, from: number, to: number, depth: number): readonly string[] {
  const texts: string[] = [];
  for (let at = from; at < to;) {
    const child = elementAt(bytes, at, to);
    texts.push(textOf(bytes, child, depth + 1));
    at = child.to;
  }
  return texts;
}

function pairs(texts: readonly string[]): readonly string[] {
  if (texts.length % 2 !== 0) throw new RangeError('A name without a value');
  return texts.flatMap((text, at) => (at % 2 === 0 ? [`${text}:${texts[at + 1]}`] : []));
}

const BYTES = { group: 'bytes', hasZone: false } as const;

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += PAIRS[byte]!;
  return text;
}
const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const UUID_TEXT = /^(\{?)([0-9a-f]{8})(-?)([0-9a-f]{4})\3([0-9a-f]{4})\3([0-9a-f]{4})\3([0-9a-f]{12})(\}?)$/i;
const ENTER_UUID = 'Enter a UUID such as 123e4567-e89b-12d3-a456-426614174000.';

/** 32 digits in small letters; null if the text is no UUID. */
function uuidDigits(text: string): string | null {
  const found = UUID_TEXT.exec(text);
  if (!found || (found[1] === '') !== (found[8] === '')) return null;
  return [2, 4, 5, 6, 7]
    .map((part) => found[part]!)
    .join('')
    .toLowerCase();
}

const dashed = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Braces, dashes, and capitals as in the text that it replaces. */
function uuidLike(digits: string, stored: string): string {
  const text = stored.includes('-') ? dashed(digits) : digits;
  const cased = /[A-F]/.test(stored) && !/[a-f]/.test(stored) ? text.toUpperCase() : text;
  return stored.startsWith('{') ? `{${cased}}` : cased;
}

/** Windows stores the first three parts with their least byte first. */
const swapped = (hex: string): string => {
  const pairs = hex.match(/../g) ?? [];
  return [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15].map((at) => pairs[at]).join('');
};

const UUID: DisplayFormat = {
  ...BYTES,
  id: 'uuid',
  name: 'UUID',
  classes: ['blob', 'text'],
  takesNull: false,
  show(value) {
    if (value instanceof Uint8Array) return value.length === 16 ? dashed(hexOf(value)) : null;
    const digits = typeof value === 'string' ? uuidDigits(value) : null;
    return digits && dashed(digits);
  },
  parse(text, _zone, stored) {
    const digits = uuidDigits(text.trim());
    if (digits === null) return problem(ENTER_UUID);
    return { value: typeof stored === 'string' ? uuidLike(digits, stored) : bytesOf(digits) };
  },
};

const GUID: DisplayFormat = {
  ...BYTES,
  id: 'uuid-windows',
  name: 'UUID in Windows byte order',
  classes: ['blob'],
  takesNull: true,
  show: (value) => (value instanceof Uint8Array && value.length === 16 ? dashed(swapped(hexOf(value))) : null),
  parse(text) {
    const digits = uuidDigits(text.trim());
    return digits === null ? problem(ENTER_UUID) : { value: bytesOf(swapped(digits)) };
  },
};

const HEX: DisplayFormat = {
  ...BYTES,
  id: 'hex',
  name: 'Hexadecimal',
  classes: ['blob'],
  takesNull: true,
  wholeBytes: 1,
  show: (value) => (value instanceof Uint8Array ? hexOf(value) : null),
  parse(text) {
    const digits = text.replaceAll(/\s/g, '');
    if (!/^([0-9a-f]{2})*$/i.test(digits)) return problem('Enter two hexadecimal digits for each byte: 0-9 and a-f.');
    return { value: bytesOf(digits) };
  },
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a, b, c] = [bytes[at]!, bytes[at + 1], bytes[at + 2]];
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    const digit = (shift: number): string => ALPHABET[(bits >> shift) & 63]!;
    text += digit(18) + digit(12) + (b === undefined ? '=' : digit(6)) + (c === undefined ? '=' : digit(0));
  }
  return text;
}

/** Null if the text is not the base64 of any bytes: a digit that is left over may have no bits set. */
function fromBase64(text: string): Uint8Array | null {
  const digits = text.replace(/={1,2}$/, '');
  if (text.length % 4 !== 0 || text.length - digits.length > 2 || !/^[A-Za-z0-9+/]*$/.test(digits)) return null;
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let [bits, count, at] = [0, 0, 0];
  for (const digit of digits) {
    bits = ((bits << 6) | ALPHABET.indexOf(digit)) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[at++] = (bits >> count) & 255;
  }
  return (bits & ((1 << count) - 1)) === 0 ? bytes : null;
}

const BASE64: DisplayFormat = {
  ...BYTES,
  id: 'base64',
  name: 'Base64',
  classes: ['blob'],
  takesNull: true,
  wholeBytes: 3,
  show: (value) => (value instanceof Uint8Array ? base64Of(value) : null),
  parse(text) {
    const bytes = fromBase64(text.replaceAll(/\s/g, ''));
    return bytes ? { value: bytes } : problem('This is not base64. Enter letters, digits, + and /, with = at the end.');
  },
};

/** Edited as stored: SQLite alone writes JSONB. */
const JSON_TEXT: DisplayFormat = {
  ...BYTES,
  id: 'json',
  name: 'JSON and JSONB',
  classes: ['blob', 'text'],
  takesNull: false,
  show: (value: Value) => jsonTextOf(value),
};

/** More than a cell shows. */
const MAX_WKT_CHARS = 4000;

/** Edited as stored: a form has parts that its text lacks, such as bounds and an SRID. */
const GEOMETRY: DisplayFormat = {
  ...BYTES,
  id: 'wkt',
  name: 'Geometry as WKT',
  classes: ['blob', 'text'],
  takesNull: false,
  show(value) {
    const geometry = parseGeometry(value);
    return geometry && writeWkt(geometry.shape, MAX_WKT_CHARS);
  },
};

export const BYTE_FORMATS: readonly DisplayFormat[] = [UUID, GUID, HEX, BASE64, JSON_TEXT, GEOMETRY];
