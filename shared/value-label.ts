// A value inside a sentence for a person: short, and never to be mistaken for another.
import { formatReal } from './packed-rows/reader.ts';
import { isRawText, isReal } from './protocol/values.ts';
import type { Value } from './protocol/values.ts';

const SHOWN = 80;

export function valueLabel(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string')
    return value === '' ? 'an empty text' : `“${value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value}”`;
  if (isReal(value)) return formatReal(value.real);
  if (isRawText(value)) return `a text of ${value.textBytes.length} bytes that is not UTF-8`;
  if (value instanceof Uint8Array) return `a blob of ${value.length} bytes`;
  return typeof value === 'number' && !Number.isInteger(value) ? formatReal(value) : String(value);
}
