// JSON: an array of objects, or an object of arrays for several tables; and NDJSON, an object on each line.
import { CellType } from '#shared/packed-rows/format.ts';
import type { ExportOptions } from '#shared/protocol/export.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { isUtf8, type Cells } from '../cells.ts';
import { uniqueNames, type RowsHead } from '../rows-head.ts';
import type { ExportFormat, FormatJob, FormatWriter } from '../format.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const HEX_DIGITS = new TextEncoder().encode('0123456789abcdef');
const SHORT_ESCAPES: Readonly<Record<number, string>> = { 8: 'b', 9: 't', 10: 'n', 12: 'f', 13: 'r' };
const CANNOT_HOLD = [
  'Integers are exact, but programs that read every number as floating point round those beyond 2^53.',
];

abstract class ObjectWriter implements FormatWriter {
  protected readonly out: ByteWriter;
  protected readonly job: FormatJob;
  readonly #options: ExportOptions;
  #columns: readonly string[] = [];
  #names: readonly Uint8Array[] = [];
  #places: readonly number[] = [];

  constructor(out: ByteWriter, job: FormatJob) {
    this.out = out;
    this.job = job;
    this.#options = job.options;
  }

  begin({ columns }: RowsHead): void {
    this.#places = columns.map(({ place }) => place);
    const encoder = new TextEncoder();
    const names = uniqueNames(
      columns.map(({ name }) => name),
      false,
    );
    this.#columns = names;
    this.#names = names.map((name) => encoder.encode(JSON.stringify(name)));
  }

  abstract rows(cells: Cells, from: number, to: number): void;
  abstract end(): void;
  abstract finish(): void;

  protected object(cells: Cells, row: number): void {
    const { out } = this;
    out.byte(0x7b);
    for (let index = 0; index < this.#places.length; index++) {
      if (index > 0) out.byte(0x2c);
      out.bytes(this.#names[index]!);
      out.byte(0x3a);
      this.#value(cells, row * cells.columnCount + this.#places[index]!, index);
    }
    out.byte(0x7d);
  }

  #value(cells: Cells, cell: number, index: number): void {
    switch (cells.types[cell]) {
      case CellType.null:
        return this.out.ascii('null');
      case CellType.text:
        return this.#text(cells.heap, cells.start(cell), cells.length(cell));
      case CellType.blob:
        if (this.job.blobFiles)
          return this.out.text(JSON.stringify(this.job.blobFiles.add(cells.bytes(cell), this.#columns[index]!)));
        return this.#blob(cells.heap, cells.start(cell), cells.length(cell));
      default:
        return cells.writeNumber(cell, this.out);
    }
  }

  #blob(heap: Uint8Array, start: number, length: number): void {
    this.out.byte(QUOTE);
    if (this.#options.blobs === 'base64') this.out.base64(heap, start, length);
    else this.out.hex(heap, start, length);
    this.out.byte(QUOTE);
  }

  #text(from: Uint8Array, start: number, length: number): void {
    if (!isUtf8(from, start, length)) {
      this.job.losses.note('invalidText');
      return this.#blob(from, start, length);
    }
    const into = this.out.reserve(length * 6 + 2);
    const before = this.out.length;
    let at = before;
    into[at++] = QUOTE;
    for (let index = start; index < start + length; index++) {
      const byte = from[index]!;
      if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) into[at++] = byte;
      else at = writeEscape(into, at, byte);
    }
    into[at++] = QUOTE;
    this.out.advance(at - before);
  }
}

/** Returns where it ends. */
function writeEscape(into: Uint8Array, start: number, byte: number): number {
  let at = start;
  into[at++] = BACKSLASH;
  const short = byte < 0x20 ? SHORT_ESCAPES[byte] : String.fromCharCode(byte);
  if (short !== undefined) {
    into[at++] = short.charCodeAt(0);
    return at;
  }
  into[at++] = 0x75;
  into[at++] = 0x30;
  into[at++] = 0x30;
  into[at++] = HEX_DIGITS[byte >> 4]!;
  into[at++] = HEX_DIGITS[byte & 15]!;
  return at;
}

class JsonWriter extends ObjectWriter {
  #tables = 0;
  #rows = 0;

  override begin(head: RowsHead): void {
    super.begin(head);
    const { out } = this;
    if (this.job.several) {
      out.ascii(this.#tables === 0 ? '{\n' : ',\n');
      out.text(`${JSON.stringify(head.name)}: `);
    }
    this.#tables++;
    this.#rows = 0;
    out.byte(0x5b);
  }

  rows(cells: Cells, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      this.out.ascii(this.#rows++ === 0 ? '\n' : ',\n');
      this.object(cells, row);
    }
  }

  end(): void {
    this.out.ascii(this.#rows === 0 ? ']' : '\n]');
  }

  finish(): void {
    if (this.job.several) this.out.ascii(this.#tables === 0 ? '{}' : '\n}');
    this.out.byte(0x0a);
  }
}

class NdjsonWriter extends ObjectWriter {
  rows(cells: Cells, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      this.object(cells, row);
      this.out.byte(0x0a);
    }
  }

  end(): void {}

  finish(): void {}
}

export const JSON_ROWS: ExportFormat = {
  info: {
    id: 'json',
    label: 'JSON',
    extension: 'json',
    mediaType: 'application/json',
    options: ['blobs'],
    cannotHold: CANNOT_HOLD,
    ofBlobs: 'BLOBs become text. Hexadecimal text is read back with the import expression unhex(value).',
    canNameFiles: true,
    sources: ['table', 'result', 'query', 'tables'],
  },
  start: (out, job) => new JsonWriter(out, job),
};

export const NDJSON: ExportFormat = {
  info: {
    id: 'ndjson',
    label: 'NDJSON',
    extension: 'ndjson',
    mediaType: 'application/x-ndjson',
    options: ['blobs'],
    cannotHold: CANNOT_HOLD,
    ofBlobs: 'BLOBs become text. Hexadecimal text is read back with the import expression unhex(value).',
    canNameFiles: true,
    sources: ['table', 'result', 'query'],
  },
  start: (out, job) => new NdjsonWriter(out, job),
};
