// The cells of packed rows for a format to write: by index in flat buffers, without an object or a string for each.
import { CellType, type PackedRows } from '#shared/packed-rows/format.ts';
import { ByteWriter, realText } from './byte-writer.ts';
import type { BlobForm } from '#shared/protocol/export.ts';

/** The beginning of a value, in a preview of the export, is written like a value. */
const WHOLE: readonly number[] = Object.values(CellType).map((type) =>
  type === CellType.textPreview ? CellType.text : type === CellType.blobPreview ? CellType.blob : type,
);

export class Cells {
  readonly rowCount: number;
  readonly columnCount: number;
  readonly types: Uint8Array;
  /** Bytes of texts and blobs; see `start` and `length`. */
  readonly heap: Uint8Array;
  readonly #floats: Float64Array;
  readonly #bigs: BigInt64Array;
  readonly #words: Uint32Array;

  constructor(rows: PackedRows) {
    this.rowCount = rows.rowCount;
    this.columnCount = rows.columnCount;
    const isPreview = rows.types.includes(CellType.textPreview) || rows.types.includes(CellType.blobPreview);
    this.types = isPreview ? rows.types.map((type) => WHOLE[type]!) : rows.types;
    this.heap = rows.heap;
    this.#floats = new Float64Array(rows.slots);
    this.#bigs = new BigInt64Array(rows.slots);
    this.#words = new Uint32Array(rows.slots);
  }

  /** Start of the bytes of a text or blob in `heap`. */
  start(cell: number): number {
    return this.#words[cell * 2]!;
  }

  /** Number of these bytes. */
  length(cell: number): number {
    return this.#words[cell * 2 + 1]!;
  }

  /** Value of an INTEGER within ±(2^53 − 1), or of a REAL. */
  float(cell: number): number {
    return this.#floats[cell]!;
  }

  bigint(cell: number): bigint {
    return this.#bigs[cell]!;
  }

  bytes(cell: number): Uint8Array {
    const start = this.start(cell);
    return this.heap.subarray(start, start + this.length(cell));
  }

  /** Number of texts that contain U+FFFD. */
  get replacedTexts(): number {
    if (!holdsReplacement(this.heap)) return 0;
    let count = 0;
    for (let cell = 0; cell < this.types.length; cell++)
      if (this.types[cell] === CellType.text && holdsReplacement(this.bytes(cell))) count++;
    return count;
  }

  /** Writes an INTEGER or REAL in a form that every reader accepts. A REAL has a point or an exponent, so that 2.0 stays a REAL. */
  writeNumber(cell: number, out: ByteWriter): void {
    const type = this.types[cell];
    if (type === CellType.integer) out.integer(this.#floats[cell]!);
    else if (type === CellType.bigInteger) out.ascii(String(this.#bigs[cell]));
    else out.real(this.#floats[cell]!);
  }
}

/** U+FFFD as UTF-8: EF BF BD. */
function holdsReplacement(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0xef); at >= 0; at = bytes.indexOf(0xef, at + 1))
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) return true;
  return false;
}

const strict = new TextDecoder('utf-8', { fatal: true });

export function isUtf8(bytes: Uint8Array, start: number, length: number): boolean {
  let at = start;
  const end = start + length;
  while (at < end && bytes[at]! < 0x80) at++;
  if (at === end) return true;
  try {
    strict.decode(bytes.subarray(at, end));
    return true;
  } catch {
    return false;
  }
}

// A cell as a string, for human-readable formats. Their files are small, so the cost of one string per cell does not matter.

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Null for NULL. */
export function cellText(
  cells: Cells,
  cell: number,
  { blobs, losses }: { readonly blobs: BlobForm; readonly losses: Losses },
): string | null {
  switch (cells.types[cell]) {
    case CellType.null:
      return null;
    case CellType.integer:
      return String(cells.float(cell));
    case CellType.bigInteger:
      return String(cells.bigint(cell));
    case CellType.real:
      return realText(cells.float(cell));
    case CellType.blob:
      return blobText(cells.bytes(cell), blobs);
    default:
      if (isUtf8(cells.heap, cells.start(cell), cells.length(cell))) return decoder.decode(cells.bytes(cell));
      losses.note('invalidText');
      return blobText(cells.bytes(cell), blobs);
  }
}

function blobText(bytes: Uint8Array, as: BlobForm): string {
  const out = new ByteWriter();
  if (as === 'base64') out.base64(bytes, 0, bytes.length);
  else out.hex(bytes, 0, bytes.length);
  return decoder.decode(out.take());
}

// Counts the values that differ between the file and the database, notes what else is missing, and reports both in sentences.

const LOSSES = {
  invalidText: [
    'text value is not valid UTF-8. It was written as a BLOB.',
    'text values are not valid UTF-8. They were written as BLOBs.',
  ],
  nulText: [
    'text value contains a NUL character. Many programs stop reading there.',
    'text values contain NUL characters. Many programs stop reading there.',
  ],
  guarded: [
    'text value got an apostrophe from the formula guard.',
    'text values got an apostrophe from the formula guard.',
  ],
  longText: [
    'text value was cut: a cell of a spreadsheet holds at most 32,767 characters.',
    'text values were cut: a cell of a spreadsheet holds at most 32,767 characters.',
  ],
  replacedText: [
    'text value contains U+FFFD. If it is not valid UTF-8 in the file, the native engine has read it like that.',
    'text values contain U+FFFD. If they are not valid UTF-8 in the file, the native engine has read them like that.',
  ],
  blankLine: [
    'row is an empty line, because its only value is NULL. Some programs skip empty lines.',
    'rows are empty lines, because their only value is NULL. Some programs skip empty lines.',
  ],
  blankRow: [
    'row has nothing but NULL, so it is empty. Spreadsheets and imports skip empty rows.',
    'rows have nothing but NULL, so they are empty. Spreadsheets and imports skip empty rows.',
  ],
  infinite: [
    'infinite REAL was written as text: a spreadsheet has no such number.',
    'infinite REALs were written as text: a spreadsheet has no such numbers.',
  ],
  otherDate: [
    'value of a column of dates was written as text: the statement returned something else when it ran again.',
    'values of columns of dates were written as text: the statement returned something else when it ran again.',
  ],
  refusedRow: [
    'row was left out: it violates a constraint of its own table.',
    'rows were left out: they violate constraints of their own tables.',
  ],
  longInteger: [
    'integer of more than 15 digits was written as text: a spreadsheet would round it.',
    'integers of more than 15 digits were written as text: a spreadsheet would round them.',
  ],
} as const;

type Loss = keyof typeof LOSSES;

export class Losses {
  readonly #counts = new Map<Loss, number>();
  readonly #said: string[] = [];

  note(loss: Loss, count = 1): void {
    this.#counts.set(loss, (this.#counts.get(loss) ?? 0) + count);
  }

  /** A sentence about one named object. */
  say(sentence: string): void {
    this.#said.push(sentence);
  }

  get sentences(): string[] {
    const counted = Array.from(
      this.#counts,
      ([loss, count]) => `${count.toLocaleString('en-US')} ${LOSSES[loss][count === 1 ? 0 : 1]}`,
    );
    return [...counted, ...this.#said];
  }
}
