// The fields and records that were found in delimited text: what ends a record, what makes it bad, and what is repaired.
import { counted } from '#shared/counted.ts';
import { grown } from '../../records/batch-writer.ts';
import { FIELD, type RecordBatch, type RecordProblem } from '../../records/record-batch.ts';
import { BLANK, CR, LF, type DialectBytes } from './csv-dialect.ts';

/** Characters of a bad record that are kept. */
const PROBLEM_TEXT = 10_000;
/** Added to the kind of a field with doubled quotes or escapes until its record is complete. */
export const DOUBLED = 64;
/** A field without quotes that has escapes. */
export const ESCAPED = FIELD.text | DOUBLED;

/** Parts of the file that were skipped without loss, or read differently from how they are written. */
interface ScannerTally {
  /** Byte order marks at the beginning of a line. */
  boms: number;
  bomLine: number;
  shortRecords: number;
  shortLine: number;
  /** Line of the end mark of DOS; 0: there is none. */
  endMarkLine: number;
}

export abstract class CsvRecords {
  readonly tally: ScannerTally = { boms: 0, bomLine: 0, shortRecords: 0, shortLine: 0, endMarkLine: 0 };
  /** Number of fields of each record; 0: any number, none is too short or too long. */
  columnCount = 0;
  problems: RecordProblem[] = [];
  bytes = new Uint8Array(1);
  filled = 0;
  /** Start of the next field. */
  protected at = 0;
  protected readonly dialect: DialectBytes;

  protected starts = new Uint32Array(1 << 14);
  protected ends = new Uint32Array(1 << 14);
  protected kinds = new Uint8Array(1 << 14);
  protected recordEnds = new Uint32Array(1 << 12);
  protected lines = new Float64Array(1 << 12);
  protected fieldCount = 0;
  protected recordCount = 0;

  /** The incomplete record: its first byte, field and line, and whether one has begun. */
  protected recordAt = 0;
  protected firstField = 0;
  protected recordLine = 1;
  protected isInRecord = false;
  protected hasDoubled = false;
  /** The reason why the record is bad, although its end can be found. */
  protected badReason = '';

  constructor(dialect: DialectBytes) {
    this.dialect = dialect;
  }

  get records(): number {
    return this.recordCount;
  }

  /** The next byte that no complete record contains. */
  get consumed(): number {
    return this.isInRecord ? this.recordAt : this.at;
  }

  /** Forgets the complete records, and moves the remaining bytes to the beginning of memory that has room for `more`. */
  makeRoom(more: number): void {
    const from = this.consumed;
    const left = this.filled - from;
    const needed = left + more + 1;
    const isOversized = this.bytes.length > 4 * needed && this.bytes.length > 8 << 20;
    if (needed > this.bytes.length || isOversized) {
      const bytes = new Uint8Array(needed);
      bytes.set(this.bytes.subarray(from, this.filled));
      this.bytes = bytes;
    } else {
      this.bytes.copyWithin(0, from, this.filled);
    }
    this.filled = left;
    this.at -= from;
    this.recordAt -= from;
    this.forgetRecords(from);
  }

  batch(): RecordBatch {
    return {
      bytes: this.bytes,
      starts: this.starts,
      ends: this.ends,
      kinds: this.kinds,
      records: this.recordCount,
      recordEnds: this.recordEnds,
      lines: this.lines,
    };
  }

  /** @param moved how far the bytes were moved. */
  forgetRecords(moved = 0): void {
    const kept = this.fieldCount - this.firstField;
    for (let to = 0, at = this.firstField; to < kept; to++, at++) {
      this.starts[to] = this.starts[at]! - moved;
      this.ends[to] = this.ends[at]! - moved;
      this.kinds[to] = this.kinds[at]!;
    }
    this.firstField = 0;
    this.fieldCount = kept;
    this.recordCount = 0;
  }

  protected addField(start: number, end: number, kind: number): void {
    const field = this.fieldCount++;
    if (field === this.kinds.length) this.growFields();
    this.starts[field] = start;
    this.ends[field] = end;
    this.kinds[field] = kind;
  }

  protected endRecord(at: number): void {
    const count = this.fieldCount - this.firstField;
    if (this.badReason) {
      this.report(this.badReason, at);
      this.dropRecord();
      return;
    }
    if (count !== this.columnCount && this.columnCount > 0 && !this.#mendCount(count, at)) return;
    if (this.hasDoubled) this.#undouble();
    const record = this.recordCount++;
    if (record === this.lines.length) {
      this.lines = grown(this.lines, record * 2, Float64Array);
      this.recordEnds = grown(this.recordEnds, record * 2, Uint32Array);
    }
    this.lines[record] = this.recordLine;
    this.recordEnds[record] = this.fieldCount;
    this.firstField = this.fieldCount;
    this.isInRecord = false;
  }

  /** Missing fields are absent, and empty ones too many are dropped. False where there are others too many. */
  #mendCount(count: number, at: number): boolean {
    const wanted = this.firstField + this.columnCount;
    if (count < this.columnCount) {
      if (this.tally.shortRecords++ === 0) this.tally.shortLine = this.recordLine;
      while (this.fieldCount < wanted) {
        const end = this.ends[wanted - this.columnCount]!;
        this.addField(end, end, FIELD.absent);
      }
      return true;
    }
    for (let field = wanted; field < this.fieldCount; field++) {
      if (this.kinds[field] === FIELD.empty) continue;
      this.report(
        `The row has ${counted(count, 'cell')}, but the file has ${counted(this.columnCount, 'column')}.`,
        at,
      );
      this.dropRecord();
      return false;
    }
    this.fieldCount = wanted;
    return true;
  }

  /**
   * Replaces two quotes with one, and undoes escapes; only when the record is complete, because bad records are shown as written in the file.
   */
  #undouble(): void {
    const { bytes, dialect } = this;
    const isUsual = dialect.quote.length === 1 && dialect.escape < 0;
    const quote = dialect.quote[0];
    for (let field = this.firstField; field < this.fieldCount; field++) {
      const kind = this.kinds[field]!;
      if (kind < DOUBLED) continue;
      this.kinds[field] = kind - DOUBLED;
      const end = this.ends[field]!;
      let to = this.starts[field]!;
      if (!isUsual) to = this.#undoEscapes(to, end, kind !== ESCAPED);
      else
        for (let at = to; at < end; at++) {
          const byte = bytes[at]!;
          bytes[to++] = byte;
          if (byte === quote) at++;
        }
      this.ends[field] = to;
      // The remaining bytes could be half a character: the batch is checked as a whole.
      while (to < end) bytes[to++] = BLANK;
    }
    this.hasDoubled = false;
  }

  /** Returns the new end of the field. */
  #undoEscapes(start: number, end: number, isQuoted: boolean): number {
    const { bytes } = this;
    const { length } = this.dialect.quote;
    let to = start;
    for (let at = start; at < end;) {
      if (this.#isEscape(at, end)) at++;
      else if (isQuoted && this.#isQuote(at, end) && this.#isQuote(at + length, end)) {
        for (let n = 0; n < length; n++) bytes[to++] = bytes[at++]!;
        at += length;
        continue;
      }
      bytes[to++] = bytes[at++]!;
    }
    return to;
  }

  #isQuote(at: number, end: number): boolean {
    const { quote } = this.dialect;
    if (quote.length === 0 || at + quote.length > end) return false;
    for (let n = 0; n < quote.length; n++) if (this.bytes[at + n] !== quote[n]) return false;
    return true;
  }

  /** Before any other byte, an escape is text, so that `\N` and `C:\new` stay what they are. */
  #isEscape(at: number, end: number): boolean {
    const { bytes, dialect } = this;
    const { escape, delimiter } = dialect;
    if (bytes[at] !== escape || at + 1 >= end) return false;
    const next = bytes[at + 1]!;
    return next === escape || next === delimiter[0] || next === LF || next === CR || this.#isQuote(at + 1, end);
  }

  protected report(reason: string, end: number): void {
    const text = this.bytes.subarray(this.recordAt, Math.min(end, this.recordAt + PROBLEM_TEXT * 4));
    this.problems.push({
      line: this.recordLine,
      reason,
      text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(text).slice(0, PROBLEM_TEXT),
    });
  }

  protected dropRecord(): void {
    this.fieldCount = this.firstField;
    this.isInRecord = false;
    this.hasDoubled = false;
    this.badReason = '';
  }

  protected growFields(): void {
    const length = this.kinds.length * 2;
    this.starts = grown(this.starts, length, Uint32Array);
    this.ends = grown(this.ends, length, Uint32Array);
    this.kinds = grown(this.kinds, length, Uint8Array);
  }
}
