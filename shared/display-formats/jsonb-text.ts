// JSON in one line: texts without the white space between their parts, and blobs in SQLite's own form (sqlite.org/jsonb.html).
import type { Value } from '../protocol/values.ts';

// Present in every runtime we have, yet in no TypeScript library that is free of the DOM.
declare class TextDecoder {
  constructor(label: string, options: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes: Uint8Array): string;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** SQLite's own limit. */
const MAX_DEPTH = 1000;

/** Null for what is neither JSON nor JSONB, and for JSONB with texts of JSON5. */
export function jsonTextOf(value: Value): string | null {
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
