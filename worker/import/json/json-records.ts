// One value of JSON as a record of a batch: an object by its keys, an array by its places, anything else as a column of its own.
import { FIELD, type FieldKind, type RecordBatch, type RecordNotice } from '../../records/record-batch.ts';
import { READING_LIMITS } from '../reading-limits.ts';
import { MAX_COLUMNS, MAX_NAME_BYTES, type JsonColumns } from './json-columns.ts';
import {
  BAD,
  CUT,
  type JsonScanner,
  hexDigit,
  QUOTE,
  OPEN_BRACKET,
  CLOSE_BRACKET,
  OPEN_BRACE,
  CLOSE_BRACE,
  COMMA,
} from './json-scanner.ts';
import { utf8End } from '../csv/odd-bytes.ts';

// Notices about JSON that was read without leaving anything out: each is given once, at its first occurrence.

const SENTENCES = {
  doubledKeys: 'A key appears twice. The last value is kept, here and in all similar rows.',
  loneSurrogates:
    'A text holds half of a character (\\ud800 to \\udfff without its other half). It becomes �, here and in all rows like it.',
  brokenText:
    'Text is not valid UTF-8. Its bytes are kept as a BLOB, here and in all similar rows; another encoding may read them.',
  replaced:
    'A text has � (U+FFFD), which stands for bytes that are no character of the encoding, here or in rows like it. Choose another encoding if it is not that of the file.',
  header: 'The first list holds nothing but strings: these are taken for the names of the columns, and not for a row.',
  lastComma: 'A comma comes after the last row, where JSON has none. Nothing is left out.',
} as const;

const MOST_SHOWN = 5;

export class JsonNotes {
  readonly #seen = new Set<keyof typeof SENTENCES>();
  #notices: RecordNotice[] = [];
  #areNamesTold = false;

  note(kind: keyof typeof SENTENCES, line: number): void {
    if (this.#seen.has(kind)) return;
    this.#seen.add(kind);
    this.#notices.push({ line, text: SENTENCES[kind] });
  }

  noteNames(names: readonly string[], line: number): void {
    if (names.length === 0 || this.#areNamesTold) return;
    this.#areNamesTold = true;
    const some = names.slice(0, MOST_SHOWN).map((name) => `“${name}”`);
    const more = names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : '';
    const text = `Columns that cannot have the names of their keys are called ${some.join(', ')}${more}, here and in all rows like it.`;
    this.#notices.push({ line, text });
  }

  take(): readonly RecordNotice[] {
    const notices = this.#notices;
    this.#notices = [];
    return notices;
  }
}

// A batch whose fields are ranges of the bytes that were read: nothing is copied.

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

// The text of a JSON string, made in place out of the bytes between its quotes: what escapes stand for is never longer than they are.

const BACKSLASH = 0x5c;
const SIMPLE = new Uint8Array(256);
for (const [escape, character] of Object.entries({
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}))
  SIMPLE[escape.charCodeAt(0)] = character.charCodeAt(0);

/**
 * Makes the text of a field whose escapes are known to be whole, and moves its end.
 * @returns whether there is half of a surrogate pair without the other: UTF-8 has no bytes for it, U+FFFD is written.
 */
function unescapeInPlace(bytes: Uint8Array, starts: Uint32Array, ends: Uint32Array, field: number): boolean {
  const end = ends[field]!;
  let from = bytes.indexOf(BACKSLASH, starts[field]);
  let hasLone = false;
  let to = from;
  while (from < end) {
    const byte = bytes[from]!;
    if (byte !== BACKSLASH) {
      bytes[to++] = byte;
      from++;
      continue;
    }
    const kind = bytes[from + 1]!;
    if (kind !== 0x75) {
      bytes[to++] = SIMPLE[kind]!;
      from += 2;
      continue;
    }
    let code = codeAt(bytes, from);
    from += 6;
    if (code >= 0xd800 && code <= 0xdfff) {
      const isPair = code <= 0xdbff && from + 6 <= end && bytes[from] === BACKSLASH && bytes[from + 1] === 0x75;
      const low = isPair ? codeAt(bytes, from) : 0;
      if (low >= 0xdc00 && low <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        from += 6;
      } else {
        code = 0xfffd;
        hasLone = true;
      }
    }
    to = writeUtf8(bytes, to, code);
  }
  ends[field] = to;
  return hasLone;
}

const codeAt = (bytes: Uint8Array, at: number): number =>
  (hexDigit(bytes[at + 2]!) << 12) |
  (hexDigit(bytes[at + 3]!) << 8) |
  (hexDigit(bytes[at + 4]!) << 4) |
  hexDigit(bytes[at + 5]!);

function writeUtf8(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code;
    return at + 1;
  }
  if (code < 0x800) {
    bytes[at] = 0xc0 | (code >> 6);
    bytes[at + 1] = 0x80 | (code & 0x3f);
    return at + 2;
  }
  if (code < 0x10000) {
    bytes[at] = 0xe0 | (code >> 12);
    bytes[at + 1] = 0x80 | ((code >> 6) & 0x3f);
    bytes[at + 2] = 0x80 | (code & 0x3f);
    return at + 3;
  }
  bytes[at] = 0xf0 | (code >> 18);
  bytes[at + 1] = 0x80 | ((code >> 12) & 0x3f);
  bytes[at + 2] = 0x80 | ((code >> 6) & 0x3f);
  bytes[at + 3] = 0x80 | (code & 0x3f);
  return at + 4;
}

/** U+FFFD, which decoders write for bytes that are no character. */
function hasReplacement(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at + 3 <= end; at++)
    if (bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) return true;
  return false;
}

const COLON = 0x3a;

/** Beyond the columns of a table, keys can only be there again and again. */
const MAX_KEYS = READING_LIMITS.recordFields;

const tooMany = (keyBytes: number): string =>
  keyBytes - 2 > MAX_NAME_BYTES
    ? `it has a key of ${keyBytes.toLocaleString('en-US')} bytes, which is too long for the name of a column`
    : `it has a key beyond the ${MAX_COLUMNS} columns a table can have`;

type Shape = 'object' | 'array' | 'value';

export class JsonRecords {
  readonly #scanner: JsonScanner;
  readonly #batch: JsonBatch;
  readonly #columns: JsonColumns;
  readonly #notes: JsonNotes;
  readonly #hasHeader: boolean;
  readonly #isDecoded: boolean;
  /** Shape of the first record: all others must have the same. */
  #shape: Shape | null = null;
  /** Shape of the record that is being read. */
  #read: Shape = 'value';
  /** Columns before it. */
  #known = 0;
  /** Fields of the record that hold escapes or more than ASCII. The bytes are changed only once the record is known to be whole. */
  readonly #escaped: number[] = [];
  readonly #wide: number[] = [];
  #doubled = 0;

  /** @param isDecoded the text was in another encoding than UTF-8 */
  constructor(
    scanner: JsonScanner,
    batch: JsonBatch,
    columns: JsonColumns,
    notes: JsonNotes,
    { hasHeader, isDecoded }: { readonly hasHeader: boolean; readonly isDecoded: boolean },
  ) {
    this.#scanner = scanner;
    this.#batch = batch;
    this.#columns = columns;
    this.#notes = notes;
    this.#hasHeader = hasHeader;
    this.#isDecoded = isDecoded;
  }

  /**
   * Reads the value at `at`, to be kept or dropped.
   * @returns the position after it, or CUT or BAD: then it is dropped already, unless more of it may come.
   */
  read(at: number): number {
    if (at >= this.#scanner.end) return CUT;
    this.#known = this.#columns.count;
    // To set the length of an array is slow.
    if (this.#escaped.length > 0) this.#escaped.length = 0;
    if (this.#wide.length > 0) this.#wide.length = 0;
    this.#doubled = 0;
    const byte = this.#scanner.bytes[at]!;
    this.#read = byte === OPEN_BRACE ? 'object' : byte === OPEN_BRACKET ? 'array' : 'value';
    const isStranger = this.#shape !== null && this.#shape !== this.#read;
    const after = isStranger ? this.#stranger(at) : this.#take(at);
    if (after === BAD) this.drop();
    return after;
  }

  /** Keeps the value that was read last as a record of `line`. */
  keep(line: number): void {
    const isFirst = this.#shape === null;
    this.#shape = this.#read;
    if (isFirst && this.#read === 'array' && this.#takeHeader(line)) return;
    this.#settle(line);
    if (this.#columns.count > this.#known) this.#notes.noteNames(this.#columns.renamed(this.#known), line);
    this.#batch.close(this.#columns.count, line);
  }

  /** Drops the value that was read last: columns that only it brought are forgotten. */
  drop(): void {
    if (this.#columns.count > this.#known) this.#columns.forgetFrom(this.#known);
  }

  #take(at: number): number {
    this.#batch.open(this.#batch.fields, this.#batch.fields + this.#columns.count, at);
    if (this.#read === 'object') return this.#object(at);
    if (this.#read === 'array') return this.#array(at);
    if (this.#columns.count === 0) this.#newColumn('value', at);
    return this.#field(at, this.#batch.fields);
  }

  /** Whole, or it would not be known where it ends. */
  #stranger(at: number): number {
    const after = this.#scanner.value(at);
    if (after < 0) return after;
    const names = { object: 'an object', array: 'an array', value: 'a single value' };
    return this.#scanner.bad(at, `it is ${names[this.#read]}, while the first row is ${names[this.#shape!]}`);
  }

  #object(from: number): number {
    const scanner = this.#scanner;
    const { bytes, end } = scanner;
    const base = this.#batch.fields;
    let at = scanner.space(from + 1);
    if (at < end && bytes[at] === CLOSE_BRACE) return at + 1;
    for (let place = 0; ; place++) {
      if (place === MAX_KEYS) return scanner.bad(at, `it has more than ${MAX_KEYS.toLocaleString('en-US')} keys`);
      let column = this.#columns.expected(bytes, at, place);
      if (column >= 0) {
        at += this.#columns.lengthOf(column);
      } else {
        const key = at;
        at = scanner.keyString(at);
        if (at < 0) return at;
        column = this.#columnOf(key, at, place);
        if (column < 0) return scanner.bad(key, tooMany(at - key));
      }
      // Most files have no space there, or one.
      if (at + 1 < end && bytes[at] === COLON && bytes[at + 1]! > 0x20) at++;
      else at = scanner.colon(at);
      if (at < 0) return at;
      at = this.#field(at, base + column);
      if (at < 0) return at;
      if (at < end && bytes[at] === COMMA) at++;
      else {
        at = scanner.separator(at, OPEN_BRACE);
        if (at < 0) return at;
        if (bytes[at - 1] === CLOSE_BRACE) return at;
      }
      at = scanner.space(at);
    }
  }

  #columnOf(key: number, after: number, place: number): number {
    const { count } = this.#columns;
    const column = this.#columns.find(this.#scanner.bytes, key + 1, after - 1, place);
    if (column >= count) this.#batch.open(this.#batch.fields + column, this.#batch.fields + column + 1, key);
    return column;
  }

  #array(from: number): number {
    const scanner = this.#scanner;
    const { bytes } = scanner;
    let at = scanner.space(from + 1);
    if (at < scanner.end && bytes[at] === CLOSE_BRACKET) return at + 1;
    for (let column = 0; ; column++) {
      if (column === MAX_COLUMNS)
        return scanner.bad(at, `it has more than the ${MAX_COLUMNS} columns a table can have`);
      if (column === this.#columns.count) this.#newColumn(null, at);
      at = this.#field(at, this.#batch.fields + column);
      if (at < 0) return at;
      at = scanner.separator(at, OPEN_BRACKET);
      if (at < 0) return at;
      if (bytes[at - 1] === CLOSE_BRACKET) return at;
      at = scanner.space(at);
    }
  }

  #newColumn(name: string | null, at: number): void {
    const column = this.#columns.add(name);
    this.#batch.open(this.#batch.fields + column, this.#batch.fields + column + 1, at);
  }

  #field(at: number, field: number): number {
    const scanner = this.#scanner;
    if (at >= scanner.end) return CUT;
    const batch = this.#batch;
    if (batch.kinds[field] !== FIELD.absent) this.#again(field);
    const byte = scanner.bytes[at]!;
    scanner.hasWide = false;
    if (byte === QUOTE) {
      const after = scanner.string(at);
      if (after < 0) return after;
      batch.set(field, FIELD.quoted, at + 1, after - 1);
      if (scanner.hasEscapes) this.#escaped.push(field);
      if (scanner.hasWide) this.#wide.push(field);
      return after;
    }
    const after = scanner.value(at);
    if (after < 0) return after;
    const kind = KINDS[byte] as FieldKind;
    batch.set(field, kind, at, after);
    if (scanner.hasWide) this.#wide.push(field);
    return after;
  }

  /** A key appears a second time: its first value is dropped. */
  #again(field: number): void {
    this.#doubled++;
    for (const list of [this.#escaped, this.#wide]) {
      const index = list.indexOf(field);
      if (index >= 0) list.splice(index, 1);
    }
  }

  /** The record is whole: its texts are made, and notices about it are noted. */
  #settle(line: number): void {
    const { bytes, starts, ends, kinds } = this.#batch;
    if (this.#doubled > 0) this.#notes.note('doubledKeys', line);
    for (const field of this.#escaped) {
      if (unescapeInPlace(bytes, starts, ends, field)) this.#notes.note('loneSurrogates', line);
    }
    for (const field of this.#wide) {
      if (this.#isDecoded && hasReplacement(bytes, starts[field]!, ends[field]!)) this.#notes.note('replaced', line);
      if (utf8End(bytes, starts[field]!, ends[field]!) === ends[field]) continue;
      kinds[field] = FIELD.blob;
      this.#notes.note('brokenText', line);
    }
  }

  /** The first array names the columns where it holds only strings, and is not a record then. */
  #takeHeader(line: number): boolean {
    const { bytes, starts, ends, kinds, fields } = this.#batch;
    const { count } = this.#columns;
    const isHeader =
      this.#hasHeader && count > 0 && kinds.subarray(fields, fields + count).every((kind) => kind === FIELD.quoted);
    if (!isHeader) return false;
    this.#settle(line);
    const names = Array.from({ length: count }, (_, column) =>
      new TextDecoder().decode(bytes.subarray(starts[fields + column], ends[fields + column])),
    );
    this.#columns.forgetFrom(0);
    for (const name of names) this.#columns.add(name);
    this.#notes.note('header', line);
    this.#notes.noteNames(this.#columns.renamed(0), line);
    return true;
  }
}

/** Kinds by first byte; all others are numbers. */
const KINDS = new Uint8Array(256).fill(FIELD.number);
KINDS[OPEN_BRACE] = KINDS[OPEN_BRACKET] = FIELD.json;
KINDS[0x74] = FIELD.true;
KINDS[0x66] = FIELD.false;
KINDS[0x6e] = FIELD.null;
