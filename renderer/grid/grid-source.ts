// What the grid asks of whoever owns the rows: a table, the result of a query, a test's fake.
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { Extent, RowsPage } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';

export interface GridColumn {
  readonly name: string;
  /** Small print after the name: the declared type, or “→ Album” for a foreign key. */
  readonly typeLabel: string;
  /** Part of the row's key: gets a key glyph. */
  readonly key?: boolean;
  /** Values point at another table: painted as links. */
  readonly link?: boolean;
  /** What an unfilled cell of a draft row will become. */
  readonly defaultText?: string;
}

/** `changed`: rows may differ, page again. `extent`: only the number of rows is better known. */
export type GridSourceEvent = 'changed' | 'extent';

/** One cell of a page that has been read. `column` counts shown columns. */
export interface CellReference {
  readonly position: number;
  readonly column: number;
  readonly rows: PackedRowsReader;
  /** The row inside `rows`. */
  readonly index: number;
}

export interface GridSource {
  readonly columns: readonly GridColumn[];
  /** Leading packed columns that carry the key and are not shown. */
  readonly hiddenColumns: number;
  /** As known now; also learned from each page. */
  readonly extent: Extent;
  read(start: number, count: number): Promise<RowsPage>;
  /** The whole value behind a preview. */
  readWhole(cell: CellReference): Promise<Value>;
  /** Answers the function that stops listening. */
  subscribe(listener: (event: GridSourceEvent) => void): () => void;
}
