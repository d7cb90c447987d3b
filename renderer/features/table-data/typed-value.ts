// What a typed text means as a value: by the affinity of the column and by what was stored there, never by guessing NULL.
import type { StorageClass, Value } from '#shared/protocol/values.ts';

export type Affinity = 'integer' | 'text' | 'blob' | 'real' | 'numeric';

/** The rules of sqlite.org/datatype3.html, section 3.1, in their order. STRICT tables know ANY, which converts nothing. */
export function affinityOf(declaredType: string, isStrict = false): Affinity {
  const type = declaredType.toUpperCase();
  if (isStrict && type === 'ANY') return 'blob';
  if (type.includes('INT')) return 'integer';
  if (/CHAR|CLOB|TEXT/.test(type)) return 'text';
  if (type === '' || type.includes('BLOB')) return 'blob';
  return /REAL|FLOA|DOUB/.test(type) ? 'real' : 'numeric';
}

const INTEGER = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const BLOB_LITERAL = /^x'((?:[0-9a-f]{2})*)'$/i;
const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

/**
 * `storageClass` is that of the value it replaces: it decides where the column does not (`X'…'` replaces a blob only by
 * a blob, `2` a REAL by 2.0). SQLite applies the column's affinity again when it stores.
 */
export function typedValue(text: string, affinity: Affinity, storageClass: StorageClass): Value {
  const blob = storageClass === 'blob' || (affinity === 'blob' && storageClass === 'null') ? blobFrom(text) : null;
  if (blob) return blob;
  switch (affinity) {
    case 'text':
      return text;
    case 'real':
      return realFrom(text.trim(), storageClass) ?? text;
    case 'integer':
    case 'numeric':
      return integerFrom(text.trim()) ?? realFrom(text.trim(), storageClass) ?? text;
    case 'blob':
      return untypedValue(text, storageClass);
  }
}

/** A column without affinity keeps what it is given, so only what was a number before, or is written as one exactly, becomes one. */
function untypedValue(text: string, storageClass: StorageClass): Value {
  if (storageClass === 'real') return realFrom(text, storageClass) ?? text;
  if (storageClass !== 'integer' && storageClass !== 'null') return text;
  const integer = integerFrom(text);
  if (integer !== null) return String(integer) === text || storageClass === 'integer' ? integer : text;
  const isDecimal = /^-?(?:0|[1-9]\d*)\.\d+$/.test(text);
  return isDecimal ? (realFrom(text, storageClass) ?? text) : text;
}

function integerFrom(text: string): number | bigint | null {
  if (!INTEGER.test(text)) return null;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  if (value < MIN_INTEGER || value > MAX_INTEGER) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function realFrom(text: string, storageClass: StorageClass): Value | null {
  if (storageClass === 'real' && /^[+-]?inf$/i.test(text)) return { real: text.startsWith('-') ? -Infinity : Infinity };
  if (!NUMBER.test(text)) return null;
  const value = Number(text);
  return Number.isInteger(value) ? { real: value } : value;
}

function blobFrom(text: string): Uint8Array | null {
  const hex = BLOB_LITERAL.exec(text.trim())?.[1];
  if (hex === undefined) return null;
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
