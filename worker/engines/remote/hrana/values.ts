// Values on their way to and from a server. Integers travel as text and keep their 64 bits; a real travels as a JSON number.
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import { assertFits, fitsInteger } from '../../integer-range.ts';
import { malformed } from './malformed.ts';

// REALs in SQL, bit by bit: parsers of decimal numbers may be off by one bit for numbers with many digits.

/** A fraction of at most 15 digits times 10^-22 at least is read exactly by every parser; so is an integer of 53 bits. */
const EXACT_DIGITS = 15;
const EXACT_EXPONENT = 22;

/** The number must be finite. */
export function isReadExactly(value: number): boolean {
  if (Number.isInteger(value)) return Number.isSafeInteger(value);
  const [digits, exponent] = Math.abs(value).toExponential().replace('.', '').split('e') as [string, string];
  return digits.length <= EXACT_DIGITS && Math.abs(Number(exponent) - digits.length + 1) <= EXACT_EXPONENT;
}

const bits = new DataView(new ArrayBuffer(8));
/** Bits of the mantissa after its leading one, and the lowest exponent (IEEE 754). */
const [FRACTION_BITS, LOWEST] = [52n, -1074];

/** `value` is `mantissa · 2^exponent`. */
export function partsOf(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  bits.setFloat64(0, value);
  const word = bits.getBigUint64(0);
  const biased = Number((word >> FRACTION_BITS) & 0x7ffn);
  const fraction = word & ((1n << FRACTION_BITS) - 1n);
  const mantissa = biased === 0 ? fraction : fraction | (1n << FRACTION_BITS);
  return { mantissa: value < 0 ? -mantissa : mantissa, exponent: biased === 0 ? LOWEST : biased - 1 + LOWEST };
}

/** The rest of an expression that begins with a mantissa. Integers in SQL are exact; SQLite makes reals of them when the other side is one. */
export function timesPowerOfTwo(exponent: number): string {
  const operator = exponent < 0 ? ' / ' : ' * ';
  let text = '';
  for (let left = Math.abs(exponent); left > 0; left -= 62) text += operator + (1n << BigInt(Math.min(left, 62)));
  return text;
}

/** A bound value as JSON text. */
export type EncodedValue = string;

const NULL = '{"type":"null"}';

/** Text that replaces a parameter in the statement: the parameter itself, or an expression around it. */
export interface BoundParameter {
  readonly value: EncodedValue;
  /** Expression with `?` for the parameter. */
  readonly expression: string;
}

const plain = (value: EncodedValue): BoundParameter => ({ value, expression: '?' });

/** @throws AppError `too-big` */
export function encodeValue(value: Value): BoundParameter {
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? plain(integer(value)) : encodeReal(value);
    case 'bigint':
      assertFits(value);
      return plain(integer(value));
    case 'string':
      return plain(`{"type":"text","value":${JSON.stringify(value)}}`);
    default:
      if (value === null) return plain(NULL);
      if (isReal(value)) return encodeReal(value.real);
      // JSON cannot carry text that is not Unicode. The `+` takes the affinity of the cast away again.
      if (isRawText(value)) return { value: blob(value.textBytes), expression: '(+CAST(? AS TEXT))' };
      return plain(blob(value));
  }
}

const integer = (value: number | bigint): EncodedValue => `{"type":"integer","value":"${value}"}`;

const blob = (bytes: Uint8Array): EncodedValue =>
  `{"type":"blob","base64":"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')}"}`;

/**
 * The server reads JSON numbers with a parser that is off by one bit for one number in three with many digits. Such a number is sent as an
 * integer and multiplied or divided by powers of two, which is exact.
 */
function encodeReal(value: number): BoundParameter {
  if (value === Infinity) return { value: NULL, expression: '(ifnull(?, 9e999))' };
  if (value === -Infinity) return { value: NULL, expression: '(ifnull(?, -9e999))' };
  if (Number.isNaN(value)) return plain(NULL);
  if (Object.is(value, -0)) return plain('{"type":"float","value":-0.0}');
  if (isReadExactly(value)) return plain(`{"type":"float","value":${value}}`);
  const { mantissa, exponent } = partsOf(value);
  return { value: integer(mantissa), expression: `(CAST(? AS REAL)${timesPowerOfTwo(exponent)})` };
}

/** A cell that is a value already, of a protocol that has its own form of values. */
export class DecodedCell {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/**
 * A cell of a result. Undefined: a REAL that JSON cannot carry, which is plus or minus infinity.
 *
 * @throws AppError for anything that is not a value
 */
export function decodeValue(cell: unknown): Value | undefined {
  if (cell instanceof DecodedCell) return cell.value;
  if (typeof cell !== 'object' || cell === null) throw malformed('a cell is not a value');
  const { type, value, base64 } = cell as { type?: unknown; value?: unknown; base64?: unknown };
  switch (type) {
    case 'null':
      return null;
    case 'integer':
      return decodeInteger(value);
    case 'float':
      if (value === null) return undefined;
      if (typeof value !== 'number') throw malformed('a number is not one');
      return Number.isInteger(value) ? { real: value } : value;
    case 'text':
      if (typeof value !== 'string') throw malformed('a text is not one');
      return value;
    case 'blob':
      if (typeof base64 !== 'string') throw malformed('a blob is not one');
      return Uint8Array.from(Buffer.from(base64, 'base64'));
    default:
      throw malformed('a cell is not a value');
  }
}

/** @throws AppError for an infinity, too: keys and values that are compared are never guessed. */
export function decodeExactly(cell: unknown): Value {
  const value = decodeValue(cell);
  if (value === undefined) throw malformed('a number is not one');
  return value;
}

const INTEGER = /^-?\d{1,19}$/;

/** @throws AppError for what is no integer of 64 bits */
export function decodeInteger(value: unknown): number | bigint {
  if (typeof value !== 'string' || !INTEGER.test(value)) throw malformed('an integer is not one');
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  const big = BigInt(value);
  if (!fitsInteger(big)) throw malformed('an integer is not one');
  return big;
}
