// Finds the rows of a page that match the filter of a result: a table's filter comparisons, on values that were already read.
import { TestedPage, cellTest } from '#shared/cell-test.ts';
import type { CellTest } from '#shared/cell-test.ts';
import type { ResultFilterTerm } from '#shared/protocol/arrange.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';

export class RowFilter {
  readonly #terms: readonly { readonly columns: readonly number[]; readonly test: CellTest }[];

  /** @throws AppError `invalid` for an operator that does not exist, or a value that cannot be searched for */
  constructor(filter: readonly ResultFilterTerm[], columnCount: number) {
    this.#terms = filter.map((term) => ({ columns: columnsOf(term, columnCount), test: cellTest(term) }));
  }

  get isEmpty(): boolean {
    return this.#terms.length === 0;
  }

  /** Appends the matching rows of a page, counted from `start`. */
  collect(rows: PackedRows, start: number, into: number[]): void {
    const page = new TestedPage(rows);
    for (let row = 0; row < rows.rowCount; row++) {
      if (this.#terms.every(({ columns, test }) => columns.some((column) => test(page, row, column))))
        into.push(start + row);
    }
  }
}

function columnsOf({ column }: ResultFilterTerm, columnCount: number): readonly number[] {
  return column === null ? Array.from({ length: columnCount }, (_, index) => index) : [column];
}
