// Parses numbers in the XML of a sheet from their bytes.

const [ZERO, NINE, PLUS, MINUS, POINT, LOWER_E] = [0x30, 0x39, 0x2b, 0x2d, 0x2e, 0x65];
/** This many digits are certainly a safe integer. */
const SAFE_DIGITS = 15;

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

/** Null unless the text is only digits, of a number that JavaScript holds exactly. */
export function wholeNumber(bytes: Uint8Array, start: number, end: number): number | null {
  if (start >= end || end - start > SAFE_DIGITS) return null;
  let value = 0;
  for (let at = start; at < end; at++) {
    if (!isDigit(bytes[at]!)) return null;
    value = value * 10 + bytes[at]! - ZERO;
  }
  return value;
}

/** `-1.5e+3`, as XML Schema writes a double, but for `INF` and `NaN`. */
export function isNumber(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  if (bytes[at] === PLUS || bytes[at] === MINUS) at++;
  const whole = at;
  while (at < end && isDigit(bytes[at]!)) at++;
  let digits = at - whole;
  if (at < end && bytes[at] === POINT) {
    const fraction = ++at;
    while (at < end && isDigit(bytes[at]!)) at++;
    digits += at - fraction;
  }
  if (digits === 0) return false;
  if (at === end) return true;
  if ((bytes[at]! | 0x20) !== LOWER_E) return false;
  at++;
  if (bytes[at] === PLUS || bytes[at] === MINUS) at++;
  const exponent = at;
  while (at < end && isDigit(bytes[at]!)) at++;
  return at === end && at > exponent;
}
