// UPDATE statements that set these values in rows found by their key.
import { AppError } from '#shared/protocol/errors.ts';
import type { ByteWriter } from '../byte-writer.ts';
import type { Cells } from '../cells.ts';
import type { ExportFormat, FormatJob, FormatWriter } from '../format.ts';
import type { ExportColumn, RowsHead } from '../rows-head.ts';
import { writeLiteral } from '../sql-literal.ts';
import { quoteName } from '../../sql/quote.ts';

class UpdateWriter implements FormatWriter {
  readonly #out: ByteWriter;
  readonly #job: FormatJob;
  #table = '';
  #set: readonly ExportColumn[] = [];
  #key: readonly ExportColumn[] = [];

  constructor(out: ByteWriter, job: FormatJob) {
    this.#out = out;
    this.#job = job;
  }

  begin({ name, columns, generated, key }: RowsHead): void {
    if (!key)
      throw AppError.unavailable(
        'These rows have no key by which an UPDATE could find them. Copy them as INSERT statements instead.',
      );
    const keyNames = new Set(key.map((column) => column.name));
    this.#key = key;
    this.#set = columns.filter((column) => !keyNames.has(column.name) && !generated.has(column.name));
    this.#table = quoteName(this.#job.options.tableName || name);
    if (this.#set.length === 0)
      throw AppError.unavailable(
        'Only columns of the key or generated columns are selected, which an UPDATE does not set. Select another column.',
      );
  }

  rows(cells: Cells, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      this.#out.text(`UPDATE ${this.#table} SET `);
      this.#terms(cells, row, this.#set, ', ');
      this.#out.ascii(' WHERE ');
      this.#terms(cells, row, this.#key, ' AND ');
      this.#out.ascii(';\n');
    }
  }

  end(): void {}

  finish(): void {}

  #terms(cells: Cells, row: number, columns: readonly ExportColumn[], between: string): void {
    columns.forEach(({ name, place }, index) => {
      this.#out.text(`${index > 0 ? between : ''}${quoteName(name)} = `);
      writeLiteral(cells, row * cells.columnCount + place, this.#out);
    });
  }
}

export const UPDATE: ExportFormat = {
  info: {
    id: 'update',
    label: 'UPDATE by key',
    extension: 'sql',
    mediaType: 'application/sql',
    options: ['tableName'],
    cannotHold: [],
    sources: ['table'],
    copyOnly: true,
  },
  needsKey: true,
  start: (out, job) => new UpdateWriter(out, job),
};
