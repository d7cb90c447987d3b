// Literals of SQL text: what values they are, and whether a text is a known one but for its literals. The hot path of long scripts, so
// everything is read where it lies.

/** Text ended by a NUL: UTF-8 in wasm memory, or UTF-16. A process reads one kind only, so that its code is compiled for that. */
export type TextUnits = Uint8Array | Uint16Array;
/** Position in the text; in wasm memory its address. */
export type TextOffset = number;

export const MAX_LITERALS = 100;

export interface LiteralPattern {
  /** A parameter for each literal. */
  readonly sql: string;
  /** The text around the literals, concatenated, and where each part ends. */
  readonly parts: TextUnits;
  readonly ends: readonly number[];
  /** For each literal, whether it is compared with something, so that the planner may use its value. */
  readonly compared: readonly boolean[];
  /** For each literal, whether SQLite reads it as a REAL from its digits: only REAL and NULL may stand there. */
  readonly reals: readonly boolean[];
}

/** Kinds from `longInteger` on have their value in the text between `starts` and `ends`; blobs have their digits there. */
export const LiteralKind = {
  null: 0, integer: 1, real: 2, text: 3, quotedText: 4, longInteger: 5, longReal: 6, blob: 7,
} as const; // prettier-ignore

/** Literals found in the text that was read last: one object, reused for statement after statement. */
export class Literals {
  count = 0;
  readonly kinds = new Uint8Array(MAX_LITERALS);
  readonly numbers = new Float64Array(MAX_LITERALS);
  /** Where text starts, excluding its quotes; in `quotedText` each inner quote is doubled. */
  readonly starts = new Uint32Array(MAX_LITERALS);
  readonly ends = new Uint32Array(MAX_LITERALS);
}

/**
 * Within these limits every parser reads the same number from the digits: the quotient of two numbers that are exact, and SQLite's own
 * error far smaller.
 */
const MAX_DIGITS = 15;
const MAX_DECIMALS = 10;
/** Any number of so many digits is a 64-bit integer. */
const MAX_INTEGER_DIGITS = 18;

const QUOTE = 0x27;
const PLUS = 0x2b;
const DASH = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const SEMICOLON = 0x3b;
const LETTER_A = 0x61;
const LETTER_E = 0x65;
const LETTER_F = 0x66;
const LETTER_X = 0x78;

/** End of the statement at `at` if it is `pattern` with other literals: its semicolon, or the NUL of the text. Otherwise -1. */
export function matchPattern(pattern: LiteralPattern, units: TextUnits, at: TextOffset, found: Literals): TextOffset {
  const { parts, ends, compared, reals } = pattern;
  found.count = compared.length;
  let place = 0;
  for (let index = 0; ; index++) {
    for (const end = ends[index]!; place < end;) if (units[at++] !== parts[place++]) return -1;
    if (index === found.count) return units[at] === SEMICOLON || units[at] === 0 ? at : -1;
    at = readLiteral(units, at, found, index);
    if (at < 0 || !fits(found, index, compared[index]!, reals[index]!)) return -1;
  }
}

function fits(found: Literals, index: number, isCompared: boolean, isReal: boolean): boolean {
  const kind = found.kinds[index]!;
  if (isReal) return kind === LiteralKind.real || kind === LiteralKind.longReal || kind === LiteralKind.null;
  if (kind === LiteralKind.longReal) return false;
  return !isCompared || (kind < LiteralKind.longInteger && !isTelling(found, index));
}

/**
 * Whether the planner treats the value in a way of its own: −1, 0, and 1 count as flags that many rows have (`whereLoopOutputAdjust`), and
 * nothing is equal to NULL.
 */
export function isTelling({ kinds, numbers }: Literals, index: number): boolean {
  const kind = kinds[index];
  return kind === LiteralKind.null || (kind === LiteralKind.integer && Math.abs(numbers[index]!) <= 1);
}

/** Position behind the literal that begins at `at`; -1 if there is none that is plain. */
export function readLiteral(units: TextUnits, at: TextOffset, found: Literals, index: number): TextOffset {
  const first = units[at]!;
  if (first === QUOTE) return readText(units, at + 1, found, index);
  if (first === DASH || isDigit(first)) return readNumber(units, at, found, index);
  if ((first | 0x20) === LETTER_X && units[at + 1] === QUOTE) return readBlob(units, at + 2, found, index);
  if (!isKeyword(units, at, 'null')) return -1;
  found.kinds[index] = LiteralKind.null;
  return at + 4;
}

function readText(units: TextUnits, start: TextOffset, found: Literals, index: number): TextOffset {
  let kind: number = LiteralKind.text;
  for (let at = start; ; at++) {
    const unit = units[at]!;
    if (unit === 0) return -1;
    if (unit !== QUOTE) continue;
    if (units[at + 1] === QUOTE) {
      kind = LiteralKind.quotedText;
      at++;
      continue;
    }
    found.kinds[index] = kind;
    found.starts[index] = start;
    found.ends[index] = at;
    return at + 1;
  }
}

function readBlob(units: TextUnits, start: TextOffset, found: Literals, index: number): TextOffset {
  let at = start;
  while (isHexDigit(units[at]!)) at++;
  if (units[at] !== QUOTE || (at - start) % 2 === 1) return -1;
  return readRange(LiteralKind.blob, start, at, found, index) + 1;
}

function readRange(kind: number, start: TextOffset, end: TextOffset, found: Literals, index: number): TextOffset {
  found.kinds[index] = kind;
  found.starts[index] = start;
  found.ends[index] = end;
  return end;
}

function readNumber(units: TextUnits, from: TextOffset, found: Literals, index: number): TextOffset {
  let at = from;
  const isNegative = units[at] === DASH;
  if (isNegative) at++;
  const start = at;
  let value = 0;
  for (; isDigit(units[at]!); at++) value = value * 10 + units[at]! - ZERO;
  const whole = at - start;
  if (whole === 0) return -1;
  let decimals = 0;
  if (units[at] === DOT) {
    const point = at++;
    for (; isDigit(units[at]!); at++) value = value * 10 + units[at]! - ZERO;
    decimals = at - point - 1;
    if (decimals === 0) return -1;
  }
  if ((units[at]! | 0x20) === LETTER_E) {
    const end = endOfExponent(units, at + 1);
    return end < 0 ? -1 : readRange(LiteralKind.longReal, from, end, found, index);
  }
  if (decimals === 0 && whole > MAX_DIGITS)
    return whole > MAX_INTEGER_DIGITS ? -1 : readRange(LiteralKind.longInteger, from, at, found, index);
  if (decimals > MAX_DECIMALS || whole + decimals > MAX_DIGITS)
    return readRange(LiteralKind.longReal, from, at, found, index);
  if (decimals > 0) value /= 10 ** decimals;
  found.kinds[index] = decimals > 0 ? LiteralKind.real : LiteralKind.integer;
  found.numbers[index] = isNegative ? -value : value;
  return at;
}

function endOfExponent(units: TextUnits, from: TextOffset): TextOffset {
  const start = units[from] === DASH || units[from] === PLUS ? from + 1 : from;
  let at = start;
  while (isDigit(units[at]!)) at++;
  return at === start ? -1 : at;
}

function isHexDigit(unit: number): boolean {
  return isDigit(unit) || ((unit | 0x20) >= LETTER_A && (unit | 0x20) <= LETTER_F);
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

/** `word` is in lower case. */
export function isKeyword(units: Uint8Array | Uint16Array, at: number, word: string): boolean {
  for (let index = 0; index < word.length; index++) {
    if ((units[at + index]! | 0x20) !== word.charCodeAt(index)) return false;
  }
  return true;
}
