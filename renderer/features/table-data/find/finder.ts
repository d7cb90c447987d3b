// Finds the rows of a table that contain a text, in the order the table shows them: a second reader has those rows alone.
import { foldName } from '#shared/ddl/names.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { isReal } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';
import { TableSource } from '../../../workbench/rows/table-source.ts';

export interface Found {
  /** Of the row, in the table as it is shown. */
  readonly row: number;
  /** The first column with the text; null if it is in a part of a long value that is not here. */
  readonly column: number | null;
  /** Counts from 1. */
  readonly number: number;
  /** The search went on at the other end. */
  readonly hasWrapped: boolean;
}

export class Finder {
  readonly source: TableSource;
  readonly text: string;
  readonly #hits: TableSource;

  private constructor(source: TableSource, text: string, hits: TableSource) {
    this.source = source;
    this.text = text;
    this.#hits = hits;
  }

  /** @throws AppError as opening a filtered table does */
  static async open(source: TableSource, text: string): Promise<Finder> {
    const { view, database, detail } = source;
    const filter = [...view.filter, { column: null, operator: 'contains', value: text } as const];
    // Whoever looks for a text anywhere in a table has every row looked at.
    return new Finder(source, text, await TableSource.open(database, detail.name, { ...view, filter }, true));
  }

  /** Rows with the text. */
  get extent(): TableSource['extent'] {
    return this.#hits.extent;
  }

  /** The first row with the text from `row` on, or from the top if there is none below. */
  async next(row: number): Promise<Found | null> {
    const index = await this.#firstFrom(row);
    return (await this.#foundAt(index, false)) ?? (await this.#foundAt(0, true));
  }

  /** The last row with the text before `row`, or the last of all. */
  async previous(row: number): Promise<Found | null> {
    const index = await this.#firstFrom(row);
    if (index > 0) return this.#foundAt(index - 1, false);
    const last = (await this.#firstFrom(Number.POSITIVE_INFINITY)) - 1;
    return this.#foundAt(last, true);
  }

  close(): void {
    this.#hits.close();
  }

  /** The index of the first hit at `row` or below it; the number of hits if there is none. */
  async #firstFrom(row: number): Promise<number> {
    let low = 0;
    // The number of hits may be an estimate.
    let high = Math.max(1, this.extent.rows);
    while (!this.extent.exact && (await this.#isAbove(high, row))) {
      low = high + 1;
      high *= 2;
    }
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await this.#isAbove(middle, row)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #isAbove(index: number, row: number): Promise<boolean> {
    const hit = await this.#hitAt(index);
    if (!hit) return false;
    return row === Number.POSITIVE_INFINITY || ((await this.source.find(hit.key)) ?? Infinity) < row;
  }

  async #foundAt(index: number, hasWrapped: boolean): Promise<Found | null> {
    const hit = index < 0 ? null : await this.#hitAt(index);
    const row = hit && (await this.source.find(hit.key));
    return hit && row !== null ? { row, column: hit.column, number: index + 1, hasWrapped } : null;
  }

  async #hitAt(index: number): Promise<{ readonly key: readonly Value[]; readonly column: number | null } | null> {
    const page = await this.#hits.read(index, 1);
    const rows = new PackedRowsReader(page.rows);
    if (page.start !== index || page.rows.rowCount === 0) return null;
    const key = this.#hits.keyOf(rows, 0);
    if (!key) return null;
    const { columns, hiddenColumns } = this.#hits;
    const column = columns.findIndex((_column, at) => contains(rows.value(0, at + hiddenColumns), this.text));
    return { key, column: column < 0 ? null : column };
  }
}

/** As SQLite's LIKE: ASCII letters whatever their case. */
export function contains(value: Value, text: string): boolean {
  if (value === null || value instanceof Uint8Array || (typeof value === 'object' && !isReal(value))) return false;
  return foldName(String(isReal(value) ? value.real : value)).includes(foldName(text));
}
