// Bytes and texts that stand for identifiers, and bytes as text.
import type { Value } from '../protocol/values.ts';
import { problem } from './format.ts';
import type { DisplayFormat } from './format.ts';
import { jsonTextOf } from './jsonb-text.ts';

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

export const BYTE_FORMATS: readonly DisplayFormat[] = [UUID, GUID, HEX, BASE64, JSON_TEXT];
