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
