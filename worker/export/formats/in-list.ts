// The distinct values of a selection as the right side of an IN: `(1, 2)`, or rows of values where there are several columns.
import { CellType } from '#shared/packed-rows/format.ts';
import { ByteWriter } from '../byte-writer.ts';
import type { Cells } from '../cells.ts';
import type { ExportFormat, FormatWriter } from '../format.ts';
import type { RowsHead } from '../rows-head.ts';
import { writeLiteral } from '../sql-literal.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

class InListWriter implements FormatWriter {
  readonly #out: ByteWriter;
  /** Buffer for one row, to compare with earlier ones. */
  readonly #row = new ByteWriter();
  readonly #seen = new Set<string>();
  #places: readonly number[] = [];

  constructor(out: ByteWriter) {
    this.#out = out;
  }

  begin({ columns }: RowsHead): void {
    this.#places = columns.map(({ place }) => place);
    this.#out.ascii(this.#places.length > 1 ? '(VALUES ' : '(');
  }

  rows(cells: Cells, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      const first = row * cells.columnCount;
      // NULL equals nothing, so IN would never find it.
      if (this.#places.some((place) => cells.types[first + place] === CellType.null)) continue;
      this.#places.forEach((place, index) => {
        if (index > 0) this.#row.ascii(', ');
        writeLiteral(cells, first + place, this.#row);
      });
      const text = decoder.decode(this.#row.take());
      if (this.#seen.has(text)) continue;
      if (this.#seen.size > 0) this.#out.ascii(', ');
      this.#seen.add(text);
      this.#out.text(this.#places.length > 1 ? `(${text})` : text);
    }
  }

  end(): void {
    if (this.#seen.size === 0 && this.#places.length > 1)
      this.#out.ascii(`(${this.#places.map(() => 'NULL').join(', ')})`);
    this.#out.byte(0x29);
  }

  finish(): void {}
}

export const IN_LIST: ExportFormat = {
  info: {
    id: 'in-list',
    label: 'IN list',
    extension: 'sql',
    mediaType: 'application/sql',
    options: [],
    cannotHold: ['NULL and repeated values are left out.'],
    sources: ['table', 'result', 'query'],
    copyOnly: true,
  },
  start: (out) => new InListWriter(out),
};
