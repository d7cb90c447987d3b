// Values as they are shown to people: as SQL literals on one line, so that 1, 1.0, and '1' look different, and cut if they are long.
import { isRawText, type Value } from '#shared/protocol/values.ts';
import { visibleLine } from '#shared/visible-text.ts';
import { sqlLiteral } from '../sql/literal.ts';

const MAX_CHARS = 60;
const MAX_BYTES = 30;
/** Shown before the first difference of two long values. */
const LEAD = 10;

export const shownValue = (value: Value): string => shownFrom(value, 0);

/** Two values, each from shortly before the place where they begin to differ. */
export function shownPair(before: Value, after: Value): readonly [string, string] {
  const start = Math.max(0, firstDifference(before, after) - LEAD);
  const isCut = (value: Value): boolean => lengthOf(value) > (typeof value === 'string' ? MAX_CHARS : MAX_BYTES);
  const from = isCut(before) && isCut(after) ? start : 0;
  return [shownFrom(before, from), shownFrom(after, from)];
}

function shownFrom(value: Value, start: number): string {
  const length = lengthOf(value);
  const lead = start > 0 ? '…' : '';
  if (typeof value === 'string') {
    const part = value.slice(start, start + MAX_CHARS);
    const rest = start + MAX_CHARS < length ? '…' : '';
    return `'${lead}${visibleLine(part).replaceAll("'", "''")}${rest}'${sizeOf(length > MAX_CHARS, length, 'characters')}`;
  }
  const bytes = bytesOf(value);
  if (bytes === null) return sqlLiteral(value);
  const part = sqlLiteral(bytes.slice(start, start + MAX_BYTES)).slice(2, -1);
  const rest = start + MAX_BYTES < length ? '…' : '';
  const blob = `X'${lead}${part}${rest}'`;
  const text = value instanceof Uint8Array ? blob : `CAST(${blob} AS TEXT)`;
  return `${text}${sizeOf(length > MAX_BYTES, length, 'bytes')}`;
}

const sizeOf = (isCut: boolean, length: number, unit: string): string =>
  isCut ? ` (${length.toLocaleString('en-US')} ${unit})` : '';

function bytesOf(value: Value): Uint8Array | null {
  if (value instanceof Uint8Array) return value;
  return value !== null && typeof value === 'object' && isRawText(value) ? value.textBytes : null;
}

function lengthOf(value: Value): number {
  return typeof value === 'string' ? value.length : (bytesOf(value)?.length ?? 0);
}

function firstDifference(before: Value, after: Value): number {
  const [one, other] = typeof before === 'string' ? [before, after] : [bytesOf(before), bytesOf(after)];
  if (one === null || other === null || typeof one !== typeof other) return 0;
  const [left, right] = [one as ArrayLike<unknown>, other as ArrayLike<unknown>];
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return at;
}
