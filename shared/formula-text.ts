// Which text a spreadsheet takes for a formula (owasp.org, CSV injection).

/** Some take the wide forms for the same signs. */
const FORMULA_STARTS = '=+-@\t\r\n＝＋－＠';
const ENCODED = Array.from(FORMULA_STARTS, (sign) => new TextEncoder().encode(sign));

export const looksLikeFormula = (text: string): boolean => text !== '' && FORMULA_STARTS.includes(text[0]!);

/** The same for UTF-8. */
export const bytesLookLikeFormula = (bytes: Uint8Array, start: number, length: number): boolean =>
  ENCODED.some((sign) => sign.length <= length && sign.every((byte, at) => bytes[start + at] === byte));
