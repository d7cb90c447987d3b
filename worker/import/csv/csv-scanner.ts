// Splits delimited text, as bytes of UTF-8: where each field begins and ends, and what it is. It keeps its place between chunks at the
// beginning of a field; an incomplete field is scanned again when there is more, and chunks grow with what is left over, so that
// each byte is scanned twice at most, however long a record is.
import { keepShape } from '#shared/keep-shape.ts';
import { FIELD } from '../../records/record-batch.ts';
import { MAX_PROBLEMS, READING_LIMITS, sizeText, type ReadingLimits } from '../reading-limits.ts';
import { CsvRecords, DOUBLED, ESCAPED } from './csv-records.ts';
import { BLANK, CR, dialectBytes, LF, type CsvDialect } from './csv-dialect.ts';

const BOM = [0xef, 0xbb, 0xbf] as const;
/** DOS ended texts with it. */
const END_MARK = 0x1a;
/** Returned instead of a position: the chunk ends before the position is known. */
const MORE = -1;
/** Returned instead of a position: the record is bad, and `at` is after it. */
const BAD = -2;

export type ScannerLimits = Pick<ReadingLimits, 'recordBytes' | 'recordFields'>;

export class CsvScanner extends CsvRecords {
  readonly #limits: ScannerLimits;
  /** Nothing follows the bytes in memory. */
  isEnd = false;

  /** Line of the next field. */
  #line = 1;
  #skipLines: number;
  /** Skips the rest of a record that is too long. */
  #isSkipping = false;

  /** End of the quoted field that was scanned last: its closing quote. */
  #quotedEnd = 0;
  #quotedLines = 0;
  #quotedKind = 0;

  constructor(dialect: CsvDialect, limits: ScannerLimits = READING_LIMITS) {
    super(dialectBytes(dialect));
    this.#limits = limits;
    this.#skipLines = dialect.skipLines;
  }

  get line(): number {
    return this.#line;
  }

  /**
   * Scans as far as the bytes reach, or until there are `limit` records, `most` bytes of them, or many problems: then it returns that there
   * may be more. A quote that was not closed leaves very many bytes to be scanned again.
   */
  scan(limit = Infinity, most = Infinity): boolean {
    const { bytes } = this;
    const stop = this.consumed + most;
    // Whatever scans for the end of a field stops here.
    bytes[this.filled] = LF;
    const { quote, skipsBlanks } = this.dialect;
    const { has: endsField, largest } = this.dialect.endsField;
    const firstOfQuote = quote.length > 0 ? quote[0]! : -1;
    const quoteLength = quote.length;
    const delimiter = this.dialect.delimiter.length === 1 ? this.dialect.delimiter[0]! : -1;
    for (;;) {
      if (!this.isInRecord) {
        if (this.recordCount >= limit || this.at >= stop || this.problems.length >= MAX_PROBLEMS)
          return this.at < this.filled;
        if (!this.#beginRecord()) return false;
      }
      let start = this.at;
      if (skipsBlanks) while (bytes[start] === BLANK) start++;
      let end = start;
      let next = start;
      let kind: number = FIELD.text;
      const opens = bytes[start] !== firstOfQuote ? 0 : quoteLength === 1 ? 1 : this.#isAt(quote, start);
      if (opens === MORE) return false;
      if (opens === 1) {
        next = this.#scanQuoted(start);
        if (next === MORE) return false;
        if (next === BAD) continue;
        end = this.#quotedEnd;
        kind = this.#quotedKind;
        if (skipsBlanks && bytes[next] === BLANK) {
          while (bytes[next] === BLANK) next++;
          if (bytes[next] === delimiter) this.#countLines(next);
        }
      } else {
        let byte = bytes[end]!;
        while (byte > largest || endsField[byte] === 0) byte = bytes[++end]!;
        next = end;
        if (end === start) kind = FIELD.empty;
      }
      if (bytes[next] !== delimiter) {
        if (!this.#endField(start, end, next, kind)) return false;
        continue;
      }
      if (this.fieldCount === this.kinds.length && !this.#hasRoom()) continue;
      const field = this.fieldCount++;
      this.starts[field] = kind === FIELD.text || kind === FIELD.empty ? start : start + quoteLength;
      this.ends[field] = end;
      this.kinds[field] = kind;
      this.at = next + 1;
    }
  }

  /** Skips what is not a record. False where the bytes end. */
  #beginRecord(): boolean {
    const { bytes, filled } = this;
    for (;;) {
      const at = this.at;
      if (at >= filled) return false;
      const byte = bytes[at]!;
      const isInTable = this.#skipLines === 0 && !this.#isSkipping;
      const skipsEmpty = isInTable && this.columnCount !== 1 && this.dialect.delimiter.length > 0;
      if (skipsEmpty && byte === LF) {
        let next = at + 1;
        while (next < filled && bytes[next] === LF) next++;
        this.#line += next - at;
        this.at = next;
        continue;
      }
      if (byte === END_MARK && at + 1 === filled) {
        if (!this.isEnd) return false;
        this.tally.endMarkLine = this.#line;
        this.at = filled;
        return false;
      }
      const comment = isInTable ? this.#isAt(this.dialect.comment, at) : 0;
      if (comment === 1) this.#isSkipping = true;
      if (this.#skipLines > 0 || this.#isSkipping) {
        if (!this.#skipLine(at)) return false;
        continue;
      }
      const bom = byte === BOM[0] ? this.#isAt(BOM, at) : 0;
      if (comment === MORE || bom === MORE) return false;
      if (bom === 1) {
        if (this.tally.boms++ === 0) this.tally.bomLine = this.#line;
        this.at += BOM.length;
        continue;
      }
      if (skipsEmpty && byte === CR) {
        if (!this.#skipLine(at)) return false;
        continue;
      }
      this.recordAt = at;
      this.recordLine = this.#line;
      this.firstField = this.fieldCount;
      this.isInRecord = true;
      return true;
    }
  }

  /** Moves to the beginning of the next line. False where the bytes end; skipped bytes need not be kept. */
  #skipLine(from: number): boolean {
    const { bytes, filled } = this;
    let at = from;
    while (at < filled && bytes[at] !== LF && bytes[at] !== CR) at++;
    const isCutOff = at >= filled || (bytes[at] === CR && at + 1 >= filled);
    if (isCutOff) {
      this.at = this.isEnd ? filled : at;
      return this.isEnd;
    }
    this.at = bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at + 1;
    this.#line++;
    if (this.#isSkipping) this.#isSkipping = false;
    else if (this.#skipLines > 0) this.#skipLines--;
    return true;
  }

  /** Scans a field from its opening quote. Returns the position after its closing quote, {@link MORE}, or {@link BAD}. */
  #scanQuoted(open: number): number {
    const { bytes, filled } = this;
    const { quote, escape } = this.dialect;
    const { has: endsQuoted, largest } = this.dialect.endsQuoted;
    const first = quote[0]!;
    const isOneByte = quote.length === 1;
    const content = open + quote.length;
    let at = content;
    let after = at;
    let lines = 0;
    let doubled = 0;
    for (;;) {
      let byte = bytes[at]!;
      while (byte > largest || endsQuoted[byte] === 0) byte = bytes[++at]!;
      if (at >= filled) return this.#notClosed(open);
      if (byte === escape) {
        if (at + 1 >= filled) return this.#notClosed(open);
        doubled = DOUBLED;
        // A line ending is counted as any other.
        at += bytes[at + 1] === LF || bytes[at + 1] === CR ? 1 : 2;
        continue;
      }
      if (byte === first) {
        after = isOneByte ? at + 1 : this.#afterQuote(at);
        if (after === MORE || (after >= filled && !this.isEnd)) return this.#notClosed(open);
        if (after > at) {
          const again = isOneByte && bytes[after] !== first ? after : this.#afterQuote(after);
          if (again === MORE) return this.#notClosed(open);
          if (again === after) break;
          doubled = DOUBLED;
          at = again;
        } else at++;
        continue;
      }
      // The line feed of a CR LF counts.
      if (byte === LF || at + 1 >= filled || bytes[at + 1] !== LF) lines++;
      at++;
    }
    this.#quotedEnd = at;
    this.#quotedLines = lines;
    this.#quotedKind = at === content ? FIELD.quotedEmpty : FIELD.quoted | doubled;
    if (doubled) this.hasDoubled = true;
    if (lines === 0) return after;
    // Lines are counted only here: a delimiter follows, or `#endField` counts them.
    return this.#endsHere(after) ? this.#countLines(after) : after;
  }

  /** The position after the quote that is here; the same one where there is none, or {@link MORE}. */
  #afterQuote(at: number): number {
    const { quote } = this.dialect;
    if (at < this.filled && this.bytes[at] !== quote[0]) return at;
    const isHere = this.#isAt(quote, at);
    return isHere === MORE ? MORE : at + isHere * quote.length;
  }

  #countLines(next: number): number {
    this.#line += this.#quotedLines;
    this.#quotedLines = 0;
    return next;
  }

  /** Whether the delimiter of one byte is here, which the fast path takes. */
  #endsHere(at: number): boolean {
    return this.dialect.delimiter.length === 1 && this.bytes[at] === this.dialect.delimiter[0];
  }

  /** A quoted field that reaches to the end of the bytes. */
  #notClosed(open: number): number {
    if (this.isEnd) return this.#abandon(open, 'the file ends before it is closed');
    if (this.filled - this.recordAt <= this.#limits.recordBytes) return MORE;
    return this.#abandon(open, `it is not closed within ${sizeText(this.#limits.recordBytes)}`);
  }

  /** The record cannot be read; reading continues with the line after the one with this quote. */
  #abandon(open: number, why: string): number {
    const { bytes, filled } = this;
    let at = open;
    while (at < filled && bytes[at] !== LF && bytes[at] !== CR) at++;
    const field = this.fieldCount - this.firstField + 1;
    this.report(`A quote is opened in cell ${field} of line ${this.#line.toLocaleString('en-US')}, and ${why}.`, at);
    this.at =
      at < filled && bytes[at] === CR && bytes[at + 1] === LF && at + 1 < filled ? at + 2 : Math.min(at + 1, filled);
    this.#line++;
    this.dropRecord();
    return BAD;
  }

  /** Ends a field that does not end with a delimiter of one byte. False where the bytes end. */
  #endField(from: number, fieldEnd: number, at: number, kind: number): boolean {
    const { bytes, filled } = this;
    const { delimiter } = this.dialect;
    const isQuoted = kind !== FIELD.text && kind !== FIELD.empty && kind !== ESCAPED;
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
      const matches = this.#isAt(delimiter, at);
      if (matches === MORE) return this.#needMore() !== MORE;
      if (!matches) return this.#endOtherText(from, at, isQuoted);
      next = at + delimiter.length;
      endsRecord = false;
    }
    if (isQuoted || kind === ESCAPED) this.#countLines(0);
    if (this.fieldCount === this.kinds.length && !this.#hasRoom()) return true;
    this.addField(isQuoted ? from + this.dialect.quote.length : from, fieldEnd, kind);
    this.at = next;
    if (endsRecord) {
      this.endRecord(at);
      if (at < filled) this.#line++;
    }
    return true;
  }

  /** Whether these bytes are here: 1, 0, or {@link MORE}. */
  #isAt(wanted: ArrayLike<number>, at: number): number {
    for (let n = 0; n < wanted.length; n++) {
      if (at + n >= this.filled) return this.isEnd ? 0 : MORE;
      if (this.bytes[at + n] !== wanted[n]) return 0;
    }
    return wanted.length > 0 ? 1 : 0;
  }

  /** More text of the same field: an escape, the first byte of a long delimiter without its rest, or what follows a closing quote. */
  #endOtherText(from: number, at: number, isQuoted: boolean): boolean {
    if (isQuoted && this.#quotedLines > 0) {
      const lines = this.#line + this.#quotedLines;
      this.#abandon(from, `other text follows the next one, in line ${lines.toLocaleString('en-US')}`);
      return true;
    }
    const { delimiter, escape, endsField } = this.dialect;
    let end = at;
    let kind: number = FIELD.text;
    this.#quotedLines = 0;
    for (;;) {
      if (this.bytes[end] === escape && end + 1 < this.filled) {
        kind = ESCAPED;
        const next = this.bytes[++end];
        if (next === LF || next === CR) this.#quotedLines++;
        if (next === CR && end + 1 >= this.filled && !this.isEnd) return this.#needMore() !== MORE;
        if (next === CR && this.bytes[end + 1] === LF) end++;
      } else if (this.bytes[end] === escape && !this.isEnd) return this.#needMore() !== MORE;
      if (end < this.filled) end++;
      while (endsField.has[this.bytes[end]!] === 0) end++;
      const byte = this.bytes[end];
      if (end >= this.filled || byte === LF || byte === CR || this.#isAt(delimiter, end) !== 0) break;
    }
    if (kind === ESCAPED) this.hasDoubled = true;
    if (isQuoted) this.badReason ||= `Text follows the closing quote of cell ${this.fieldCount - this.firstField + 1}.`;
    if (this.#endsHere(end)) {
      if (this.fieldCount === this.kinds.length && !this.#hasRoom()) return true;
      this.addField(from, end, kind);
      this.at = this.#countLines(end + 1);
      return true;
    }
    return this.#endField(from, end, end, kind);
  }

  /** Whether there is room for one field more of the record, which is given up where it has too many. */
  #hasRoom(): boolean {
    const { recordFields } = this.#limits;
    if (this.fieldCount - this.firstField < recordFields) {
      this.growFields();
      return true;
    }
    this.#giveUp(`The row has more than ${recordFields.toLocaleString('en-US')} cells.`);
    return false;
  }

  /** A record that is too long is given up. */
  #needMore(): number {
    if (this.filled - this.recordAt <= this.#limits.recordBytes) return MORE;
    this.#giveUp(`The row is longer than ${sizeText(this.#limits.recordBytes)}.`);
    return BAD;
  }

  /** The rest of the line is skipped. */
  #giveUp(reason: string): void {
    this.report(reason, this.filled);
    this.#isSkipping = true;
    this.dropRecord();
  }
}

keepShape(new CsvScanner({ delimiter: ',', quote: '"', comment: '', skipLines: 0 }));
