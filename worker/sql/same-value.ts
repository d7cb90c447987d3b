// Compares two SQLite values to the last bit: storage class, 64-bit integers, bytes.
import { isRawText, isReal, storageClassOf } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';

export function sameValue(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a === null || b === null || storageClassOf(a) !== storageClassOf(b)) return false;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return sameBytes(a, b);
  if (isRawText(a) && isRawText(b)) return sameBytes(a.textBytes, b.textBytes);
  // An integral REAL may come as a plain number too large for an INTEGER, or as {real}.
  return storageClassOf(a) === 'real' && realOf(a) === realOf(b);
}

function realOf(value: Value): number {
  return isReal(value) ? value.real : Number(value);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
