// Compares SQLite values to the last bit: storage class, 64-bit integers, bytes.
import { isRawText, isReal, storageClassOf, type Value } from '#shared/protocol/values.ts';

export function sameValue(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a === null || b === null || storageClassOf(a) !== storageClassOf(b)) return false;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return sameBytes(a, b);
  if (isRawText(a) && isRawText(b)) return sameBytes(a.textBytes, b.textBytes);
  // An integral REAL may come as a plain number too large for an INTEGER, or as {real}.
  return storageClassOf(a) === 'real' && realOf(a) === realOf(b);
}

/** Whether two rows, or two keys, have the same values; null, for no row, is only the same as null. */
export function sameRow(a: readonly Value[] | null, b: readonly Value[] | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((value, at) => sameValue(value, b[at]!));
}

function realOf(value: Value): number {
  return isReal(value) ? value.real : Number(value);
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
