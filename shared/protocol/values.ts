// SQLite values in JavaScript, without loss.

/**
 * One SQLite value. INTEGER is `bigint` when, and only when, it lies beyond ±(2^53 − 1); inside that range it is a
 * `number`. A `number` that must be stored as REAL although it is integral is carried as {@link Real}.
 */
export type Value = null | number | bigint | string | Uint8Array | Real | RawText;

/** A REAL whose value may be integral (`2.0`): JavaScript's `number` alone would come back as INTEGER 2. */
export interface Real {
  readonly real: number;
}

/** TEXT that is not valid UTF-8 (or must be kept byte for byte): bound as TEXT from these bytes. */
export interface RawText {
  readonly textBytes: Uint8Array;
}

/** SQLite's storage classes, in the words of sqlite.org/datatype3.html. */
export type StorageClass = 'null' | 'integer' | 'real' | 'text' | 'blob';

export function isReal(value: Value): value is Real {
  return typeof value === 'object' && value !== null && 'real' in value;
}

export function isRawText(value: Value): value is RawText {
  return typeof value === 'object' && value !== null && 'textBytes' in value;
}

/** The storage class a value will have when it is bound. */
export function storageClassOf(value: Value): StorageClass {
  if (value === null) return 'null';
  if (typeof value === 'string' || isRawText(value)) return 'text';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0) ? 'integer' : 'real';
  return isReal(value) ? 'real' : 'blob';
}
