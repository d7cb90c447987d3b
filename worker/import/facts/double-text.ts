// Tells numbers that are doubles written with as few digits as they need from numbers that have more digits than a double keeps.
import { trimmedEnd } from '#shared/trimmed.ts';
import { asciiText } from '#shared/ascii-text.ts';

const PARTS = /^-?(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** The text must be a number. */
export function isDouble(bytes: Uint8Array, start: number, end: number): boolean {
  const text = asciiText(bytes, start, end);
  const value = Number(text);
  const shortest = String(value);
  return Number.isFinite(value) && (text === shortest || digitsOf(text) === digitsOf(shortest));
}

/** The digits without zeros at either end, and the power of ten of the last one. */
function digitsOf(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = PARTS.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const short = trimmedEnd(digits, '0');
  return short === '' ? '0' : `${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}
