// Decides how a field of a record is bound: as NULL, as a number where that is exact, or as the unchanged bytes of its text. The affinity
// of its column does the rest (sqlite.org/datatype3.html#affinity), so SQLite converts numbers that are not recognized here.
import { EMPTY as EMPTY_TOKEN, nullWords, QUOTED_EMPTY } from '#shared/import/null-tokens.ts';
import { asciiText } from '#shared/ascii-text.ts';
import { FIELD, type RecordBatch } from '../records/record-batch.ts';

export interface RecordParameter {
  /** Index in the record, from 0. */
  readonly field: number;
  /**
   * `text`: always stays text. `number`: for a column of INTEGER, REAL or NUMERIC affinity; becomes a number if its text is one. `any`:
   * text stays text, and a number of the format becomes a number.
   */
  readonly as: 'text' | 'number' | 'any';
}

/** How the records of a file are bound to the parameters of a statement. */
export interface RecordBinding {
  /** One for each parameter of a row, in order. */
  readonly parameters: readonly RecordParameter[];
  /** Unquoted texts that mean NULL; '': an empty field without quotes; '""': one in quotes. */
  readonly nullTokens: readonly string[];
  /** True when `1,5` means one and a half. */
  readonly decimalComma: boolean;
}

export const BOUND = { null: 0, integer: 1, real: 2, text: 3, blob: 4, words: 5, bigInteger: 6, digits: 7 } as const;
export type Bound = (typeof BOUND)[keyof typeof BOUND];

const LOWER_E = 0x65;
/** With its point: its digits are an integer, and a power of ten, that are both exact as doubles. */
const SHORT_REAL = 12;
const EMPTY = new Uint8Array(0);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Determines for one field after the other how it is bound: {@link read} returns the kind, and the properties hold the value. */
export class RecordValues {
  readonly binding: RecordBinding;
  /** `integer` (any safe one) and `real`. */
  number = 0;
  /** `text`, `blob`, and `digits`, a REAL that SQLite itself is to read: a range of the batch's bytes. */
  from = 0;
  to = 0;
  /** `words`: text that is not in the batch. */
  words = '';
  /** `bigInteger`: 64 bits. */
  big = 0n;
  readonly #numbers: NumberText;
  readonly #nullTokens: readonly Uint8Array[];
  readonly #emptyIsNull: boolean;
  readonly #quotedEmptyIsNull: boolean;

  constructor(binding: RecordBinding) {
    this.binding = binding;
    this.#numbers = new NumberText(binding.decimalComma);
    this.#nullTokens = nullWords(binding.nullTokens).map((token) => encoder.encode(token));
    this.#emptyIsNull = binding.nullTokens.includes(EMPTY_TOKEN);
    this.#quotedEmptyIsNull = binding.nullTokens.includes(QUOTED_EMPTY);
  }

  /** @param first field of the record; `end`: the one after its last */
  read(batch: RecordBatch, first: number, end: number, parameter: RecordParameter): Bound {
    const place = first + parameter.field;
    if (place >= end) return BOUND.null;
    const { as } = parameter;
    this.from = batch.starts[place]!;
    this.to = batch.ends[place]!;
    switch (batch.kinds[place]) {
      case FIELD.absent:
      case FIELD.null:
        return BOUND.null;
      case FIELD.empty:
        return this.#emptyIsNull ? BOUND.null : this.#empty();
      case FIELD.quotedEmpty:
        return this.#quotedEmptyIsNull ? BOUND.null : this.#empty();
      case FIELD.true:
        return this.#truth(true, as);
      case FIELD.false:
        return this.#truth(false, as);
      case FIELD.blob:
        return BOUND.blob;
      case FIELD.real:
        return as === 'text' ? BOUND.text : this.#real(batch.bytes);
      case FIELD.text:
        if (this.#nullTokens.length > 0 && this.#isNull(batch.bytes)) return BOUND.null;
        return as === 'number' ? this.#number(batch.bytes) : BOUND.text;
      case FIELD.quoted:
        return as === 'number' ? this.#number(batch.bytes) : BOUND.text;
      case FIELD.number:
        return as === 'text' ? BOUND.text : this.#numberFor(as, batch.bytes);
      default:
        return BOUND.text;
    }
  }

  #empty(): Bound {
    this.from = this.to = 0;
    return BOUND.text;
  }

  #truth(value: boolean, as: RecordParameter['as']): Bound {
    this.from = this.to = 0;
    this.words = String(value);
    this.number = value ? 1 : 0;
    return as === 'text' ? BOUND.words : BOUND.integer;
  }

  #number(bytes: Uint8Array): Bound {
    const kind = this.#numbers.read(bytes, this.from, this.to);
    if (kind === 'text') return BOUND.text;
    this.number = this.#numbers.value;
    return kind === 'integer' ? BOUND.integer : BOUND.real;
  }

  /** Every parser reads the same number from few digits without an exponent: to ask SQLite takes longer than to store a row. */
  #real(bytes: Uint8Array): Bound {
    const { from, to } = this;
    if (to - from > SHORT_REAL) return BOUND.digits;
    for (let at = from; at < to; at++) if ((bytes[at]! | 0x20) === LOWER_E) return BOUND.digits;
    return this.#number(bytes);
  }

  /** A number of the format: if no affinity converts its text, it has to be converted here. */
  #numberFor(as: RecordParameter['as'], bytes: Uint8Array): Bound {
    const bound = this.#number(bytes);
    if (as === 'number' || bound !== BOUND.text) return bound;
    const text = decoder.decode(bytes.subarray(this.from, this.to));
    if (!/^[+-]?[0-9]+$/.test(text)) return BOUND.text;
    this.big = BigInt(text.replace('+', ''));
    if (this.big === BigInt.asIntN(64, this.big)) return BOUND.bigInteger;
    this.number = Number(text);
    return BOUND.real;
  }

  #isNull(bytes: Uint8Array): boolean {
    const { from, to } = this;
    next: for (const token of this.#nullTokens) {
      if (token.length !== to - from) continue;
      for (let at = 0; at < token.length; at++) if (token[at] !== bytes[from + at]) continue next;
      return true;
    }
    return false;
  }
}

/** Number of used bytes of a batch. */
export function usedBytes({ ends, records, recordEnds }: RecordBatch): number {
  const fields = records === 0 ? 0 : recordEnds[records - 1]!;
  let used = 0;
  for (let field = 0; field < fields; field++) if (ends[field]! > used) used = ends[field]!;
  return used;
}

/** An empty batch. */
export const NO_RECORDS: RecordBatch = {
  bytes: EMPTY,
  starts: new Uint32Array(0),
  ends: new Uint32Array(0),
  kinds: EMPTY,
  records: 0,
  recordEnds: new Uint32Array(0),
  lines: new Float64Array(0),
};

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const COMMA = 0x2c;
const ZERO = 0x30;
/** Up to this many digits are always a safe integer. */
const EXACT_DIGITS = 15;
/** The largest power of ten that is exact as a double. */
const EXACT_POWER = 22;
/** Longer numbers are rare and left to SQLite. */
const MAX_LENGTH = 400;
const POWERS = Array.from({ length: EXACT_POWER + 1 }, (_, power) => Number(`1e${power}`));

/**
 * Parses numbers in text, without creating a string where the result is exact: integers up to 15 digits, and decimals whose digits and
 * power of ten are both exact as doubles (Clinger's fast path). Other numbers go through `Number`, which rounds correctly; SQLite's own
 * conversion reads at most 19 digits.
 */
class NumberText {
  /** Value of the last text that was a number. */
  value = 0;
  readonly #decimalComma: boolean;

  constructor(decimalComma: boolean) {
    this.#decimalComma = decimalComma;
  }

  /** `text`: not a number, or one that SQLite reads just as well (an integer beyond 15 digits). */
  read(bytes: Uint8Array, from: number, to: number): 'integer' | 'real' | 'text' {
    let at = from;
    const first = bytes[at];
    const isNegative = first === MINUS;
    if (isNegative || first === PLUS) at++;
    let mantissa = 0;
    let digits = 0;
    let significant = 0;
    let decimals = 0;
    let hasPoint = false;
    for (; at < to; at++) {
      const byte = bytes[at]!;
      const digit = byte - ZERO;
      if (digit >= 0 && digit <= 9) {
        digits++;
        if (significant > 0 || digit > 0) significant++;
        if (significant <= EXACT_DIGITS) mantissa = mantissa * 10 + digit;
        if (hasPoint) decimals++;
      } else if (!hasPoint && (byte === POINT || (byte === COMMA && this.#decimalComma))) hasPoint = true;
      else break;
    }
    if (digits === 0 || to - from > MAX_LENGTH) return 'text';
    if (at < to) return this.#withExponent(bytes, from, at, to);
    if (significant > EXACT_DIGITS) return hasPoint ? this.#exactly(bytes, from, to) : 'text';
    if (!hasPoint) {
      this.value = isNegative && mantissa > 0 ? -mantissa : mantissa;
      return 'integer';
    }
    if (decimals > EXACT_POWER) return this.#exactly(bytes, from, to);
    const value = mantissa / POWERS[decimals]!;
    this.value = isNegative ? -value : value;
    return 'real';
  }

  #withExponent(bytes: Uint8Array, from: number, at: number, to: number): 'real' | 'text' {
    if ((bytes[at]! | 0x20) !== LOWER_E) return 'text';
    let digit = at + 1;
    if (bytes[digit] === MINUS || bytes[digit] === PLUS) digit++;
    if (digit >= to) return 'text';
    for (; digit < to; digit++) if (bytes[digit]! < ZERO || bytes[digit]! > ZERO + 9) return 'text';
    return this.#exactly(bytes, from, to);
  }

  #exactly(bytes: Uint8Array, from: number, to: number): 'real' {
    const text = asciiText(bytes, from, to);
    this.value = Number(this.#decimalComma ? text.replace(',', '.') : text);
    return 'real';
  }
}
