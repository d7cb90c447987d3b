// What SQLite will make of a value when it stores it: column affinity, and the types of STRICT tables.
import { affinityOf } from '#shared/ddl/affinity.ts';
import { isRawText, isReal, storageClassOf, type StorageClass, type Value } from '#shared/protocol/values.ts';
import { trimmed } from '#shared/trimmed.ts';
import { integerFrom, realFrom } from '../../../workbench/cells/typed-text.ts';

export interface ColumnType {
  readonly declaredType: string;
  readonly isStrict: boolean;
}

/** White space as defined by `sqlite3Isspace`. */
const BLANKS = ' \t\n\v\f\r';
const TWO_63 = 2 ** 63;
const STRICT_CLASSES: Readonly<Record<string, StorageClass>> = {
  INT: 'integer',
  INTEGER: 'integer',
  REAL: 'real',
  TEXT: 'text',
  BLOB: 'blob',
};

/** Follows the rules of sqlite.org/datatype3.html, section 3. */
export function storedClass(value: Value, { declaredType, isStrict }: ColumnType): StorageClass {
  const given = storageClassOf(value);
  if (given === 'null' || given === 'blob') return given;
  switch (affinityOf(declaredType, isStrict)) {
    case 'BLOB':
      return given;
    case 'TEXT':
      return 'text';
    case 'REAL':
      return given === 'text' && numberIn(value) === null ? 'text' : 'real';
    default:
      return numericClass(value, given);
  }
}

/** Message if a STRICT column rejects this storage class; null if it accepts it. */
export function strictRefusal(stored: StorageClass, { declaredType, isStrict }: ColumnType): string | null {
  const taken = STRICT_CLASSES[declaredType.trim().toUpperCase()];
  if (!isStrict || stored === 'null' || taken === undefined || taken === stored) return null;
  return `This column of a STRICT table accepts only ${declaredType.trim().toUpperCase()}.`;
}

/** Storage class in columns with INTEGER or NUMERIC affinity. */
function numericClass(value: Value, given: StorageClass): StorageClass {
  if (given === 'integer') return 'integer';
  const number = given === 'text' ? numberIn(value) : value;
  if (number === null) return 'text';
  if (storageClassOf(number) === 'integer') return 'integer';
  const real = isReal(number) ? number.real : Number(number);
  return Number.isInteger(real) && real > -TWO_63 && real < TWO_63 ? 'integer' : 'real';
}

function numberIn(value: Value): Value | null {
  if (typeof value !== 'string' || isRawText(value)) return null;
  const text = trimmed(value, BLANKS);
  return integerFrom(text) ?? realFrom(text, false);
}
