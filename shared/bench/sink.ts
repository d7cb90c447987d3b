// Consumes every value of a query, so that none is computed for nothing, and computes a checksum of them.

/** Takes the values of rows, in order. */
export interface RowSink {
  value(value: unknown): void;
  endRow(): void;
  /** Rows that a statement changed. */
  changed(rows: number): void;
}

/** Takes the values and nothing else. */
export const valueSink = (value: RowSink['value'] = () => undefined): RowSink => ({
  value,
  endRow: () => undefined,
  changed: () => undefined,
});

const PRIME_A = 0x85ebca6b;
const PRIME_B = 0xc2b2ae35;
/** PostgreSQL and others add REAL numbers in a different order. */
const DIGITS = 12;

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);

/**
 * The checksum covers storage class and value, and is the same on every engine. INTEGER and REAL count as one class: most bindings return
 * both as a JavaScript number. `deep` reads every byte, for runs that are not timed; otherwise a value costs a few nanoseconds: enough to
 * require that it exists, and to detect a run that read something else than the engine's other runs.
 */
export class Sink implements RowSink {
  /** Rows read and rows changed. */
  rows = 0;
  readonly #deep: boolean;
  #a = 0x9e3779b9 | 0;
  #b = 0x243f6a88 | 0;

  constructor(deep: boolean) {
    this.#deep = deep;
  }

  value(value: unknown): void {
    if (this.#deep) return this.#read(value);
    if (typeof value === 'number') this.#mix(value | 0);
    else if (typeof value === 'string') this.#mix(value.length === 0 ? 0 : value.length ^ (value.charCodeAt(0) << 8));
    else if (value === null || value === undefined) this.#mix(1);
    else if (typeof value === 'bigint') this.#mix(Number(value) | 0);
    else if (value instanceof Uint8Array) this.#mix(value.length);
    // `{real}` of the product's own values.
    else if (typeof value === 'object' && 'real' in value) this.#mix(Number(value.real) | 0);
    else this.#read(value);
  }

  endRow(): void {
    this.rows++;
    this.#mix(7);
  }

  changed(rows: number): void {
    this.rows += rows;
    this.#mix(rows);
  }

  /** 16 hexadecimal digits. */
  get checksum(): string {
    const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');
    return hex(finish(this.#a ^ this.rows)) + hex(finish(this.#b ^ Math.imul(this.rows, PRIME_A)));
  }

  #mix(word: number): void {
    this.#a = Math.imul(this.#a ^ word, PRIME_A) ^ (this.#a >>> 13);
    this.#b = Math.imul(this.#b + word, PRIME_B) ^ (this.#b >>> 15);
  }

  #read(value: unknown): void {
    switch (typeof value) {
      case 'number':
      case 'bigint':
      case 'boolean':
        return this.#readNumber(Number(value));
      case 'string':
        this.#mix(2);
        for (let at = 0; at < value.length; at++) this.#mix(value.charCodeAt(at));
        return this.#mix(value.length);
      default:
        if (value === null || value === undefined) return this.#mix(0);
        if (value instanceof Uint8Array) return this.#readBytes(value);
        if (typeof value === 'object' && 'real' in value) return this.#readNumber(Number(value.real));
        return this.#read(String(value));
    }
  }

  #readNumber(value: number): void {
    this.#mix(1);
    float[0] = Number.isInteger(value) ? value + 0 : Number(value.toPrecision(DIGITS));
    this.#mix(words[0]!);
    this.#mix(words[1]!);
  }

  #readBytes(bytes: Uint8Array): void {
    this.#mix(3);
    for (let at = 0; at < bytes.length; at++) this.#mix(bytes[at]!);
    this.#mix(bytes.length);
  }
}

function finish(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), PRIME_A);
  mixed = Math.imul(mixed ^ (mixed >>> 13), PRIME_B);
  return mixed ^ (mixed >>> 16);
}
