// A page with a table that every browser, mail program and word processor accepts.
import { looksLikeFormula } from '#shared/formula-text.ts';
import { CellType } from '#shared/packed-rows/format.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { cellText, type Cells } from '../cells.ts';
import type { ExportFormat, FormatJob, FormatWriter } from '../format.ts';
import type { RowsHead } from '../rows-head.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Exported rows</title>
<style>
body { font: 14px system-ui, sans-serif; }
table { border-collapse: collapse; margin: 0 0 24px; }
th, td { border: 1px solid #bbb; padding: 3px 8px; text-align: left; vertical-align: top; white-space: pre-wrap; }
th { background: #eee; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
td.null { color: #777; font-style: italic; }
</style>
</head>
<body>
`;

class HtmlWriter implements FormatWriter {
  readonly #out: ByteWriter;
  readonly #job: FormatJob;
  #places: readonly number[] = [];

  constructor(out: ByteWriter, job: FormatJob) {
    this.#out = out;
    this.#job = job;
    if (!job.isFragment) out.text(PAGE);
  }

  begin({ name, columns }: RowsHead): void {
    this.#places = columns.map(({ place }) => place);
    const caption = this.#job.isFragment ? '' : `<caption>${escapeText(name)}</caption>\n`;
    const names = columns.map((column) => `<th${asText(column.name)}>${escapeText(column.name)}</th>`).join('');
    const head = this.#job.options.header ? `<thead><tr>${names}</tr></thead>\n` : '';
    this.#out.text(`<table>\n${caption}${head}<tbody>\n`);
  }

  rows(cells: Cells, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      this.#out.ascii('<tr>');
      for (const place of this.#places) this.#cell(cells, row * cells.columnCount + place);
      this.#out.ascii('</tr>\n');
    }
  }

  end(): void {
    this.#out.ascii('</tbody>\n</table>\n');
  }

  finish(): void {
    if (!this.#job.isFragment) this.#out.ascii('</body>\n</html>\n');
  }

  #cell(cells: Cells, cell: number): void {
    const { options, losses } = this.#job;
    const text = cellText(cells, cell, { blobs: options.blobs, losses });
    if (text === null) return this.#out.text(`<td class="null">${escapeText(options.nullText)}</td>`);
    const type = cells.types[cell];
    const isNumber = type === CellType.integer || type === CellType.bigInteger || type === CellType.real;
    this.#out.text(`<td${isNumber ? ' class="n"' : asText(text)}>${escapeText(text)}</td>`);
  }
}

/** A spreadsheet would take such text for a formula, also when it is pasted, unless the cell says that it is text. */
const asText = (text: string): string => (looksLikeFormula(text) ? ` style="mso-number-format:'\\@'"` : '');

/** Drops NUL characters, which HTML cannot represent. */
const escapeText = (text: string): string => text.replace(/[&<>"\0]/g, (character) => ESCAPES[character] ?? character);

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\0': '\uFFFD',
};

export const HTML: ExportFormat = {
  info: {
    id: 'html',
    label: 'HTML',
    extension: 'html',
    mediaType: 'text/html',
    options: ['header', 'nullText', 'blobs'],
    cannotHold: ['This format is for reading: types are not kept.'],
    ofBlobs: 'BLOBs become text.',
    sources: ['table', 'result', 'query', 'tables'],
  },
  start: (out, job) => new HtmlWriter(out, job),
};
