// INSERT statements that hold nothing but literals, as records: most of a dump, for which SQLite need not prepare a statement each.
import { BatchWriter } from '../../records/batch-writer.ts';
import { isAt } from '../../records/bytes.ts';
import { FIELD } from '../../records/record-batch.ts';
import { utf8End } from '../csv/odd-bytes.ts';
import { asText, byteText, isUtf8Text } from './byte-text.ts';
import type { InsertedRecords } from './sql-items.ts';

/** What of a statement of several rows has been handed out. */
interface OpenStatement {
  readonly head: string;
  readonly line: number;
}

/** A name, in any of SQLite's quotes. Shorter than a stack of V8's patterns. */
const NAME =
  '(?:[A-Za-z_\\x80-\\xff][\\w$\\x80-\\xff]{0,500}|"(?:[^"\\0]|""){1,500}"|`[^`\\0]{1,500}`|\\[[^\\]\\0]{1,500}\\])';
/** FAIL and ROLLBACK are left to SQLite: of several rows they keep some, or undo what came before. */
const HEAD = new RegExp(
  `^((?:INSERT(?: OR (?:REPLACE|IGNORE))?|REPLACE) INTO (${NAME})(?: ?\\(${NAME}(?:, ?${NAME}){0,200}\\))?)\\s{1,9}VALUES\\s{0,9}\\(`,
  'i',
);
/** Tables that SQLite makes: rows of some of them change what the file is. */
const OF_SQLITE = /^["`[]?sqlite_/i;
/** Any number of so many digits is a 64-bit integer. */
const LONGEST_INTEGER = 18;
const MOST_VALUES = 2000;
/** Most beginnings are no longer than the first; those that are longer than the second are left to SQLite. */
const HEAD_BYTES = [256, 8192];
/** Shorter statements of several rows are left to SQLite, which takes many of them at a time. */
const LONG_BYTES = 16 * 1024;

const [QUOTE, OPEN, CLOSE, PLUS, COMMA, MINUS, POINT, SEMICOLON] = [0x27, 0x28, 0x29, 0x2b, 0x2c, 0x2d, 0x2e, 0x3b];
const [SPACE, NEWLINE, LOWER_E, LOWER_I, LOWER_R, LOWER_X] = [0x20, 0x0a, 0x65, 0x69, 0x72, 0x78];
const NULL_LETTERS = [0x6e, 0x75, 0x6c, 0x6c];
/** Values of hexadecimal digits; anything else makes a byte too large. */
const HEX = new Uint16Array(256).fill(0x1000);
for (let digit = 0; digit < 16; digit++)
  for (const written of [digit.toString(16), digit.toString(16).toUpperCase()]) HEX[written.charCodeAt(0)] = digit;

/** The statement is another one. */
const NOT_PLAIN = -1;
/** The statement may go on in what is not read yet. */
const OPEN_ENDED = -2;
/** The statement has several rows. */
const SEVERAL_ROWS = -3;

export class PlainInserts {
  readonly #batch = new BatchWriter();
  #bytes = new Uint8Array(0);
  /** Reused: a batch has a copy. */
  #value = new Uint8Array(1 << 14);
  /** As in the file, up to the first literal. */
  #head = new Uint8Array(0);
  #into = '';
  /** Made of bytes. */
  #writtenInto = '';
  #values = 0;
  #open: OpenStatement | null = null;
  readonly #partBytes: number;

  /** @param partBytes how much of a long statement is handed out at a time; never more than a batch holds */
  constructor(partBytes = Infinity) {
    this.#partBytes = partBytes;
  }

  /**
   * Reads the statements of one kind that `bytes` begin with, or the next rows of a long one. Null: they begin with none; `open`: they may,
   * once more is read. The records are valid until the next call.
   */
  take(bytes: Uint8Array<ArrayBuffer>, line: number): InsertedRecords | 'open' | null {
    this.#bytes = bytes;
    const batch = this.#batch;
    batch.clear();
    if (this.#open !== null) return this.#rows(this.#open, 0, line);
    this.#head = bytes.subarray(0, 0);
    const starts: number[] = [];
    let currentLine = line;
    let endLine = line;
    let end = 0;
    let at = 0;
    while (!batch.isFull) {
      const from = afterBlanks(bytes, at);
      for (; at < from; at++) if (bytes[at] === NEWLINE) currentLine++;
      batch.begin(currentLine);
      at = this.#statement(from);
      if (at < 0) break;
      batch.end();
      starts.push(from);
      for (end = from; end < at; end++) if (bytes[end] === NEWLINE) currentLine++;
      endLine = currentLine;
    }
    if (starts.length === 0 && at === SEVERAL_ROWS) return this.#firstRows(afterBlanks(bytes, 0), line, currentLine);
    this.#bytes = bytes.subarray(0, 0);
    if (starts.length === 0) return at === OPEN_ENDED ? 'open' : null;
    const source = bytes.subarray(0, end);
    return {
      kind: 'records',
      source,
      line,
      endLine,
      into: this.#into,
      values: this.#values,
      starts,
      batch: batch.take(),
      part: null,
    };
  }

  /** The statement of which the last rows are not handed out yet: what follows them is not understood here, and to be read in another way. */
  leave(): OpenStatement | null {
    const open = this.#open;
    this.#open = null;
    return open;
  }

  #firstRows(from: number, line: number, statementLine: number): InsertedRecords | 'open' | null {
    const head = this.#writtenInto;
    if (head.includes('\n')) return null;
    return this.#rows({ head, line: statementLine }, from + this.#head.length - 1, line);
  }

  /** The rows from `from` on, each of which something follows that tells that it is one. */
  #rows(open: OpenStatement, from: number, line: number): InsertedRecords | 'open' | null {
    const bytes = this.#bytes;
    const batch = this.#batch;
    const starts: number[] = [];
    let isEnd = false;
    let end = from;
    let at = 0;
    while (!batch.isFull && !isEnd && end - from < this.#partBytes) {
      const start = afterBlanks(bytes, end);
      batch.begin(line);
      at = this.#row(start);
      if (at < 0) break;
      batch.end();
      starts.push(start);
      isEnd = bytes[at] === SEMICOLON;
      end = at + 1;
    }
    this.#bytes = bytes.subarray(0, 0);
    const isFirst = open !== this.#open;
    if (starts.length === 0 || (isFirst && end < Math.min(LONG_BYTES, this.#partBytes)))
      return at === OPEN_ENDED ? 'open' : null;
    this.#open = isEnd ? null : open;
    const source = bytes.subarray(0, end);
    return {
      kind: 'records',
      source,
      line,
      endLine: line + count(source, NEWLINE),
      into: this.#into,
      values: this.#values,
      starts,
      batch: batch.take(),
      part: { ...open, isFirst, isEnd },
    };
  }

  /** Returns where the comma or the semicolon is that follows it. */
  #row(from: number): number {
    const bytes = this.#bytes;
    if (bytes[from] !== OPEN) return from < bytes.length ? NOT_PLAIN : OPEN_ENDED;
    const end = this.#literals(from + 1, false);
    if (end < 0) return end;
    const at = afterBlanks(bytes, end);
    if (bytes[at] === COMMA || bytes[at] === SEMICOLON) return at;
    return at < bytes.length ? NOT_PLAIN : OPEN_ENDED;
  }

  /** Returns its end. */
  #statement(from: number): number {
    const bytes = this.#bytes;
    const isFirst = this.#head.length === 0;
    if (isFirst && !this.#findHead(from)) return NOT_PLAIN;
    if (!isFirst && !isAt(bytes, from, this.#head)) return NOT_PLAIN;
    const end = this.#literals(from + this.#head.length, isFirst);
    if (end < 0) return end;
    const at = afterBlanks(bytes, end);
    if (bytes[at] === SEMICOLON) return at + 1;
    if (bytes[at] === COMMA) return SEVERAL_ROWS;
    return at >= bytes.length ? OPEN_ENDED : NOT_PLAIN;
  }

  /** Returns what follows the parenthesis after them. */
  #literals(from: number, isFirst: boolean): number {
    const bytes = this.#bytes;
    let at = from;
    for (let values = 1; values <= MOST_VALUES; values++) {
      at = this.#literal(afterBlanks(bytes, at));
      if (at < 0) return at;
      at = afterBlanks(bytes, at);
      const byte = bytes[at++];
      if (byte === COMMA) continue;
      if (byte !== CLOSE) return byte === undefined ? OPEN_ENDED : NOT_PLAIN;
      if (isFirst) this.#values = values;
      return values === this.#values ? at : NOT_PLAIN;
    }
    return NOT_PLAIN;
  }

  #findHead(from: number): boolean {
    const first = this.#bytes[from]! | 0x20;
    if (first !== LOWER_I && first !== LOWER_R) return false;
    let found: RegExpExecArray | null = null;
    for (const length of HEAD_BYTES) found ??= HEAD.exec(byteText(this.#bytes.subarray(from, from + length)));
    const [head, into, table] = found ?? [];
    if (head === undefined || OF_SQLITE.test(table!) || !isUtf8Text(into!)) return false;
    this.#head = this.#bytes.subarray(from, from + head.length);
    this.#into = asText(into!);
    this.#writtenInto = into!;
    return true;
  }

  #literal(at: number): number {
    const bytes = this.#bytes;
    const byte = bytes[at]!;
    if (byte === QUOTE) return this.#quoted(at + 1);
    if (byte === MINUS || isDigit(byte)) return this.#number(at);
    if (bytes.length - at < 5) return OPEN_ENDED;
    if ((byte | 0x20) === LOWER_X && bytes[at + 1] === QUOTE) return this.#blob(at + 2);
    for (let letter = 0; letter < 4; letter++)
      if ((bytes[at + letter]! | 0x20) !== NULL_LETTERS[letter]) return NOT_PLAIN;
    this.#batch.bare(FIELD.null);
    return at + 4;
  }

  /** Copies the text and looks at it in one pass: most of a dump is texts. */
  #quoted(from: number): number {
    const bytes = this.#bytes;
    const { length } = bytes;
    let all = 0;
    let at = from;
    let isDoubled = false;
    for (; ; at++) {
      if (at >= length) return OPEN_ENDED;
      const byte = bytes[at]!;
      if (byte === 0) return NOT_PLAIN;
      all |= byte;
      if (byte !== QUOTE) continue;
      // The other half of a doubled quote may come next.
      if (at + 1 >= length) return OPEN_ENDED;
      if (bytes[at + 1] !== QUOTE) break;
      isDoubled = true;
      at++;
    }
    // Text in no encoding is left to the translator.
    if (all > 0x7f && utf8End(bytes, from, at) < at) return NOT_PLAIN;
    if (isDoubled) this.#batch.field(FIELD.quoted, this.#value, 0, this.#undoubled(from, at));
    else this.#batch.field(FIELD.quoted, bytes, from, at);
    return at + 1;
  }

  /** Returns the length of the value. */
  #undoubled(from: number, end: number): number {
    const bytes = this.#bytes;
    const value = this.#room(end - from);
    let to = 0;
    for (let at = from; at < end; at++) if ((value[to++] = bytes[at]!) === QUOTE) at++;
    return to;
  }

  #blob(from: number): number {
    const bytes = this.#bytes;
    const end = bytes.indexOf(QUOTE, from);
    if (end < 0) return OPEN_ENDED;
    if ((end - from) % 2 === 1) return NOT_PLAIN;
    const length = (end - from) / 2;
    const value = this.#room(length);
    for (let at = 0, digit = from; at < length; at++, digit += 2) {
      const byte = (HEX[bytes[digit]!]! << 4) | HEX[bytes[digit + 1]!]!;
      if (byte > 0xff) return NOT_PLAIN;
      value[at] = byte;
    }
    this.#batch.field(FIELD.blob, value, 0, length);
    return end + 1;
  }

  #room(length: number): Uint8Array {
    if (length > this.#value.length) this.#value = new Uint8Array(length);
    return this.#value;
  }

  #number(from: number): number {
    const bytes = this.#bytes;
    const first = bytes[from] === MINUS ? from + 1 : from;
    let at = afterDigits(bytes, first);
    let isReal = false;
    if (at === first) return at >= bytes.length ? OPEN_ENDED : NOT_PLAIN;
    if (bytes[at] === POINT) {
      isReal = true;
      const decimals = ++at;
      at = afterDigits(bytes, at);
      if (at === decimals) return at >= bytes.length ? OPEN_ENDED : NOT_PLAIN;
    }
    if ((bytes[at]! | 0x20) === LOWER_E) {
      isReal = true;
      const sign = bytes[++at];
      if (sign === MINUS || sign === PLUS) at++;
      const digits = at;
      at = afterDigits(bytes, at);
      if (at === digits) return at >= bytes.length ? OPEN_ENDED : NOT_PLAIN;
    }
    if (at >= bytes.length) return OPEN_ENDED;
    if (!isReal && at - first > LONGEST_INTEGER) return NOT_PLAIN;
    this.#batch.field(isReal ? FIELD.real : FIELD.number, bytes, from, at);
    return at;
  }
}

function count(bytes: Uint8Array, wanted: number): number {
  let found = 0;
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) found++;
  return found;
}

function afterBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; ; at++) {
    const byte = bytes[at];
    if (byte !== SPACE && byte !== NEWLINE && byte !== 9 && byte !== 12 && byte !== 13) return at;
  }
}

function afterDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && isDigit(bytes[at]!)) at++;
  return at;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
