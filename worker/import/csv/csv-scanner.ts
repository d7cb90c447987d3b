// Takes delimited text apart, as bytes of UTF-8: where each field begins and ends, and what it is. It keeps its place between chunks at the
// beginning of a field; a field that is not complete is scanned again when there is more, and chunks grow with what is left over, so that
// each byte is scanned twice at most, however long a record is.
// The file is long because it is one state machine: its parts share the position and the open record, and change together.
import { counted } from '#shared/counted.ts';
import { grown } from '../../records/batch-writer.ts';
import { FIELD, type RecordBatch, type RecordProblem } from '../../records/record-batch.ts';
import { CR, dialectBytes, LF, type CsvDialect, type DialectBytes } from './csv-dialect.ts';

/** A quoted field that does not end within so many bytes is not closed at all. */
const FIELD_LIMIT = 128 << 20;
const RECORD_LIMIT = 256 << 20;
/** Of the text of a bad record, so much is kept. */
const PROBLEM_TEXT = 10_000;

const BOM = [0xef, 0xbb, 0xbf] as const;
/** Instead of a position: the chunk ends before that is known. */
const MORE = -1;
/** Instead of a position: the record is bad, and `#at` is behind it. */
const BAD = -2;
/** Added to the kind of a field until its record is complete: it has doubled quotes. */
const DOUBLED = 64;

export interface ScannerLimits {
  readonly fieldBytes: number;
  readonly recordBytes: number;
}

/** What was passed over without loss, or read in another way than it stands there. */
export interface ScannerTally {
  /** Byte order marks at the beginning of a line. */
  boms: number;
  bomLine: number;
  shortRecords: number;
  shortLine: number;
}

export class CsvScanner {
  readonly #dialect: DialectBytes;
  readonly #limits: ScannerLimits;
  readonly tally: ScannerTally = { boms: 0, bomLine: 0, shortRecords: 0, shortLine: 0 };
  /** Fields a record has; 0: as many as it has, none is too short or too long. */
  columnCount = 0;
  problems: RecordProblem[] = [];
  /** Nothing comes after the bytes that are there. */
  isEnd = false;

  bytes = new Uint8Array(1);
  filled = 0;
  /** Where the next field begins, and in which line. */
  #at = 0;
  #line = 1;
  #skipLines: number;
  /** Passes over the rest of a record that is too long. */
  #isSkipping = false;

  #starts = new Uint32Array(1 << 14);
  #ends = new Uint32Array(1 << 14);
  #kinds = new Uint8Array(1 << 14);
  #recordEnds = new Uint32Array(1 << 12);
  #lines = new Float64Array(1 << 12);
  #fields = 0;
  #records = 0;

  /** The record that is not complete: its first byte, field and line, and whether one is begun. */
  #recordAt = 0;
  #firstField = 0;
  #recordLine = 1;
  #isInRecord = false;
  #hasDoubled = false;
  /** Why the record is bad, although its end can be found. */
  #badReason = '';

  /** Where the quoted field ended that was scanned last: at its closing quote. */
  #quotedEnd = 0;
  #quotedLines = 0;
  #quotedKind = 0;

  constructor(dialect: CsvDialect, limits: ScannerLimits = { fieldBytes: FIELD_LIMIT, recordBytes: RECORD_LIMIT }) {
    this.#dialect = dialectBytes(dialect);
    this.#limits = limits;
    this.#skipLines = dialect.skipLines;
  }

  get records(): number {
    return this.#records;
  }

  get line(): number {
    return this.#line;
  }

  /** The next byte that no complete record contains. */
  get consumed(): number {
    return this.#isInRecord ? this.#recordAt : this.#at;
  }

  batch(): RecordBatch {
    return {
      bytes: this.bytes,
      starts: this.#starts,
      ends: this.#ends,
      kinds: this.#kinds,
      records: this.#records,
      recordEnds: this.#recordEnds,
      lines: this.#lines,
    };
  }

  /** Forgets the complete records, and moves what is left of the bytes to the beginning of memory that has room for `more`. */
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
    this.#at -= from;
    this.#recordAt -= from;
    this.forgetRecords(from);
  }

  /** @param moved how far the bytes were moved. */
  forgetRecords(moved = 0): void {
    const kept = this.#fields - this.#firstField;
    for (let to = 0, at = this.#firstField; to < kept; to++, at++) {
      this.#starts[to] = this.#starts[at]! - moved;
      this.#ends[to] = this.#ends[at]! - moved;
      this.#kinds[to] = this.#kinds[at]!;
    }
    this.#firstField = 0;
    this.#fields = kept;
    this.#records = 0;
  }

  /**
   * As far as the bytes reach, or until there are `limit` records, or `most` bytes of them: then it answers that there may be more. A
   * quote that was not closed leaves very many bytes to be scanned again.
   */
  scan(limit = Infinity, most = Infinity): boolean {
    const { bytes } = this;
    const stop = this.consumed + most;
    // Whatever scans for the end of a field stops here.
    bytes[this.filled] = LF;
    const { endsField, quote } = this.#dialect;
    const delimiter = this.#dialect.delimiter.length === 1 ? this.#dialect.delimiter[0]! : -1;
    for (;;) {
      if (!this.#isInRecord) {
        if (this.#records >= limit || this.#at >= stop) return this.#at < this.filled;
        if (!this.#beginRecord()) return false;
      }
      const start = this.#at;
      let end = start;
      let next = start;
      let kind: number = FIELD.text;
      if (bytes[start] === quote) {
        next = this.#scanQuoted(start);
        if (next === MORE) return false;
        if (next === BAD) continue;
        end = this.#quotedEnd;
        kind = this.#quotedKind;
      } else {
        while (endsField[bytes[end]!] === 0) end++;
        next = end;
        if (end === start) kind = FIELD.empty;
      }
      if (bytes[next] !== delimiter) {
        if (!this.#endField(start, end, next, kind)) return false;
        continue;
      }
      const field = this.#fields++;
      if (field === this.#kinds.length) this.#growFields();
      this.#starts[field] = kind === FIELD.text || kind === FIELD.empty ? start : start + 1;
      this.#ends[field] = end;
      this.#kinds[field] = kind;
      this.#at = next + 1;
    }
  }

  /** Passes over what is no record. False where the bytes end. */
  #beginRecord(): boolean {
    const { bytes, filled } = this;
    for (;;) {
      const at = this.#at;
      if (at >= filled) return false;
      const byte = bytes[at]!;
      if (this.#skipLines === 0 && !this.#isSkipping && byte === this.#dialect.comment[0] && this.#isComment(at)) {
        this.#isSkipping = true;
      }
      if (this.#skipLines > 0 || this.#isSkipping) {
        if (!this.#skipLine(at)) return false;
        continue;
      }
      if (byte === BOM[0]) {
        if (at + 3 > filled && !this.isEnd) return false;
        if (at + 3 <= filled && bytes[at + 1] === BOM[1] && bytes[at + 2] === BOM[2]) {
          if (this.tally.boms++ === 0) this.tally.bomLine = this.#line;
          this.#at += 3;
          continue;
        }
      }
      // The comment may be cut off here.
      if (byte === this.#dialect.comment[0] && !this.isEnd && at + this.#dialect.comment.length > filled) return false;
      if ((byte === LF || byte === CR) && this.columnCount !== 1 && this.#dialect.delimiter.length > 0) {
        if (!this.#skipLine(at)) return false;
        continue;
      }
      this.#recordAt = at;
      this.#recordLine = this.#line;
      this.#firstField = this.#fields;
      this.#isInRecord = true;
      return true;
    }
  }

  #isComment(at: number): boolean {
    const { comment } = this.#dialect;
    if (at + comment.length > this.filled) return false;
    for (let n = 1; n < comment.length; n++) if (this.bytes[at + n] !== comment[n]) return false;
    return true;
  }

  /** To the beginning of the next line. False where the bytes end; what is passed over need not be kept. */
  #skipLine(from: number): boolean {
    const { bytes, filled } = this;
    let at = from;
    while (at < filled && bytes[at] !== LF && bytes[at] !== CR) at++;
    const isCutOff = at >= filled || (bytes[at] === CR && at + 1 >= filled);
    if (isCutOff) {
      this.#at = this.isEnd ? filled : at;
      return this.isEnd;
    }
    this.#at = bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at + 1;
    this.#line++;
    if (this.#isSkipping) this.#isSkipping = false;
    else if (this.#skipLines > 0) this.#skipLines--;
    return true;
  }

  /** From its opening quote. The position behind its closing quote, {@link MORE}, or {@link BAD}. */
  #scanQuoted(open: number): number {
    const { bytes, filled } = this;
    const { endsQuoted, quote } = this.#dialect;
    let at = open + 1;
    let lines = 0;
    let doubled = 0;
    for (;;) {
      while (endsQuoted[bytes[at]!] === 0) at++;
      if (at >= filled) return this.#notClosed(open);
      const byte = bytes[at]!;
      if (byte === quote) {
        if (at + 1 >= filled && !this.isEnd) return this.#notClosed(open);
        if (at + 1 >= filled || bytes[at + 1] !== quote) break;
        doubled = DOUBLED;
        at += 2;
        continue;
      }
      // The line feed of a CR LF counts.
      if (byte === LF || at + 1 >= filled || bytes[at + 1] !== LF) lines++;
      at++;
    }
    this.#quotedEnd = at;
    this.#quotedLines = lines;
    this.#quotedKind = at === open + 1 ? FIELD.quotedEmpty : FIELD.quoted | doubled;
    if (doubled) this.#hasDoubled = true;
    if (lines === 0) return at + 1;
    // Only here is it counted: a delimiter follows, or `#endField` sees to it.
    return this.#endsHere(at + 1) ? this.#countLines(at + 1) : at + 1;
  }

  #countLines(next: number): number {
    this.#line += this.#quotedLines;
    this.#quotedLines = 0;
    return next;
  }

  /** Whether the delimiter of one byte is here, which the fast path takes. */
  #endsHere(at: number): boolean {
    return this.#dialect.delimiter.length === 1 && this.bytes[at] === this.#dialect.delimiter[0];
  }

  /** A quoted field that reaches to the end of the bytes. */
  #notClosed(open: number): number {
    if (this.isEnd) return this.#abandon(open, 'the file ends before it is closed');
    if (this.filled - open <= this.#limits.fieldBytes) return this.#needMore();
    return this.#abandon(open, `it is not closed within ${this.#limits.fieldBytes.toLocaleString('en-US')} bytes`);
  }

  /** The record cannot be read; reading continues with the line after the one with this quote. */
  #abandon(open: number, why: string): number {
    const { bytes, filled } = this;
    let at = open;
    while (at < filled && bytes[at] !== LF && bytes[at] !== CR) at++;
    const field = this.#fields - this.#firstField + 1;
    this.#report(`A quote is opened in cell ${field} of line ${this.#line.toLocaleString('en-US')}, and ${why}.`, at);
    this.#at =
      at < filled && bytes[at] === CR && bytes[at + 1] === LF && at + 1 < filled ? at + 2 : Math.min(at + 1, filled);
    this.#line++;
    this.#dropRecord();
    return BAD;
  }

  /** What ends otherwise than by a delimiter of one byte. False where the bytes end. */
  #endField(from: number, fieldEnd: number, at: number, kind: number): boolean {
    const { bytes, filled } = this;
    const { delimiter } = this.#dialect;
    const isQuoted = kind !== FIELD.text && kind !== FIELD.empty;
    const byte = bytes[at]!;
    let next = 0;
    let endsRecord = true;
    if (at >= filled) {
      if (!this.isEnd) return this.#needMore() !== MORE;
      next = filled;
    } else if (byte === LF) {
      next = at + 1;
    } else if (byte === CR) {
      if (at + 1 >= filled && !this.isEnd) return this.#needMore() !== MORE;
      next = at + 1 < filled && bytes[at + 1] === LF ? at + 2 : at + 1;
    } else {
      const matches = this.#isDelimiter(at);
      if (matches === MORE) return this.#needMore() !== MORE;
      if (!matches) return this.#endOtherText(from, at, isQuoted);
      next = at + delimiter.length;
      endsRecord = false;
    }
    if (isQuoted) this.#countLines(0);
    const field = this.#fields++;
    if (field === this.#kinds.length) this.#growFields();
    this.#starts[field] = isQuoted ? from + 1 : from;
    this.#ends[field] = fieldEnd;
    this.#kinds[field] = kind;
    this.#at = next;
    if (endsRecord) {
      this.#endRecord(at);
      if (at < filled) this.#line++;
    }
    return true;
  }

  /** 1, 0, or {@link MORE}. */
  #isDelimiter(at: number): number {
    const { delimiter } = this.#dialect;
    if (delimiter.length === 0) return 0;
    for (let n = 0; n < delimiter.length; n++) {
      if (at + n >= this.filled) return this.isEnd ? 0 : MORE;
      if (this.bytes[at + n] !== delimiter[n]) return 0;
    }
    return 1;
  }

  /** More text of the same field: the first byte of a long delimiter without its rest, or what follows a closing quote. */
  #endOtherText(from: number, at: number, isQuoted: boolean): boolean {
    if (isQuoted && this.#quotedLines > 0) {
      const lines = this.#line + this.#quotedLines;
      this.#abandon(from, `other text follows the next one, in line ${lines.toLocaleString('en-US')}`);
      return true;
    }
    const { endsField } = this.#dialect;
    let end = at;
    for (;;) {
      if (end < this.filled) end++;
      while (endsField[this.bytes[end]!] === 0) end++;
      const byte = this.bytes[end];
      if (end >= this.filled || byte === LF || byte === CR || this.#isDelimiter(end) !== 0) break;
    }
    if (isQuoted) this.#badReason ||= `Text follows the closing quote of cell ${this.#fields - this.#firstField + 1}.`;
    if (this.#endsHere(end)) {
      const field = this.#fields++;
      if (field === this.#kinds.length) this.#growFields();
      this.#starts[field] = from;
      this.#ends[field] = end;
      this.#kinds[field] = FIELD.text;
      this.#at = end + 1;
      return true;
    }
    return this.#endField(from, end, end, FIELD.text);
  }

  /** A record that is too long is given up: the rest of its line is passed over. */
  #needMore(): number {
    if (this.filled - this.#recordAt <= this.#limits.recordBytes) return MORE;
    this.#report(`The row is longer than ${this.#limits.recordBytes.toLocaleString('en-US')} bytes.`, this.filled);
    this.#at = this.filled;
    this.#isSkipping = true;
    this.#dropRecord();
    return BAD;
  }

  #endRecord(at: number): void {
    const count = this.#fields - this.#firstField;
    if (this.#badReason) {
      this.#report(this.#badReason, at);
      this.#dropRecord();
      return;
    }
    if (count !== this.columnCount && this.columnCount > 0 && !this.#mendCount(count, at)) return;
    if (this.#hasDoubled) this.#undouble();
    const record = this.#records++;
    if (record === this.#lines.length) {
      this.#lines = grown(this.#lines, record * 2, Float64Array);
      this.#recordEnds = grown(this.#recordEnds, record * 2, Uint32Array);
    }
    this.#lines[record] = this.#recordLine;
    this.#recordEnds[record] = this.#fields;
    this.#firstField = this.#fields;
    this.#isInRecord = false;
  }

  /** Missing fields are absent, and empty ones too many are dropped. False where there are others too many. */
  #mendCount(count: number, at: number): boolean {
    const wanted = this.#firstField + this.columnCount;
    if (count < this.columnCount) {
      if (this.tally.shortRecords++ === 0) this.tally.shortLine = this.#recordLine;
      while (this.#fields < wanted) {
        const field = this.#fields++;
        if (field === this.#kinds.length) this.#growFields();
        this.#starts[field] = this.#ends[field] = this.#ends[wanted - this.columnCount]!;
        this.#kinds[field] = FIELD.absent;
      }
      return true;
    }
    for (let field = wanted; field < this.#fields; field++) {
      if (this.#kinds[field] === FIELD.empty) continue;
      this.#report(
        `The row has ${counted(count, 'cell')}, but the file has ${counted(this.columnCount, 'column')}.`,
        at,
      );
      this.#dropRecord();
      return false;
    }
    this.#fields = wanted;
    return true;
  }

  /** Two quotes are one; only when the record is complete, because bad records are shown as they stand in the file. */
  #undouble(): void {
    const { bytes } = this;
    const { quote } = this.#dialect;
    for (let field = this.#firstField; field < this.#fields; field++) {
      if (this.#kinds[field]! < DOUBLED) continue;
      this.#kinds[field]! -= DOUBLED;
      const end = this.#ends[field]!;
      let to = this.#starts[field]!;
      for (let at = to; at < end; at++) {
        const byte = bytes[at]!;
        bytes[to++] = byte;
        if (byte === quote) at++;
      }
      this.#ends[field] = to;
      // What is left there could be half a character: the batch is looked through as a whole.
      while (to < end) bytes[to++] = quote;
    }
    this.#hasDoubled = false;
  }

  #report(reason: string, end: number): void {
    const text = this.bytes.subarray(this.#recordAt, Math.min(end, this.#recordAt + PROBLEM_TEXT * 4));
    this.problems.push({
      line: this.#recordLine,
      reason,
      text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(text).slice(0, PROBLEM_TEXT),
    });
  }

  #dropRecord(): void {
    this.#fields = this.#firstField;
    this.#isInRecord = false;
    this.#hasDoubled = false;
    this.#badReason = '';
  }

  #growFields(): void {
    const length = this.#kinds.length * 2;
    this.#starts = grown(this.#starts, length, Uint32Array);
    this.#ends = grown(this.#ends, length, Uint32Array);
    this.#kinds = grown(this.#kinds, length, Uint8Array);
  }
}
