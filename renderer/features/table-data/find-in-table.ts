// Finds the rows of a table that contain a text, in the order of the table: a second reader has only those rows.
import { useMemo } from 'react';
import { TestedPage, type CellCondition } from '#shared/cell-test.ts';
import type { Value } from '#shared/protocol/values.ts';
import { foundColumn, KeptRowsFinder } from '../../workbench/find/find-in-kept-rows.ts';
import type { FindPlace, Found, RowFinder } from '../../workbench/find/row-finder.ts';
import { conditionOf, type TextSearch } from '../../workbench/find/text-search.ts';
import { TableSource } from '../../workbench/rows/table-source.ts';

export const useFindPlace = (source: TableSource | null): FindPlace | null =>
  useMemo(() => source && placeOf(source), [source]);

const placeOf = (source: TableSource): FindPlace => ({
  label: 'Find in the table',
  reads: { database: source.database, tables: [source.detail.name] },
  open: (search) => {
    // Without a key, a second reader could not map its rows to those of the first. The rows of a view are kept.
    const hasKey = source.info.key.kind !== 'none';
    return hasKey ? TableFinder.open(source, search) : KeptRowsFinder.open(source, search);
  },
});

class TableFinder implements RowFinder {
  readonly #source: TableSource;
  readonly #condition: CellCondition;
  readonly #hits: TableSource;

  private constructor(source: TableSource, condition: CellCondition, hits: TableSource) {
    this.#source = source;
    this.#condition = condition;
    this.#hits = hits;
  }

  /** @throws AppError like opening a filtered table */
  static async open(source: TableSource, search: TextSearch): Promise<TableFinder> {
    const { view, database, detail } = source;
    const condition = conditionOf(search);
    const filter = [...view.filter, { column: null, ...condition }];
    // Searching for a text anywhere in a table examines every row.
    return new TableFinder(source, condition, await TableSource.open(database, detail.name, { ...view, filter }, true));
  }

  get extent(): TableSource['extent'] {
    return this.#hits.extent;
  }

  async next(row: number): Promise<Found | null> {
    const index = await this.#firstFrom(row);
    return (await this.#foundAt(index, false)) ?? (await this.#foundAt(0, true));
  }

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
    return row === Number.POSITIVE_INFINITY || ((await this.#source.find(hit.key)) ?? Infinity) < row;
  }

  async #foundAt(index: number, hasWrapped: boolean): Promise<Found | null> {
    const hit = index < 0 ? null : await this.#hitAt(index);
    const row = hit && (await this.#source.find(hit.key));
    return hit && row !== null ? { row, column: hit.column, number: index + 1, hasWrapped } : null;
  }

  async #hitAt(index: number): Promise<{ readonly key: readonly Value[]; readonly column: number | null } | null> {
    const page = await this.#hits.read(index, 1);
    const tested = new TestedPage(page.rows);
    if (page.start !== index || page.rows.rowCount === 0) return null;
    const key = this.#hits.keyOf(tested.cells, 0);
    if (!key) return null;
    return { key, column: foundColumn(tested, this.#hits, this.#condition) };
  }
}
