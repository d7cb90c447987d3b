// A batch whose fields are ranges of the bytes that were read: nothing is copied.
import { FIELD, type FieldKind, type RecordBatch } from '../../records/record-batch.ts';

const FIRST_FIELDS = 1 << 14;
/** For these, a loop is faster than calls out of JavaScript. */
const FEW_FIELDS = 32;
const FIRST_RECORDS = 1 << 11;

export class JsonBatch implements RecordBatch {
  bytes: Uint8Array = new Uint8Array();
  starts = new Uint32Array(FIRST_FIELDS);
  ends = new Uint32Array(FIRST_FIELDS);
  kinds = new Uint8Array(FIRST_FIELDS);
  recordEnds = new Uint32Array(FIRST_RECORDS);
  lines = new Float64Array(FIRST_RECORDS);
  records = 0;
  /** Fields of all records so far, which is where the next one begins. */
  fields = 0;

  clear(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.records = 0;
    this.fields = 0;
  }

  /** Room for fields up to `end`, those from `from` on absent, and where the record begins. */
  open(from: number, end: number, at: number): void {
    if (end > this.kinds.length) {
      const length = Math.max(end, this.kinds.length * 2);
      this.starts = grown(this.starts, new Uint32Array(length));
      this.ends = grown(this.ends, new Uint32Array(length));
      this.kinds = grown(this.kinds, new Uint8Array(length));
    }
    const { kinds, starts, ends } = this;
    if (end - from > FEW_FIELDS) {
      kinds.fill(FIELD.absent, from, end);
      starts.fill(at, from, end);
      ends.fill(at, from, end);
      return;
    }
    for (let field = from; field < end; field++) {
      kinds[field] = FIELD.absent;
      starts[field] = ends[field] = at;
    }
  }

  set(field: number, kind: FieldKind, start: number, end: number): void {
    this.kinds[field] = kind;
    this.starts[field] = start;
    this.ends[field] = end;
  }

  /** Ends a record of `count` fields. */
  close(count: number, line: number): void {
    if (this.records === this.lines.length) {
      this.recordEnds = grown(this.recordEnds, new Uint32Array(this.records * 2));
      this.lines = grown(this.lines, new Float64Array(this.records * 2));
    }
    this.fields += count;
    this.recordEnds[this.records] = this.fields;
    this.lines[this.records] = line;
    this.records++;
  }
}

function grown<A extends Uint8Array | Uint32Array | Float64Array>(old: A, larger: A): A {
  larger.set(old);
  return larger;
}
