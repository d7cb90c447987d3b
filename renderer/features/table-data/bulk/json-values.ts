// Values as JSON that SQLite reads back without loss: 64-bit integers, reals, texts, and NULL.
import { formatReal } from '#shared/packed-rows/reader.ts';
import { isRawText, isReal, storageClassOf, type Value } from '#shared/protocol/index.ts';

/** Null for a BLOB, for a text that is not valid UTF-8, and for a real that JSON cannot represent. */
export function jsonValue(value: Value): string | null {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array || isRawText(value)) return null;
  if (storageClassOf(value) === 'integer') return String(value);
  const real = isReal(value) ? value.real : Number(value);
  return Number.isFinite(real) ? formatReal(real) : null;
}

/** One row as an array; null if one of its values cannot be in JSON. */
export function jsonRow(values: readonly Value[]): string | null {
  const parts = values.map(jsonValue);
  return parts.includes(null) ? null : `[${parts.join(',')}]`;
}
