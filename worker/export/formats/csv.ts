// Comma-separated values (RFC 4180), and the same with tabs. NULL is written as an empty field, an empty text as `""`.
import type { ExportFormatInfo, ExportOptions } from '#shared/protocol/export.ts';
import { bytesLookLikeFormula } from '#shared/formula-text.ts';
import { CellType } from '#shared/packed-rows/format.ts';
import { realText, type ByteWriter } from '../byte-writer.ts';
import { isUtf8, type Cells } from '../cells.ts';
import type { ExportFormat, FormatJob, FormatWriter } from '../format.ts';
import type { RowsHead } from '../rows-head.ts';

const QUOTE = 0x22;
const NUL = 0;
/** Requirements of a byte of text. */
const Ask = { nothing: 0, quotes: 1, nul: 2, check: 4 } as const;
/** What a spreadsheet of another country may take for the delimiter: what follows would be another cell. */
const DELIMITERS = [0x09, 0x2c, 0x3b];
const BOM = [0xef, 0xbb, 0xbf];
const encoder = new TextEncoder();

class CsvWriter implements FormatWriter {
  readonly #out: ByteWriter;
  readonly #job: FormatJob;
  readonly #delimiter: Uint8Array;
  readonly #lineEnd: Uint8Array;
  readonly #nullText: Uint8Array;
  readonly #asks = new Uint8Array(256);
  #places: Uint32Array = new Uint32Array();
  #names: ReadonlyMap<number, string> = new Map();

  constructor(out: ByteWriter, job: FormatJob, options: ExportOptions) {
    this.#out = out;
    this.#job = job;
    this.#delimiter = encoder.encode(options.delimiter);
    this.#lineEnd = encoder.encode(options.lineEnding === 'crlf' ? '\r\n' : '\n');
    this.#nullText = encoder.encode(options.nullText);
    this.#asks.fill(Ask.check, 0x80);
    for (const byte of [QUOTE, 0x0a, 0x0d]) this.#asks[byte] = Ask.quotes;
    this.#asks[NUL] = Ask.nul;
    for (const byte of this.#delimiter) this.#asks[byte]! |= Ask.quotes;
    if (options.formulaGuard) for (const byte of DELIMITERS) this.#asks[byte]! |= Ask.quotes;
    if (options.bom) for (const byte of BOM) out.byte(byte);
  }

  begin({ columns }: RowsHead): void {
    this.#places = Uint32Array.from(columns, ({ place }) => place);
    this.#names = new Map(columns.map(({ place, name }) => [place, name]));
    if (!this.#job.options.header) return;
    columns.forEach(({ name }, index) => {
      if (index > 0) this.#out.bytes(this.#delimiter);
      const bytes = encoder.encode(name);
      this.#value(bytes, 0, bytes.length);
    });
    this.#out.bytes(this.#lineEnd);
  }

  rows(cells: Cells, from: number, to: number): void {
    const out = this.#out;
    const places = this.#places;
    for (let row = from; row < to; row++) {
      const first = row * cells.columnCount;
      for (let index = 0; index < places.length; index++) {
        if (index > 0) out.bytes(this.#delimiter);
        this.#cell(cells, first + places[index]!);
      }
      if (places.length === 1 && this.#nullText.length === 0 && cells.types[first + places[0]!] === CellType.null)
        this.#job.losses.note('blankLine');
      out.bytes(this.#lineEnd);
    }
  }

  end(): void {}

  finish(): void {}

  #cell(cells: Cells, cell: number): void {
    const out = this.#out;
    switch (cells.types[cell]) {
      case CellType.null:
        return out.bytes(this.#nullText);
      case CellType.integer:
        return out.integer(cells.float(cell));
      case CellType.text:
        return this.#value(cells.heap, cells.start(cell), cells.length(cell));
      case CellType.blob:
        return this.#job.blobFiles
          ? this.#file(cells.bytes(cell), cell % cells.columnCount)
          : this.#blob(cells.heap, cells.start(cell), cells.length(cell));
      default:
        return this.#number(cells, cell);
    }
  }

  #number(cells: Cells, cell: number): void {
    const isComma = this.#job.options.decimal === ',' && cells.types[cell] === CellType.real;
    if (!isComma) return cells.writeNumber(cell, this.#out);
    const text = encoder.encode(realText(cells.float(cell)).replace('.', ','));
    this.#text(text, 0, text.length);
  }

  #blob(heap: Uint8Array, start: number, length: number): void {
    if (length === 0) return this.#out.ascii('""');
    if (this.#job.options.blobs === 'base64') this.#out.base64(heap, start, length);
    else this.#out.hex(heap, start, length);
  }

  #file(bytes: Uint8Array, place: number): void {
    const path = encoder.encode(this.#job.blobFiles!.add(bytes, this.#names.get(place) ?? ''));
    this.#text(path, 0, path.length);
  }

  #value(heap: Uint8Array, start: number, length: number): void {
    const isFormula = this.#job.options.formulaGuard && bytesLookLikeFormula(heap, start, length);
    if (!isFormula) return this.#text(heap, start, length);
    this.#job.losses.note('guarded');
    const guarded = new Uint8Array(length + 1);
    guarded[0] = 0x27;
    guarded.set(heap.subarray(start, start + length), 1);
    this.#text(guarded, 0, guarded.length);
  }

  /** Checks the bytes while copying them; a text that needs quotes is written again from its beginning. */
  #text(from: Uint8Array, start: number, length: number): void {
    const into = this.#out.reserve(length);
    const at = this.#out.length;
    const asks = this.#asks;
    let asked = 0;
    for (let index = 0; index < length; index++) {
      const byte = from[start + index]!;
      asked |= asks[byte]!;
      into[at + index] = byte;
    }
    if (asked & Ask.nul) this.#job.losses.note('nulText');
    if (asked & Ask.check && !isUtf8(from, start, length)) {
      this.#job.losses.note('invalidText');
      return this.#blob(from, start, length);
    }
    if (asked & Ask.quotes || this.#isNullText(from, start, length)) return this.#quoted(from, start, length);
    this.#out.advance(length);
  }

  #isNullText(from: Uint8Array, start: number, length: number): boolean {
    const nullText = this.#nullText;
    if (length !== nullText.length) return false;
    for (let index = 0; index < length; index++) if (from[start + index] !== nullText[index]) return false;
    return true;
  }

  #quoted(from: Uint8Array, start: number, length: number): void {
    const into = this.#out.reserve(length * 2 + 2);
    let at = this.#out.length;
    const before = at;
    into[at++] = QUOTE;
    for (let index = start; index < start + length; index++) {
      const byte = from[index]!;
      if (byte === QUOTE) into[at++] = QUOTE;
      into[at++] = byte;
    }
    into[at++] = QUOTE;
    this.#out.advance(at - before);
  }
}

const CANNOT_HOLD = ['Types are not kept: the number 5 and the text “5” look the same.'];

const INFO: Omit<ExportFormatInfo, 'id' | 'label' | 'extension' | 'mediaType' | 'options'> = {
  cannotHold: CANNOT_HOLD,
  ofBlobs: 'BLOBs become text. Hexadecimal text is read back with the import expression unhex(value).',
  sources: ['table', 'result', 'query'],
  canNameFiles: true,
};

export const CSV: ExportFormat = {
  info: {
    ...INFO,
    id: 'csv',
    label: 'CSV',
    extension: 'csv',
    mediaType: 'text/csv',
    options: ['header', 'delimiter', 'nullText', 'lineEnding', 'decimal', 'blobs', 'bom', 'formulaGuard'],
  },
  start: (out, job) => new CsvWriter(out, job, job.options),
};

export const TSV: ExportFormat = {
  info: {
    ...INFO,
    id: 'tsv',
    label: 'TSV',
    extension: 'tsv',
    mediaType: 'text/tab-separated-values',
    options: ['header', 'nullText', 'lineEnding', 'decimal', 'blobs', 'bom', 'formulaGuard'],
  },
  start: (out, job) => new CsvWriter(out, job, { ...job.options, delimiter: '\t' }),
};
