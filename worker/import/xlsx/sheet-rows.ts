// The cells of a sheet as its XML names them, row by row.
import { FIELD, type FieldKind, type RecordNotice } from '../../records/record-batch.ts';
import { excelDate, type DateKind } from './excel-dates.ts';
import { excelText } from './excel-text.ts';
import type { XmlListener } from './xml-events.ts';

export interface SheetCell {
  column: number;
  kind: FieldKind;
  text: string;
  /** A text that cells share, by its number; -1: `text`. */
  shared: number;
}

const MERGED = 'The sheet has merged cells. Each has its value in its first row and column, and the rest is empty.';
const UNKNOWN = 'A formula has no saved result. It is left empty, here and in all rows like it.';
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

export class SheetRows implements XmlListener {
  /** What is to be told, each once. */
  readonly notices: RecordNotice[] = [];
  /** Of the row that is being read; those from `used` on are left from other rows. */
  readonly cells: SheetCell[] = [];
  used = 0;
  /** As Excel numbers rows. */
  row = 0;
  readonly #dateKinds: readonly (DateKind | null)[];
  readonly #is1904: boolean;
  readonly #onRow: () => void;
  #column = -1;
  #type = '';
  #style = 0;
  #text = '';
  #isValue = false;
  #inPhonetic = false;
  #hasFormula = false;
  #hasValue = false;
  #hasMerged = false;
  #hasUnknown = false;

  constructor(dateKinds: readonly (DateKind | null)[], is1904: boolean, onRow: () => void) {
    this.#dateKinds = dateKinds;
    this.#is1904 = is1904;
    this.#onRow = onRow;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'c':
        this.#openCell(attributes);
        return;
      case 'v':
        this.#isValue = this.#hasValue = true;
        return;
      case 't':
        if (this.#type !== 'inlineStr' || this.#inPhonetic) return;
        this.#isValue = this.#hasValue = true;
        return;
      case 'f':
        this.#hasFormula = true;
        return;
      case 'row':
        this.row = whole(attributes['r']) ?? this.row + 1;
        this.#column = -1;
        this.used = 0;
        return;
      case 'rPh':
        this.#inPhonetic = true;
        return;
      case 'mergeCell':
        if (!this.#hasMerged) this.notices.push({ line: this.row, text: MERGED });
        this.#hasMerged = true;
        return;
      default:
    }
  }

  close(name: string): void {
    switch (name) {
      case 'c':
        this.#closeCell();
        return;
      case 'v':
      case 't':
        this.#isValue = false;
        return;
      case 'row':
        if (this.used > 0) this.#onRow();
        this.used = 0;
        return;
      case 'rPh':
        this.#inPhonetic = false;
        return;
      default:
    }
  }

  text(text: string): void {
    if (this.#isValue) this.#text += text;
  }

  #openCell(attributes: Readonly<Record<string, string>>): void {
    const reference = attributes['r'];
    const column = reference === undefined ? -1 : columnOf(reference);
    this.#column = column < 0 ? this.#column + 1 : column;
    this.#type = attributes['t'] ?? 'n';
    this.#style = Number(attributes['s'] ?? 0);
    this.#text = '';
    this.#hasFormula = this.#hasValue = false;
  }

  #closeCell(): void {
    if (!this.#hasValue) {
      if (this.#hasFormula && !this.#hasUnknown) {
        this.#hasUnknown = true;
        this.notices.push({ line: this.row, text: UNKNOWN });
      }
      return;
    }
    const text = this.#text;
    switch (this.#type) {
      case 's':
        this.#add(FIELD.quoted, '', whole(text) ?? -1);
        return;
      case 'b':
        this.#add(text === '1' || text === 'true' ? FIELD.true : FIELD.false, '');
        return;
      case 'n':
        this.#addNumber(text.trim());
        return;
      case 'e':
        // `#N/A` and its like: a text that can be said to mean NULL.
        this.#add(FIELD.text, text);
        return;
      default:
        this.#add(FIELD.quoted, excelText(text));
    }
  }

  #addNumber(text: string): void {
    if (text === '') return;
    if (!NUMBER.test(text)) {
      this.#add(FIELD.quoted, text);
      return;
    }
    const kind = this.#dateKinds[this.#style] ?? null;
    const date = kind === null ? null : excelDate(Number(text), kind, this.#is1904);
    if (date === null) this.#add(FIELD.number, text);
    else this.#add(FIELD.quoted, date);
  }

  #add(kind: FieldKind, text: string, shared = -1): void {
    const cell = this.cells[this.used];
    if (cell) {
      cell.column = this.#column;
      cell.kind = kind;
      cell.text = text;
      cell.shared = shared;
    } else {
      this.cells.push({ column: this.#column, kind, text, shared });
    }
    this.used++;
  }
}

function whole(text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** `C7` is in column 2; -1 for what names none. */
function columnOf(reference: string): number {
  let column = 0;
  let at = 0;
  for (; at < reference.length && at < 4; at++) {
    const letter = reference.charCodeAt(at) | 0x20;
    if (letter < 0x61 || letter > 0x7a) break;
    column = column * 26 + letter - 0x60;
  }
  return at === 0 ? -1 : column - 1;
}
