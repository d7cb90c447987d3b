// The cells of a sheet, row by row, as listed in its XML.
import { keepShape } from '#shared/keep-shape.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { FIELD, type FieldKind, type RecordNotice } from '../../records/record-batch.ts';
import type { ReadingLimits } from '../reading-limits.ts';
import { CellBytes } from './cell-bytes.ts';
import { excelDate, type DateKind, type Workbook } from './workbook.ts';
import type { XmlListener, XmlTag } from './xml-scanner.ts';

// Parses numbers in the XML of a sheet from their bytes.

const [ZERO, NINE, PLUS, MINUS, POINT, LOWER_E] = [0x30, 0x39, 0x2b, 0x2d, 0x2e, 0x65];
/** This many digits are certainly a safe integer. */
const SAFE_DIGITS = 15;

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

/** Null unless the text is only digits, of a number that JavaScript holds exactly. */
function wholeNumber(bytes: Uint8Array, start: number, end: number): number | null {
  if (start >= end || end - start > SAFE_DIGITS) return null;
  let value = 0;
  for (let at = start; at < end; at++) {
    if (!isDigit(bytes[at]!)) return null;
    value = value * 10 + bytes[at]! - ZERO;
  }
  return value;
}

/** `-1.5e+3`, as XML Schema writes a double, but for `INF` and `NaN`. */
function isNumber(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  if (bytes[at] === PLUS || bytes[at] === MINUS) at++;
  const whole = at;
  while (at < end && isDigit(bytes[at]!)) at++;
  let digits = at - whole;
  if (at < end && bytes[at] === POINT) {
    const fraction = ++at;
    while (at < end && isDigit(bytes[at]!)) at++;
    digits += at - fraction;
  }
  if (digits === 0) return false;
  if (at === end) return true;
  if ((bytes[at]! | 0x20) !== LOWER_E) return false;
  at++;
  if (bytes[at] === PLUS || bytes[at] === MINUS) at++;
  const exponent = at;
  while (at < end && isDigit(bytes[at]!)) at++;
  return at === end && at > exponent;
}

export interface SheetCell {
  column: number;
  kind: FieldKind;
  /** Position in the bytes of the row. */
  start: number;
  end: number;
  /** A text that cells share, by its number; -1: none. */
  shared: number;
}

const MERGED = 'The sheet has merged cells. Each has its value in its first row and column, and the rest is empty.';
const REPLACED =
  'A text has bytes or escapes that are no character. They become � (U+FFFD), here and in all similar rows.';
const UNKNOWN = 'A formula has no saved result. It is left empty, here and in all similar rows.';

/** Elements that say something, by their place. */
export const SHEET_NAMES = ['c', 'v', 'f', 't', 'row', 'rPh', 'mergeCell'] as const;
const [CELL, VALUE, FORMULA, TEXT, ROW, PHONETIC, MERGE] = [0, 1, 2, 3, 4, 5, 6];

/** A row with so many times the cells that are read of one ends the sheet. */
const ENDLESS = 4;
/** Enough to tell `false` from a longer text. */
const LONGEST_BOOLEAN = 6;
/** A double holds any number of so many digits. */
const DOUBLE_DIGITS = 15;

/** Type of the value of a cell, by its `t`. */
type CellType = 'number' | 'shared' | 'boolean' | 'error' | 'inline' | 'text';
const [LOWER_S, LOWER_B, LOWER_N] = [0x73, 0x62, 0x6e];

export class SheetRows implements XmlListener {
  /** Notices, each given once. */
  readonly notices: RecordNotice[] = [];
  #isReplacedTold = false;
  /** Cells of the row that is being read; those from `used` on are left from other rows. */
  readonly cells: SheetCell[] = [];
  readonly texts: CellBytes;
  used = 0;
  /** The row has more text, or more cells, than are kept. */
  isTooLong = false;
  /** Number of the row in Excel. */
  row = 0;
  readonly #dateKinds: readonly (DateKind | null)[];
  readonly #is1904: boolean;
  readonly #onRow: () => void;
  #column = -1;
  #type: CellType = 'number';
  #style = 0;
  /** Start of the text of the cell. */
  #start = 0;
  #isValue = false;
  #inPhonetic = false;
  #hasFormula = false;
  #hasValue = false;
  /** The cell has a text of its own. */
  #hasInline = false;
  #hasMerged = false;
  #hasUnknown = false;
  #hasDisorder = false;

  readonly #mostCells: number;
  /** Cells of the row so far, empty ones included. */
  #cells = 0;

  constructor(
    { dateKinds, is1904 }: Pick<Workbook, 'dateKinds' | 'is1904'>,
    { recordBytes, recordFields }: Pick<ReadingLimits, 'recordBytes' | 'recordFields'>,
    onRow: () => void,
  ) {
    this.texts = new CellBytes(recordBytes);
    this.#mostCells = recordFields;
    this.#dateKinds = dateKinds;
    this.#is1904 = is1904;
    this.#onRow = onRow;
  }

  open(tag: XmlTag): void {
    switch (tag.name) {
      case CELL:
        this.#openCell(tag);
        return;
      case VALUE:
        // Some programs write the text of the cell here, too, and some write it anew.
        if (this.#hasInline) return;
        this.#isValue = this.#hasValue = true;
        return;
      case TEXT:
        if (this.#type !== 'inline' || this.#inPhonetic) return;
        if (!this.#hasInline) this.texts.used = this.#start;
        this.#isValue = this.#hasValue = this.#hasInline = true;
        return;
      case FORMULA:
        this.#hasFormula = true;
        return;
      case ROW:
        this.#openRow((tag.find('r') ? wholeNumber(tag.bytes, tag.start, tag.end) : null) ?? this.row + 1);
        this.#column = -1;
        this.#cells = 0;
        this.used = this.texts.used = 0;
        this.isTooLong = false;
        return;
      case PHONETIC:
        this.#inPhonetic = true;
        return;
      case MERGE:
        if (!this.#hasMerged) this.notices.push({ line: this.row, text: MERGED });
        this.#hasMerged = true;
        return;
      default:
    }
  }

  close(name: number): void {
    switch (name) {
      case CELL:
        this.#closeCell();
        return;
      case VALUE:
      case TEXT:
        this.#isValue = false;
        return;
      case ROW:
        if (this.used > 0) this.#onRow();
        this.used = 0;
        return;
      case PHONETIC:
        this.#inPhonetic = false;
        return;
      default:
    }
  }

  text(bytes: Uint8Array, start: number, end: number, isPlain: boolean): void {
    if (!this.#isValue) return;
    if (!this.texts.hasRoom(end - start)) this.isTooLong = true;
    else this.texts.add(bytes, start, end, isPlain);
  }

  #openRow(row: number): void {
    if (row <= this.row && !this.#hasDisorder) {
      const text = `The rows are not in order: row ${row} comes after row ${this.row}. They are read in the order of the file.`;
      this.notices.push({ line: row, text });
      this.#hasDisorder = true;
    }
    this.row = row;
  }

  #openCell(tag: XmlTag): void {
    // Excel has 16,384 columns. The end of such a row may be gigabytes away.
    if (++this.#cells > ENDLESS * this.#mostCells)
      throw AppError.invalid('The workbook is damaged: a row has more cells than any sheet has columns.');
    const column = tag.find('r') ? columnOf(tag.bytes, tag.start, tag.end) : -1;
    this.#column = column < 0 ? this.#column + 1 : column;
    this.#type = tag.find('t') ? cellType(tag.bytes, tag.start, tag.end) : 'number';
    this.#style = (tag.find('s') ? wholeNumber(tag.bytes, tag.start, tag.end) : 0) ?? -1;
    this.#start = this.texts.used;
    this.#hasFormula = this.#hasValue = this.#hasInline = false;
  }

  #closeCell(): void {
    const start = this.#start;
    const isText = this.#type === 'inline' || this.#type === 'text';
    if (!isText) this.#trim(start);
    const { bytes, used } = this.texts;
    if (!this.#hasValue || (used === start && !isText)) {
      if (this.#hasFormula && !this.#hasUnknown) {
        this.#hasUnknown = true;
        this.notices.push({ line: this.row, text: UNKNOWN });
      }
      return;
    }
    switch (this.#type) {
      case 'shared':
        this.#add(FIELD.quoted, start, wholeNumber(bytes, start, used) ?? -1);
        return;
      case 'boolean':
        this.#addBoolean();
        return;
      case 'number':
        this.#addNumber();
        return;
      case 'error':
        // `#N/A` and its like: a text that can be said to mean NULL.
        this.#finishText(start);
        this.#add(FIELD.text, start);
        return;
      default:
        this.#finishText(start);
        this.#add(FIELD.quoted, start);
    }
  }

  /** Leaves out white space around a value. */
  #trim(from: number): void {
    const { texts } = this;
    let start = from;
    while (start < texts.used && texts.bytes[start]! <= 0x20) start++;
    while (texts.used > start && texts.bytes[texts.used - 1]! <= 0x20) texts.used--;
    if (start > from) texts.bytes.copyWithin(from, start, texts.used);
    texts.used -= start - from;
  }

  #finishText(start: number): void {
    this.texts.finishText(start);
    if (this.texts.hasReplaced) this.noteReplaced(this.row);
  }

  noteReplaced(row: number): void {
    if (!this.#isReplacedTold) this.notices.push({ line: row, text: REPLACED });
    this.#isReplacedTold = true;
  }

  #addBoolean(): void {
    const { texts } = this;
    const start = this.#start;
    const text = texts.text(start, Math.min(texts.used, start + LONGEST_BOOLEAN)).toLowerCase();
    const isTrue = text === '1' || text === 'true';
    if (isTrue || text === '0' || text === 'false') this.#add(isTrue ? FIELD.true : FIELD.false, texts.used);
    else {
      this.#finishText(start);
      this.#add(FIELD.quoted, start);
    }
  }

  #addNumber(): void {
    const { texts } = this;
    const start = this.#start;
    if (!isNumber(texts.bytes, start, texts.used)) {
      this.#finishText(start);
      this.#add(FIELD.quoted, start);
      return;
    }
    const kind = this.#dateKinds[this.#style] ?? null;
    const date = kind === null ? null : excelDate(Number(texts.text(start, texts.used)), kind, this.#is1904);
    if (date === null) {
      this.#shorten(start);
      return this.#add(FIELD.number, start);
    }
    texts.used = start;
    texts.addText(date);
    this.#add(FIELD.quoted, start);
  }

  /** Excel writes 17 digits of a double, so that 1.1 is 1.1000000000000001. */
  #shorten(start: number): void {
    const { texts } = this;
    if (texts.used - start <= DOUBLE_DIGITS) return;
    const text = texts.text(start, texts.used);
    const value = Number(text);
    if (!/[.e]/i.test(text) || !Number.isFinite(value)) return;
    texts.used = start;
    const shortest = String(value);
    // It stays a real number.
    texts.addText(/[.e]/.test(shortest) ? shortest : `${shortest}.0`);
  }

  /** A cell whose text is all from `start` on. */
  #add(kind: FieldKind, start: number, shared = -1): void {
    if (this.used === this.#mostCells) {
      this.isTooLong = true;
      this.texts.used = start;
      return;
    }
    const end = this.texts.used;
    const cell = this.cells[this.used];
    if (cell) {
      cell.column = this.#column;
      cell.kind = kind;
      cell.start = start;
      cell.end = end;
      cell.shared = shared;
    } else {
      this.cells.push({ column: this.#column, kind, start, end, shared });
    }
    this.used++;
  }
}

function cellType(bytes: Uint8Array, start: number, end: number): CellType {
  const first = bytes[start]!;
  if (end - start === 1) {
    if (first === LOWER_S) return 'shared';
    if (first === LOWER_N) return 'number';
    if (first === LOWER_B) return 'boolean';
    if (first === LOWER_E) return 'error';
  }
  return String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 10))) === 'inlineStr' ? 'inline' : 'text';
}

/** `C7` is in column 2; -1 if there is no column. */
function columnOf(bytes: Uint8Array, start: number, end: number): number {
  let column = 0;
  let at = start;
  for (; at < end && at < start + 4; at++) {
    const letter = bytes[at]! | 0x20;
    if (letter < 0x61 || letter > 0x7a) break;
    column = column * 26 + letter - 0x60;
  }
  return at === start ? -1 : column - 1;
}

keepShape(new SheetRows({ dateKinds: [], is1904: false }, { recordBytes: 0, recordFields: 0 }, () => undefined));
