// Reads one sheet of a workbook as records: a row of Excel is a record, its number is the line.
import { toAppError, AppError } from '#shared/protocol/errors.ts';
import type { ImportOptions } from '#shared/protocol/import.ts';
import { keepShape } from '#shared/keep-shape.ts';
import { BatchWriter, grown } from '../../records/batch-writer.ts';
import { FIELD } from '../../records/record-batch.ts';
import type { ByteSource, RecordBatch, RecordNotice, RecordProblem, RecordReader } from '../../records/record-batch.ts';
import { namesSentence, uniqueNames } from '../csv/column-names.ts';
import { MAX_PROBLEMS, READING_LIMITS, sizeText, type ReadingLimits } from '../reading-limits.ts';
import { CellBytes } from './cell-bytes.ts';
import { SHEET_NAMES, SheetRows, type SheetCell } from './sheet-rows.ts';
import { chosenSheet, openWorkbook, type Sheet, type Workbook } from './workbook.ts';
import { type XmlListener, type XmlTag, XmlScanner } from './xml-scanner.ts';
import { damaged, type ZipEntry } from '../zip/zip-directory.ts';
import { openZipEntry, type ZipStream } from '../zip/zip-stream.ts';

// The texts that cells of a workbook share, as consecutive UTF-8. They are kept in memory, because they are needed in any order.

const NAMES = ['t', 'si', 'rPh'] as const;
const [TEXT, ITEM, PHONETIC] = [0, 1, 2];
/** What a tag, or a comment, counts for besides the texts: the time that millions of them take, and the ends of the strings. A plain string has four tags. */
const MARK_BYTES = 6;
/** So many times the bytes that are kept are read, whatever is in them: formatted texts have about as many, and others fewer. */
const XML_TIMES = 2;

class SharedStrings implements XmlListener {
  /** End of each string; it begins where the one before ends. */
  ends = new Uint32Array(1 << 10);
  count = 0;
  readonly #mostBytes: number;
  readonly #texts: CellBytes;
  #start = 0;
  #inText = false;
  /** Phonetic guide to a Japanese text, which is not part of it. */
  #inPhonetic = false;

  constructor({ keptBytes }: Pick<ReadingLimits, 'keptBytes'>) {
    this.#mostBytes = keptBytes;
    this.#texts = new CellBytes(keptBytes);
  }

  get bytes(): Uint8Array {
    return this.#texts.bytes;
  }

  /** One of them has U+FFFD in place of what is no character. */
  get hasReplaced(): boolean {
    return this.#texts.hasReplaced;
  }

  /** @throws AppError `too-big` */
  async read(stream: ZipStream): Promise<void> {
    const scanner = new XmlScanner(this, NAMES);
    let xmlBytes = 0;
    for (let bytes = await stream.next(); bytes !== null; bytes = await stream.next()) {
      scanner.write(bytes);
      xmlBytes += bytes.length;
      this.#assertRoom(scanner.marks * MARK_BYTES);
      if (xmlBytes > this.#mostBytes * XML_TIMES) throw this.#tooLong();
    }
    scanner.finish();
  }

  start(index: number): number {
    return index === 0 ? 0 : this.ends[index - 1]!;
  }

  open({ name }: XmlTag): void {
    if (name === ITEM) this.#texts.used = this.#start;
    else if (name === PHONETIC) this.#inPhonetic = true;
    this.#inText = name === TEXT && !this.#inPhonetic;
  }

  close(name: number): void {
    if (name === PHONETIC) this.#inPhonetic = false;
    else if (name === TEXT) this.#inText = false;
    else if (name === ITEM) this.#end();
  }

  text(bytes: Uint8Array, start: number, end: number, isPlain: boolean): void {
    if (!this.#inText) return;
    this.#assertRoom(end - start);
    this.#texts.add(bytes, start, end, isPlain);
  }

  #end(): void {
    this.#texts.finishText(this.#start);
    this.#start = this.#texts.used;
    if (this.count === this.ends.length) this.ends = grown(this.ends, this.count * 2, Uint32Array);
    this.ends[this.count++] = this.#start;
  }

  #assertRoom(bytes: number): void {
    if (!this.#texts.hasRoom(bytes)) throw this.#tooLong();
  }

  #tooLong(): AppError {
    return AppError.tooBig(
      `The text of the workbook with its formatting takes more than ${sizeText(this.#mostBytes)}. Save the sheet as CSV and import that.`,
    );
  }
}

keepShape(new SharedStrings({ keptBytes: 0 }));

// The rows of a sheet whose XML does not have them in order, or has one several times: Excel would repair it, and other programs read it by the
// numbers of its rows.

/** A larger sheet is read in the order of the file, which is said. */
const MOST_SORTED_BYTES = 4 << 20;

const ROW = /<((?:[\w.-]+:)?row)(?=[\s/>])([^<>]*)>/g;
const NUMBER = /\sr\s*=\s*["'](\d{1,9})["']/;

interface Row {
  readonly number: number;
  readonly tag: string;
  readonly attributes: string;
  readonly cells: string;
}

/** All of the stream, with its rows in order; null: it cannot be read to its end. */
async function inOrder(stream: ZipStream): Promise<ZipStream | null> {
  const pieces: Uint8Array[] = [];
  try {
    for (let piece = await stream.next(); piece !== null; piece = await stream.next()) pieces.push(piece.slice());
  } catch {
    return null;
  }
  const sorted = sortedRows(await new Blob(pieces as BlobPart[]).text());
  const rest = sorted === null ? pieces : [new TextEncoder().encode(sorted)];
  return { bytesRead: stream.bytesRead, next: async () => rest.shift() ?? null, close: () => (rest.length = 0) };
}

/** Cells of a row that is there several times are put together, in their order. Null: all is in order, or cannot be told. */
function sortedRows(xml: string): string | null {
  // Rows within them are none.
  if (xml.includes('<!--') || xml.includes('<![CDATA[')) return null;
  const rows: Row[] = [];
  let [from, end, last] = [-1, 0, 0];
  let isInOrder = true;
  for (const { 0: whole, 1: tag = '', 2: attributes = '', index } of xml.matchAll(ROW)) {
    if (index < end) return null;
    const number = Number(NUMBER.exec(attributes)?.[1] ?? last + 1);
    if (number <= last) isInOrder = false;
    last = number;
    if (from < 0) from = index;
    const isEmpty = attributes.endsWith('/');
    const after = index + whole.length;
    const close = isEmpty ? after : xml.indexOf(`</${tag}>`, after);
    if (close < 0) return null;
    rows.push({
      number,
      tag,
      attributes: isEmpty ? attributes.slice(0, -1) : attributes,
      cells: xml.slice(after, close),
    });
    end = isEmpty ? after : close + tag.length + 3;
  }
  if (isInOrder) return null;
  const byNumber = new Map<number, Row[]>();
  for (const row of rows) {
    const same = byNumber.get(row.number);
    if (same) same.push(row);
    else byNumber.set(row.number, [row]);
  }
  const text = [...byNumber]
    .sort(([one], [other]) => one - other)
    .map(([number, same]) => {
      const { tag, attributes } = same[0]!;
      const numbered = NUMBER.test(attributes) ? attributes : ` r="${number}"${attributes}`;
      return `<${tag}${numbered}>${same.map(({ cells }) => cells).join('')}</${tag}>`;
    });
  return xml.slice(0, from) + text.join('') + xml.slice(end);
}

/** SQLite's limit for a table (SQLITE_MAX_COLUMN in both engines). */
const MAX_COLUMNS = 2000;
/** After this much XML without a row, the reader returns so that the caller can decide whether to continue. */
const MAX_SILENT_BYTES = 8 << 20;
/** Text of a problem. */
const SHOWN_CHARS = 10_000;
/** Bytes of UTF-8 for each UTF-16 unit. */
const MOST_BYTES = 3;
const NO_BYTES = new Uint8Array();
const MISSING =
  'A cell refers to a text that is not in the workbook, which is damaged. It is left empty, here and in all similar rows.';
const TWICE = 'A cell is in the workbook twice. Its first value is kept, here and in all similar rows.';

/** A workbook and the texts that its sheets share. */
interface OpenedTexts {
  readonly source: ByteSource;
  readonly limits: ReadingLimits;
  readonly workbook: Workbook;
  readonly strings: SharedStrings;
}

/** @throws as {@link openSheet} */
export async function openTexts(source: ByteSource, limits: ReadingLimits = READING_LIMITS): Promise<OpenedTexts> {
  const workbook = await openWorkbook(source, limits);
  const strings = new SharedStrings(limits);
  const entry = workbook.sharedStrings === null ? undefined : workbook.entries.get(workbook.sharedStrings);
  if (entry) await strings.read(await openZipEntry(source, entry));
  return { source, limits, workbook, strings };
}

/** @param enoughRecords the batch with that many is the last one that is asked for @throws as {@link openSheet} */
export async function readSheet(
  opened: OpenedTexts,
  options: ImportOptions,
  enoughRecords = Infinity,
): Promise<RecordReader> {
  const { source, workbook } = opened;
  const sheet = chosenSheet(workbook, options.part);
  const entry = workbook.entries.get(sheet.path);
  if (!entry) throw damaged();
  const stream = await openRows(source, entry);
  const scale = source.sizeBytes / Math.max(1, entry.compressedBytes);
  return new SheetReader(opened, sheet, stream, scale, enoughRecords, options);
}

/** The XML of a sheet. If it is small, its rows are in order. */
async function openRows(source: ByteSource, entry: ZipEntry): Promise<ZipStream> {
  const stream = await openZipEntry(source, entry);
  if (entry.sizeBytes > MOST_SORTED_BYTES) return stream;
  return (await inOrder(stream)) ?? (await openZipEntry(source, entry));
}

/** @throws AppError `invalid`, `unavailable`, `too-big` where nothing of the sheet can be read. */
export const openSheet = async (
  source: ByteSource,
  options: ImportOptions,
  limits?: ReadingLimits,
): Promise<RecordReader> => readSheet(await openTexts(source, limits), options);

class SheetReader implements RecordReader {
  readonly #sheet: Sheet;
  readonly #strings: SharedStrings;
  readonly #stream: ZipStream;
  /** Bytes of the file for each compressed byte of the sheet: at its end the whole file counts as read. */
  readonly #scale: number;
  readonly #enoughRecords: number;
  readonly #limits: ReadingLimits;
  readonly #rows: SheetRows;
  readonly #scanner: XmlScanner;
  readonly #writer = new BatchWriter();
  readonly #skipRows: number;
  #needsHeader: boolean;
  #columns: string[] = [];
  #problems: RecordProblem[] = [];
  /** All of the XML is with the scanner. */
  #hasAll = false;
  #isOver = false;
  #isHiddenTold = false;
  #isMissingTold = false;
  #isTwiceTold = false;
  #hasNames = false;

  constructor(
    { workbook, strings, limits }: OpenedTexts,
    sheet: Sheet,
    stream: ZipStream,
    scale: number,
    enoughRecords: number,
    { hasHeader, skipLines }: ImportOptions,
  ) {
    this.#sheet = sheet;
    this.#strings = strings;
    this.#stream = stream;
    this.#scale = scale;
    this.#enoughRecords = enoughRecords;
    this.#needsHeader = hasHeader;
    this.#skipRows = skipLines;
    this.#limits = limits;
    this.#rows = new SheetRows(workbook, limits, () => {
      this.#takeRow();
      if (this.#isEnough) this.#scanner.pause();
    });
    this.#scanner = new XmlScanner(this.#rows, SHEET_NAMES);
  }

  get columns(): readonly string[] {
    return this.#columns;
  }

  get bytesRead(): number {
    return Math.floor(this.#stream.bytesRead * this.#scale);
  }

  takeProblems(): readonly RecordProblem[] {
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }

  takeNotices(): readonly RecordNotice[] {
    const notices = this.#rows.notices.splice(0);
    const { name, isHidden } = this.#sheet;
    if (isHidden && !this.#isHiddenTold) notices.unshift({ line: 1, text: `The sheet “${name}” is hidden in Excel.` });
    this.#isHiddenTold = true;
    return notices;
  }

  async next(): Promise<RecordBatch | null> {
    if (this.#isOver) return null;
    const writer = this.#writer;
    writer.clear();
    let silent = 0;
    while (!this.#isOver && !this.#isEnough && silent < MAX_SILENT_BYTES) {
      const before = writer.records;
      try {
        silent += await this.#readOn();
      } catch (error) {
        this.#end(error);
      }
      if (writer.records > before) silent = 0;
    }
    return writer.take();
  }

  /** A row may have a thousand times the bytes of its XML, whose texts are shared: reading pauses after any of them. */
  get #isEnough(): boolean {
    const { isFull, records } = this.#writer;
    return isFull || records >= this.#enoughRecords || this.#problems.length >= MAX_PROBLEMS;
  }

  /** Returns how many bytes of XML came. */
  async #readOn(): Promise<number> {
    const scanner = this.#scanner;
    const bytes = this.#hasAll || scanner.isPaused ? NO_BYTES : await this.#stream.next();
    if (bytes === null) this.#hasAll = true;
    if (this.#hasAll) {
      scanner.finish();
      this.#isOver = !scanner.isPaused;
      return 0;
    }
    scanner.write(bytes!);
    return bytes!.length;
  }

  /** Keeps the rows read so far, unless the file itself could not be read. */
  #end(error: unknown): void {
    const failure = toAppError(error);
    if (failure.code !== 'invalid') throw failure;
    this.#isOver = true;
    this.#stream.close();
    const { row } = this.#rows;
    const reason = `The sheet cannot be read beyond row ${row.toLocaleString('en-US')}. ${failure.message}`;
    this.#problems.push({ line: row + 1, reason, text: '', isLast: true });
  }

  #takeRow(): void {
    const { cells, used, row, isTooLong } = this.#rows;
    if (row <= this.#skipRows) return;
    if (isTooLong || this.#bytesOf(cells, used) > this.#limits.recordBytes) {
      const { recordFields, recordBytes } = this.#limits;
      this.#needsHeader = false;
      this.#leaveOut(
        used === recordFields
          ? `it has more than ${recordFields.toLocaleString('en-US')} cells`
          : `its text takes more than ${sizeText(recordBytes)}`,
      );
      return;
    }
    sortCells(cells, used);
    if (this.#needsHeader) {
      this.#needsHeader = false;
      this.#nameColumns(cells, used, row);
      return;
    }
    const width = cells[used - 1]!.column + 1;
    if (width > MAX_COLUMNS) {
      this.#leaveOut(`it has values beyond the ${MAX_COLUMNS} columns a table can have`);
      return;
    }
    this.#widen(width, row);
    this.#writeRow(cells, used, row);
  }

  #bytesOf(cells: readonly SheetCell[], used: number): number {
    let bytes = this.#rows.texts.used;
    for (let at = 0; at < used; at++) {
      const { shared } = cells[at]!;
      if (shared >= 0 && shared < this.#strings.count)
        bytes += this.#strings.ends[shared]! - this.#strings.start(shared);
    }
    return bytes;
  }

  #leaveOut(why: string): void {
    const { cells, used, row } = this.#rows;
    let text = '';
    for (let at = 0; at < used && text.length < SHOWN_CHARS; at++)
      text += `${at === 0 ? '' : '\t'}${this.#textOf(cells[at]!, SHOWN_CHARS)}`;
    this.#problems.push({ line: row, reason: `The row was left out: ${why}.`, text: text.slice(0, SHOWN_CHARS) });
  }

  #writeRow(cells: readonly SheetCell[], used: number, row: number): void {
    const writer = this.#writer;
    const strings = this.#strings;
    const { texts } = this.#rows;
    writer.begin(row);
    let column = 0;
    for (let at = 0; at < used; at++) {
      const cell = cells[at]!;
      // The first one counts, as in Excel.
      if (cell.column < column) {
        this.#noteTwice(row);
        continue;
      }
      for (; column < cell.column; column++) writer.bare(FIELD.absent);
      if (cell.shared < 0) writer.field(cell.kind, texts.bytes, cell.start, cell.end);
      else if (cell.shared < strings.count) {
        writer.field(cell.kind, strings.bytes, strings.start(cell.shared), strings.ends[cell.shared]);
        if (strings.hasReplaced && this.#textOf(cell).includes('\ufffd')) this.#rows.noteReplaced(row);
      } else {
        if (!this.#isMissingTold) this.#rows.notices.push({ line: row, text: MISSING });
        this.#isMissingTold = true;
        writer.bare(FIELD.absent);
      }
      column++;
    }
    writer.end(this.#columns.length);
  }

  #noteTwice(row: number): void {
    if (!this.#isTwiceTold) this.#rows.notices.push({ line: row, text: TWICE });
    this.#isTwiceTold = true;
  }

  #nameColumns(cells: readonly SheetCell[], used: number, row: number): void {
    const names: string[] = [];
    for (const cell of cells.slice(0, used)) if (cell.column < MAX_COLUMNS) names[cell.column] ??= this.#textOf(cell);
    const given = Array.from(names, (name: string | undefined) => name ?? '');
    this.#columns = uniqueNames(given);
    this.#hasNames = true;
    const sentence = namesSentence(this.#columns, given, 'header row');
    if (sentence !== null) this.#rows.notices.push({ line: row, text: sentence });
  }

  #widen(width: number, row: number): void {
    if (width <= this.#columns.length) return;
    const given = [...this.#columns, ...Array.from({ length: width - this.#columns.length }, () => '')];
    this.#columns = uniqueNames(given);
    const sentence = this.#hasNames ? namesSentence(this.#columns, given, 'header row') : null;
    if (sentence !== null)
      this.#rows.notices.push({ line: row, text: `A row is longer than the header row. ${sentence}` });
    // Later rows may be longer still: what is said once is enough.
    this.#hasNames = false;
  }

  /** @param chars that are needed */
  #textOf({ kind, start, end, shared }: SheetCell, chars = Infinity): string {
    if (kind === FIELD.true) return 'TRUE';
    if (kind === FIELD.false) return 'FALSE';
    const strings = this.#strings;
    const most = chars * MOST_BYTES;
    if (shared < 0 || shared >= strings.count) return this.#rows.texts.text(start, Math.min(end, start + most));
    const from = strings.start(shared);
    return new TextDecoder().decode(strings.bytes.subarray(from, Math.min(strings.ends[shared]!, from + most)));
  }
}

/** All known writers write them in order; the format does not guarantee it. */
function sortCells(cells: SheetCell[], used: number): void {
  for (let at = 1; at < used; at++) {
    if (cells[at]!.column > cells[at - 1]!.column) continue;
    const sorted = cells.slice(0, used).sort((a, b) => a.column - b.column);
    cells.splice(0, used, ...sorted);
    return;
  }
}
