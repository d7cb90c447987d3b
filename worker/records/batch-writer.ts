// Builds record batches from fields that come one by one: for formats that have to build the text of a field anyway.
import { FIELD, type FieldKind, type RecordBatch } from './record-batch.ts';

const FULL_BYTES = 1 << 20;
/** Records without text take memory, too: 2,000 columns of NULL are many fields. */
const FULL_FIELDS = 1 << 18;
/** A dump can have a COPY or an INSERT in each of its lines, all of which begin a batch of their own. */
const [FIRST_BYTES, FIRST_FIELDS, FIRST_RECORDS] = [1 << 12, 1 << 8, 1 << 6];
const encoder = new TextEncoder();
/** Up to this many characters, a loop is faster than a call out of JavaScript, by far in Chromium. */
const SHORT_CHARS = 64;

/** Grows as needed, and is reused: the result of `take` is valid until the next `clear`. */
export class BatchWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  #used = 0;
  #starts = new Uint32Array(FIRST_FIELDS);
  #ends = new Uint32Array(FIRST_FIELDS);
  #kinds = new Uint8Array(FIRST_FIELDS);
  #fields = 0;
  #recordEnds = new Uint32Array(FIRST_RECORDS);
  #lines = new Float64Array(FIRST_RECORDS);
  #records = 0;
  #line = 0;
  /** First field of the record that has not ended yet. */
  #recordField = 0;
  #recordByte = 0;

  /** Complete records. */
  get records(): number {
    return this.#records;
  }

  /** Enough for one batch. */
  get isFull(): boolean {
    return this.#used >= FULL_BYTES || this.#fields >= FULL_FIELDS;
  }

  /** Begins a record. One that was begun and not ended is dropped. @param line from 1 on; its number where there are no lines. */
  begin(line: number): void {
    this.#line = line;
    this.#fields = this.#recordField;
    this.#used = this.#recordByte;
  }

  /** Adds a field from bytes, which are copied: UTF-8, or anything for a blob. */
  field(kind: FieldKind, bytes: Uint8Array, start = 0, end = bytes.length): void {
    const from = this.#used;
    this.#reserve(end - start);
    if (end - start > 64) this.#bytes.set(bytes.subarray(start, end), from);
    else for (let at = start, to = from; at < end; at++, to++) this.#bytes[to] = bytes[at]!;
    this.#used = from + end - start;
    this.#push(kind, from, this.#used);
  }

  /** Adds a field from a string. A lone surrogate becomes U+FFFD. */
  text(kind: FieldKind, text: string): void {
    const from = this.#used;
    this.#reserve(text.length * 3);
    this.#used = encodeText(text, this.#bytes, from);
    this.#push(kind, from, this.#used);
  }

  /** Adds a field without text: `absent`, `empty`, `quotedEmpty`, `null`, `true`, `false`. */
  bare(kind: FieldKind): void {
    this.#push(kind, this.#used, this.#used);
  }

  /** Ends the record; up to `columns`, missing fields are added as absent. */
  end(columns = 0): void {
    while (this.#fields - this.#recordField < columns) this.bare(FIELD.absent);
    if (this.#records === this.#lines.length) {
      this.#lines = grown(this.#lines, this.#records * 2, Float64Array);
      this.#recordEnds = grown(this.#recordEnds, this.#records * 2, Uint32Array);
    }
    this.#lines[this.#records] = this.#line;
    this.#recordEnds[this.#records++] = this.#fields;
    this.#recordField = this.#fields;
    this.#recordByte = this.#used;
  }

  /** The complete records. */
  take(): RecordBatch {
    return {
      bytes: this.#bytes,
      starts: this.#starts,
      ends: this.#ends,
      kinds: this.#kinds,
      records: this.#records,
      recordEnds: this.#recordEnds,
      lines: this.#lines,
    };
  }

  /** Begins the next batch; memory that one huge record took is released. */
  clear(): void {
    if (this.#bytes.length > FULL_BYTES * 8) this.#bytes = new Uint8Array(FIRST_BYTES);
    this.#used = this.#fields = this.#records = this.#recordField = this.#recordByte = 0;
  }

  #push(kind: FieldKind, start: number, end: number): void {
    const at = this.#fields++;
    if (at === this.#kinds.length) {
      this.#starts = grown(this.#starts, at * 2, Uint32Array);
      this.#ends = grown(this.#ends, at * 2, Uint32Array);
      this.#kinds = grown(this.#kinds, at * 2, Uint8Array);
    }
    this.#starts[at] = start;
    this.#ends[at] = end;
    this.#kinds[at] = kind;
  }

  #reserve(more: number): void {
    const needed = this.#used + more;
    if (needed > this.#bytes.length)
      this.#bytes = grown(this.#bytes, Math.max(needed, this.#bytes.length * 2), Uint8Array);
  }
}

type Numbers = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** A longer copy. */
export function grown<T extends Numbers>(from: T, length: number, Type: new (length: number) => T): T {
  const copy = new Type(length);
  copy.set(from);
  return copy;
}

/**
 * Writes UTF-8, for which there has to be room: three bytes for each UTF-16 unit. A lone surrogate becomes U+FFFD.
 * @returns where the text ends.
 */
export function encodeText(text: string, bytes: Uint8Array, from: number): number {
  const { length } = text;
  if (length <= SHORT_CHARS) {
    let at = 0;
    for (; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code >= 0x80) break;
      bytes[from + at] = code;
    }
    if (at === length) return from + length;
  }
  return from + encoder.encodeInto(text, bytes.subarray(from)).written;
}
