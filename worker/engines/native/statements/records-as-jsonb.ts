// Values of many records as one JSONB array (sqlite.org/jsonb.html): one value to hand over instead of a dozen for each record, and SQLite
// takes it apart again with `jsonb_each` and `json_extract`. Text is kept byte for byte, and integers keep their 64 bits.
import { encodeText } from '../../../records/batch-writer.ts';
import { FIELD, type RecordBatch } from '../../../records/record-batch.ts';
import { BOUND, NO_RECORDS } from '../../record-values.ts';
import type { RecordParameter, RecordValues } from '../../record-values.ts';

/** Type codes of the format. What `FLOAT5` holds may lack digits before or after its point. */
const [NULL, INT, FLOAT5, TEXTRAW, ARRAY] = [0, 3, 6, 10, 11];
/** The upper half of the first byte holds sizes up to 11 directly; longer ones follow it in 1, 2 or 4 bytes. */
const [SIZE_1, SIZE_2, SIZE_4] = [0xc0, 0xd0, 0xe0];
const MOST_INLINE = 11;
const HEADER = 5;
const [COMMA, MINUS, POINT] = [0x2c, 0x2d, 0x2e];
/** Any integer that is no longer is a safe one. */
const PLAIN_LENGTH = 15;
/** SQLite reads that many digits of a real exactly: they fit into 64 bits (`sqlite3AtoF`). */
const EXACT_LENGTH = 18;
/** SQLite reaches an element by walking over those before it. */
export const MOST_JSONB_VALUES = 40;

/** `json_extract(value, '$[0]'), …`, and where they come from. */
export const jsonbSource = (values: number): string =>
  `SELECT ${Array.from({ length: values }, (_, at) => `json_extract(value, '$[${at}]')`).join(', ')} FROM jsonb_each(?) WHERE true`;

export class RecordsAsJsonb {
  readonly #values: RecordValues;
  #batch: RecordBatch = NO_RECORDS;
  #bytes = Buffer.allocUnsafe(1 << 16);
  #used = 0;
  readonly #words = new Uint8Array(64);

  constructor(values: RecordValues) {
    this.#values = values;
  }

  load(batch: RecordBatch): void {
    this.#batch = batch;
  }

  /** Null if a value has no JSONB form: a blob, or a real with more digits than SQLite reads exactly. It is valid until the next call. */
  encode(first: number, end: number): Buffer | null {
    this.#used = HEADER;
    for (let record = first; record < end; record++) if (!this.#addRecord(record)) return null;
    this.#arrayHeader(0);
    return this.#bytes.subarray(0, this.#used);
  }

  #addRecord(record: number): boolean {
    const { recordEnds, kinds, starts, ends, bytes } = this.#batch;
    const values = this.#values;
    const first = record === 0 ? 0 : recordEnds[record - 1]!;
    const end = recordEnds[record]!;
    const from = this.#used;
    this.#reserve(HEADER);
    this.#used += HEADER;
    for (const parameter of values.binding.parameters) {
      const place = first + parameter.field;
      const type = place < end ? plainType(kinds[place]!, parameter, bytes, starts[place]!, ends[place]!) : NULL;
      if (type !== NULL) this.#add(type, bytes, starts[place]!, ends[place]!);
      else if (!this.#addValue(values.read(this.#batch, first, end, parameter))) return false;
    }
    this.#arrayHeader(from);
    return true;
  }

  #addValue(bound: number): boolean {
    const { from, to } = this.#values;
    switch (bound) {
      case BOUND.text:
        this.#add(TEXTRAW, this.#batch.bytes, from, to);
        return true;
      case BOUND.null:
        this.#reserve(1);
        this.#bytes[this.#used++] = NULL;
        return true;
      case BOUND.integer:
        this.#addInteger();
        return true;
      case BOUND.real:
        return this.#addReal(from, to);
      case BOUND.digits:
        this.#add(FLOAT5, this.#batch.bytes, from, to);
        return true;
      case BOUND.words:
        this.#addText(TEXTRAW, this.#values.words);
        return true;
      case BOUND.bigInteger:
        this.#addText(INT, String(this.#values.big));
        return true;
      default:
        return false;
    }
  }

  /** Adds the digits of the field as they are, or the number that its word means. */
  #addInteger(): void {
    const { number, from, to } = this.#values;
    const { bytes } = this.#batch;
    const digit = bytes[to - 1]! - 0x30;
    if (from < to && digit >= 0 && digit <= 9) this.#add(INT, bytes, from, to);
    else this.#addText(INT, String(number));
  }

  #addReal(from: number, to: number): boolean {
    if (to - from > EXACT_LENGTH) return false;
    const { bytes } = this.#batch;
    this.#add(FLOAT5, bytes, from, to);
    if (!this.#values.binding.decimalComma) return true;
    const comma = this.#bytes.indexOf(COMMA, this.#used - (to - from));
    if (comma >= 0 && comma < this.#used) this.#bytes[comma] = POINT;
    return true;
  }

  /** Truth values and integers: a call out of JavaScript takes longer than all the rest of a value. */
  #addText(type: number, text: string): void {
    this.#add(type, this.#words, 0, encodeText(text, this.#words, 0));
  }

  #add(type: number, bytes: Uint8Array, from: number, to: number): void {
    const size = to - from;
    this.#reserve(HEADER + size);
    const into = this.#bytes;
    let at = this.#used;
    if (size <= MOST_INLINE) into[at++] = (size << 4) | type;
    else if (size <= 0xff) {
      into[at++] = SIZE_1 | type;
      into[at++] = size;
    } else if (size <= 0xffff) {
      into[at++] = SIZE_2 | type;
      into[at++] = size >> 8;
      into[at++] = size;
    } else at = this.#longHeader(SIZE_4 | type, at, size);
    if (size > 48) into.set(bytes.subarray(from, to), at);
    else for (let n = 0; n < size; n++) into[at + n] = bytes[from + n]!;
    this.#used = at + size;
  }

  #arrayHeader(at: number): void {
    this.#longHeader(SIZE_4 | ARRAY, at, this.#used - at - HEADER);
  }

  #longHeader(head: number, at: number, size: number): number {
    const into = this.#bytes;
    into[at] = head;
    into[at + 1] = size >>> 24;
    into[at + 2] = size >>> 16;
    into[at + 3] = size >>> 8;
    into[at + 4] = size;
    return at + HEADER;
  }

  #reserve(more: number): void {
    const needed = this.#used + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = larger;
  }
}

/** Type of a field that is added as it is, which most are: a text, or a number of few digits. Otherwise `NULL`: its value decides. */
function plainType(kind: number, { as }: RecordParameter, bytes: Uint8Array, from: number, to: number): number {
  if (kind === FIELD.quoted) return as === 'number' ? NULL : TEXTRAW;
  if (kind !== FIELD.number || as === 'text' || to - from > PLAIN_LENGTH) return NULL;
  let type: number = INT;
  let digits = 0;
  for (let at = bytes[from] === MINUS ? from + 1 : from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x30 && byte <= 0x39) digits++;
    else if (byte === POINT && type === INT) type = FLOAT5;
    else return NULL;
  }
  return digits > 0 ? type : NULL;
}
