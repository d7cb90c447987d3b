// Reads typed text as a value: by the affinity of the column and by what was stored there, never by guessing NULL.
import type { StorageClass, Value } from '#shared/protocol/values.ts';
import { blobFrom, integerFrom, realFrom } from './typed-text.ts';

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

/**
 * `storageClass` is the class of the replaced value: it decides where the column does not (`X'…'` replaces a blob only by a blob, `2` a
 * REAL by 2.0). SQLite applies the column's affinity again when it stores.
 */
export function typedValue(text: string, affinity: Affinity, storageClass: StorageClass): Value {
  const blob = storageClass === 'blob' || (affinity === 'blob' && storageClass === 'null') ? blobFrom(text) : null;
  if (blob) return blob;
  switch (affinity) {
    case 'text':
      return text;
    case 'real':
      return realFrom(text.trim(), storageClass === 'real') ?? text;
    case 'integer':
    case 'numeric':
      return integerFrom(text.trim()) ?? realFrom(text.trim(), storageClass === 'real') ?? text;
    case 'blob':
      return untypedValue(text, storageClass);
  }
}

/**
 * A column without affinity stores values unchanged, so a text becomes a number only if the replaced value was a number, or if the text is
 * the exact form of a number.
 */
function untypedValue(text: string, storageClass: StorageClass): Value {
  if (storageClass === 'real') return realFrom(text, true) ?? text;
  if (storageClass !== 'integer' && storageClass !== 'null') return text;
  const integer = integerFrom(text);
  if (integer !== null) return String(integer) === text || storageClass === 'integer' ? integer : text;
  const isDecimal = /^-?(?:0|[1-9]\d*)\.\d+$/.test(text);
  return isDecimal ? (realFrom(text, false) ?? text) : text;
}
