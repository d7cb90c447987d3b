// A workbook for spreadsheets (ECMA-376): a sheet for each table, with the names of the columns on top.
import { CellType } from '#shared/packed-rows/format.ts';
import { trimmed } from '#shared/trimmed.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { cellText, type Cells } from '../cells.ts';
import { type DateColumn, DATE_FORMATS, readDate } from '../date-columns.ts';
import type { ChunkSink, ExportFormat, FormatJob, FormatWriter } from '../format.ts';
import type { RowsHead } from '../rows-head.ts';
import { ZipSink, type ZipEntry } from '../zip.ts';

/** Limits of a sheet and of a cell (support.microsoft.com, Excel specifications and limits). */
const MAX_ROWS = 1_048_576;
const MAX_TEXT = 32_767;
const MAX_SHEET_NAME = 31;
/** A spreadsheet keeps 15 digits of a number. */
const MAX_EXACT = 999_999_999_999_999;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const PART = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
/** Style of the first of the date formats: style 0 is plain, 1 is bold. */
const DATE_STYLE = 2;
/** Numbers up to 163 are Excel's own. */
const NUMBER_FORMAT = 164;
/** In characters: in a narrower column, a spreadsheet shows # instead of a date. */
const WIDTHS = { date: 12, time: 20 } as const;
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${DATE_FORMATS.length}">${DATE_FORMATS.map((code, at) => `<numFmt numFmtId="${NUMBER_FORMAT + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${2 + DATE_FORMATS.length}"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/>${DATE_FORMATS.map((_, at) => `<xf xfId="0" numFmtId="${NUMBER_FORMAT + at}" applyNumberFormat="1"/>`).join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

class XlsxWriter implements FormatWriter {
  readonly #out: ByteWriter;
  readonly #job: FormatJob;
  readonly #entries: ZipEntry[] = [];
  readonly #sheets: string[] = [];
  #head: RowsHead | null = null;
  #tables = 0;
  /** By place among the columns of the table. */
  #dates: readonly DateColumn[] = [];
  #rowsOfSheet = 0;

  constructor(out: ByteWriter, job: FormatJob) {
    this.#out = out;
    this.#job = job;
  }

  pack(sink: ChunkSink): ChunkSink {
    return new ZipSink(sink, this.#entries);
  }

  begin(head: RowsHead): void {
    this.#head = head;
    this.#dates = this.#job.dates?.of(this.#tables++) ?? [];
    this.#beginSheet(head);
  }

  rows(cells: Cells, from: number, to: number): void {
    const { columns } = this.#head!;
    for (let row = from; row < to; row++) {
      const first = row * cells.columnCount;
      if (this.#rowsOfSheet === MAX_ROWS) {
        this.end();
        this.#beginSheet(this.#head!);
      }
      this.#out.ascii('<row>');
      columns.forEach(({ place }, at) => this.#cell(cells, first + place, this.#dates[at] ?? null));
      if (columns.every(({ place }) => cells.types[first + place] === CellType.null)) this.#job.losses.note('blankRow');
      this.#out.ascii('</row>\n');
      this.#rowsOfSheet++;
    }
  }

  end(): void {
    this.#out.ascii('</sheetData></worksheet>');
  }

  finish(): void {
    const numbers = this.#sheets.map((_, index) => index + 1);
    this.#entry('xl/styles.xml', STYLES);
    this.#entry(
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheets>${this.#sheets
        .map((name, index) => `<sheet name="${escapeText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
        .join('')}</sheets></workbook>`,
    );
    this.#entry(
      'xl/_rels/workbook.xml.rels',
      relationships([
        ...numbers.map((number) => ['worksheet', `worksheets/sheet${number}.xml`] as const),
        ['styles', 'styles.xml'],
      ]),
    );
    this.#entry('_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']]));
    const parts = [
      ['/xl/workbook.xml', 'sheet.main'],
      ['/xl/styles.xml', 'styles'],
      ...numbers.map((number) => [`/xl/worksheets/sheet${number}.xml`, 'worksheet']),
    ];
    this.#entry(
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${parts
        .map(([name, type]) => `<Override PartName="${name}" ContentType="${PART}.${type}+xml"/>`)
        .join('')}</Types>`,
    );
  }

  #entry(name: string, content: string): void {
    this.#entries.push({ name, start: this.#out.total });
    this.#out.text(content);
  }

  #beginSheet({ name, columns }: RowsHead): void {
    this.#sheets.push(sheetName(name, this.#sheets));
    this.#entry(
      `xl/worksheets/sheet${this.#sheets.length}.xml`,
      `${XML}<worksheet xmlns="${MAIN}">${this.#widths()}<sheetData>\n`,
    );
    this.#rowsOfSheet = 0;
    if (!this.#job.options.header) return;
    this.#out.text(`<row>${columns.map((column) => textCell(column.name, ' s="1"')).join('')}</row>\n`);
    this.#rowsOfSheet = 1;
  }

  #widths(): string {
    const cols = this.#dates.map((kind, at) =>
      kind === null ? '' : `<col min="${at + 1}" max="${at + 1}" width="${WIDTHS[kind]}" customWidth="1"/>`,
    );
    const text = cols.join('');
    return text === '' ? '' : `<cols>${text}</cols>`;
  }

  #cell(cells: Cells, cell: number, date: DateColumn): void {
    const out = this.#out;
    const type = cells.types[cell];
    if (type === CellType.null) return out.ascii('<c/>');
    if (date !== null) {
      const read = type === CellType.text ? readDate(cells.heap, cells.start(cell), cells.length(cell)) : 'other';
      if (typeof read !== 'string') return out.ascii(`<c s="${DATE_STYLE + read.format}"><v>${read.serial}</v></c>`);
      this.#job.losses.note('otherDate');
    }
    const isReal = type === CellType.real && Number.isFinite(cells.float(cell));
    if (isReal || (type === CellType.integer && Math.abs(cells.float(cell)) <= MAX_EXACT)) {
      out.ascii('<c><v>');
      cells.writeNumber(cell, out);
      return out.ascii('</v></c>');
    }
    const { options, losses } = this.#job;
    if (type === CellType.integer || type === CellType.bigInteger) losses.note('longInteger');
    else if (type === CellType.real) losses.note('infinite');
    let text = cellText(cells, cell, { blobs: options.blobs, losses }) ?? '';
    if (text.length > MAX_TEXT) {
      losses.note('longText');
      text = text.slice(0, MAX_TEXT);
    }
    out.text(textCell(text));
  }
}

const textCell = (text: string, style = ''): string =>
  `<c t="inlineStr"${style}><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`;

/**
 * Characters that XML cannot contain are written as `_xHHHH_`, and so is the underscore of text that looks like that (ECMA-376,
 * ST_Xstring).
 */
const escapeText = (text: string): string =>
  text
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replace(
      /[\0-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]/gu,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Short enough, without characters that a sheet name must not contain, and unique. */
function sheetName(name: string, taken: readonly string[]): string {
  const clean = trimmed(name.replace(/[[\]:*?/\\]/g, ' '), "'").trim() || 'Sheet';
  const isTaken = (candidate: string): boolean =>
    taken.some((other) => other.toLowerCase() === candidate.toLowerCase());
  let free = clean.slice(0, MAX_SHEET_NAME);
  for (let number = 2; isTaken(free); number++) {
    const suffix = ` (${number})`;
    free = clean.slice(0, MAX_SHEET_NAME - suffix.length) + suffix;
  }
  return free;
}

const relationships = (targets: readonly (readonly [string, string])[]): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

export const XLSX: ExportFormat = {
  info: {
    id: 'xlsx',
    label: 'XLSX',
    extension: 'xlsx',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    options: ['header', 'blobs', 'excelDates'],
    cannotHold: [
      'A spreadsheet keeps 15 digits of a number: longer integers are written as text, and so are infinite REALs.',
      'Text is cut after 32,767 characters.',
    ],
    ofBlobs: 'BLOBs become text. Hexadecimal text is read back with the import expression unhex(value).',
    sources: ['table', 'result', 'query', 'tables'],
    isBinary: true,
  },
  start: (out, job) => new XlsxWriter(out, job),
};
