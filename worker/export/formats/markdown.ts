// A table in Markdown (GitHub's), for documents and messages.
import { CellType } from '#shared/packed-rows/format.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { cellText, type Cells } from '../cells.ts';
import type { ExportFormat, FormatJob, FormatWriter } from '../format.ts';
import type { RowsHead } from '../rows-head.ts';

class MarkdownWriter implements FormatWriter {
  readonly #out: ByteWriter;
  readonly #job: FormatJob;
  #head: RowsHead | null = null;
  #tables = 0;

  constructor(out: ByteWriter, job: FormatJob) {
    this.#out = out;
    this.#job = job;
  }

  /** Which columns are right-aligned is known only with the first row. */
  begin(head: RowsHead): void {
    this.#head = head;
    if (this.#tables++ > 0) this.#out.byte(0x0a);
    if (this.#job.several) this.#out.text(`## ${escapeText(head.name)}\n\n`);
  }

  rows(cells: Cells, from: number, to: number): void {
    if (this.#head && to > from) this.#writeHead(this.#head, cells, from);
    for (let row = from; row < to; row++)
      this.#line(
        this.#places.map((place) => {
          const text = cellText(cells, row * cells.columnCount + place, {
            blobs: this.#job.options.blobs,
            losses: this.#job.losses,
          });
          return text === null ? this.#job.options.nullText : escapeText(text);
        }),
      );
  }

  end(): void {
    if (this.#head) this.#writeHead(this.#head, null, 0);
  }

  finish(): void {}

  #places: readonly number[] = [];

  #writeHead({ columns }: RowsHead, cells: Cells | null, row: number): void {
    this.#head = null;
    this.#places = columns.map(({ place }) => place);
    this.#line(columns.map(({ name }) => escapeText(name)));
    const isNumber = (place: number): boolean => {
      const type = cells?.types[row * cells.columnCount + place];
      return type === CellType.integer || type === CellType.bigInteger || type === CellType.real;
    };
    this.#line(columns.map(({ place }) => (isNumber(place) ? '---:' : '---')));
  }

  #line(fields: readonly string[]): void {
    this.#out.text(`| ${fields.join(' | ')} |\n`);
  }
}

function escapeText(text: string): string {
  return text
    .replace(/[\\|`*[\]<&]|(?<!\w)_|_(?!\w)/g, (character) =>
      character === '<' ? '&lt;' : character === '&' ? '&amp;' : `\\${character}`,
    )
    .replace(/\r\n|\r|\n/g, '<br>');
}

export const MARKDOWN: ExportFormat = {
  info: {
    id: 'markdown',
    label: 'Markdown',
    extension: 'md',
    mediaType: 'text/markdown',
    options: ['nullText', 'blobs'],
    cannotHold: ['This format is for reading: types are not kept.'],
    ofBlobs: 'BLOBs become text.',
    sources: ['table', 'result', 'query', 'tables'],
  },
  start: (out, job) => new MarkdownWriter(out, job),
};
