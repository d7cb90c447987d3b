// Reads one sheet of a workbook as records: a row of Excel is a record, its number is the line.
import { toAppError } from '#shared/protocol/errors.ts';
import type { ImportOptions } from '#shared/protocol/import.ts';
import { BatchWriter } from '../../records/batch-writer.ts';
import {
  FIELD,
  type ByteSource,
  type RecordBatch,
  type RecordNotice,
  type RecordProblem,
  type RecordReader,
} from '../../records/record-batch.ts';
import { uniqueNames } from '../csv/column-names.ts';
import { SharedStrings } from './shared-strings.ts';
import { SHEET_NAMES, SheetRows, type SheetCell } from './sheet-rows.ts';
import { chosenSheet, openWorkbook, type Sheet, type Workbook } from './workbook.ts';
import { XmlScanner } from './xml-scanner.ts';
import { damaged } from './zip-directory.ts';
import { openZipEntry, type ZipStream } from './zip-stream.ts';

/** SQLite's limit for a table (SQLITE_MAX_COLUMN in both engines). */
const MAX_COLUMNS = 2000;
/** After this much XML without a row, the reader returns so that the caller can decide whether to continue. */
const MAX_SILENT_BYTES = 8 << 20;
const MAX_PROBLEMS = 1000;

/** A workbook and the texts that its sheets share. */
interface OpenedTexts {
  readonly source: ByteSource;
  readonly workbook: Workbook;
  readonly strings: SharedStrings;
}

/** @throws as {@link openSheet} */
export async function openTexts(source: ByteSource): Promise<OpenedTexts> {
  const workbook = await openWorkbook(source);
  const strings = new SharedStrings();
  const entry = workbook.sharedStrings === null ? undefined : workbook.entries.get(workbook.sharedStrings);
  if (entry) await strings.read(await openZipEntry(source, entry));
  return { source, workbook, strings };
}

/** @param enoughRecords the batch with that many is the last one that is asked for @throws as {@link openSheet} */
export async function readSheet(
  { source, workbook, strings }: OpenedTexts,
  options: ImportOptions,
  enoughRecords = Infinity,
): Promise<RecordReader> {
  const sheet = chosenSheet(workbook, options.part);
  const entry = workbook.entries.get(sheet.path);
  if (!entry) throw damaged();
  const stream = await openZipEntry(source, entry);
  const scale = source.sizeBytes / Math.max(1, entry.compressedBytes);
  return new SheetReader(workbook, sheet, strings, stream, scale, enoughRecords, options);
}

/** @throws AppError `invalid`, `unavailable`, `too-big` where nothing of the sheet can be read. */
export const openSheet = async (source: ByteSource, options: ImportOptions): Promise<RecordReader> =>
  readSheet(await openTexts(source), options);

class SheetReader implements RecordReader {
  readonly #sheet: Sheet;
  readonly #strings: SharedStrings;
  readonly #stream: ZipStream;
  /** Bytes of the file for each compressed byte of the sheet: at its end the whole file counts as read. */
  readonly #scale: number;
  readonly #enoughRecords: number;
  readonly #rows: SheetRows;
  readonly #scanner: XmlScanner;
  readonly #writer = new BatchWriter();
  readonly #skipRows: number;
  #needsHeader: boolean;
  #columns: string[] = [];
  #problems: RecordProblem[] = [];
  #isOver = false;
  #isHiddenTold = false;

  constructor(
    workbook: Workbook,
    sheet: Sheet,
    strings: SharedStrings,
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
    this.#rows = new SheetRows(workbook.dateKinds, workbook.is1904, () => this.#takeRow());
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
    const isEnough = (): boolean => writer.isFull || writer.records >= this.#enoughRecords;
    while (!this.#isOver && !isEnough() && silent < MAX_SILENT_BYTES && this.#problems.length < MAX_PROBLEMS) {
      const before = writer.records;
      try {
        const bytes = await this.#stream.next();
        if (bytes === null) {
          this.#isOver = true;
          this.#scanner.finish();
        } else {
          silent += bytes.length;
          this.#scanner.write(bytes);
        }
      } catch (error) {
        this.#end(error);
      }
      if (writer.records > before) silent = 0;
    }
    return writer.take();
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
    const { cells, used, row } = this.#rows;
    if (row <= this.#skipRows) return;
    sortCells(cells, used);
    if (this.#needsHeader) {
      this.#needsHeader = false;
      this.#nameColumns(cells, used);
      return;
    }
    const width = cells[used - 1]!.column + 1;
    if (width > MAX_COLUMNS) {
      const text = cells
        .slice(0, used)
        .map((cell) => this.#textOf(cell))
        .join('\t')
        .slice(0, 10_000);
      const reason = `The row was left out: it has values beyond the ${MAX_COLUMNS} columns a table can have.`;
      this.#problems.push({ line: row, reason, text });
      return;
    }
    this.#widen(width);
    this.#writeRow(cells, used, row);
  }

  #writeRow(cells: readonly SheetCell[], used: number, row: number): void {
    const writer = this.#writer;
    const strings = this.#strings;
    const { texts } = this.#rows;
    writer.begin(row);
    let column = 0;
    for (let at = 0; at < used; at++) {
      const cell = cells[at]!;
      // The cell is there twice: the first one counts, as in Excel.
      if (cell.column < column) continue;
      for (; column < cell.column; column++) writer.bare(FIELD.absent);
      if (cell.shared < 0) writer.field(cell.kind, texts.bytes, cell.start, cell.end);
      else if (cell.shared < strings.count)
        writer.field(cell.kind, strings.bytes, strings.start(cell.shared), strings.ends[cell.shared]);
      else writer.bare(FIELD.absent);
      column++;
    }
    writer.end(this.#columns.length);
  }

  #nameColumns(cells: readonly SheetCell[], used: number): void {
    const names: string[] = [];
    for (const cell of cells.slice(0, used)) if (cell.column < MAX_COLUMNS) names[cell.column] ??= this.#textOf(cell);
    this.#columns = uniqueNames(Array.from(names, (name: string | undefined) => name ?? ''));
  }

  #widen(width: number): void {
    if (width <= this.#columns.length) return;
    const more = Array.from({ length: width - this.#columns.length }, () => '');
    this.#columns = uniqueNames([...this.#columns, ...more]);
  }

  #textOf({ kind, start, end, shared }: SheetCell): string {
    if (kind === FIELD.true) return 'TRUE';
    if (kind === FIELD.false) return 'FALSE';
    const strings = this.#strings;
    if (shared < 0 || shared >= strings.count) return this.#rows.texts.text(start, end);
    return new TextDecoder().decode(strings.bytes.subarray(strings.start(shared), strings.ends[shared]));
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
