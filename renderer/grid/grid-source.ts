// What the grid needs from the owner of its rows: a table, the result of a query, a test's fake.
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { RowsPatch, WatchedRange } from '#shared/protocol/live.ts';
import type { Extent, RowsPage } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { CachedRow } from './rows/row-cache.ts';

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

export type GridSourceEvent =
  /** Rows may differ, page again; what is watched is in step. */
  | { readonly kind: 'changed' }
  /** Only the number of rows is better known. */
  | { readonly kind: 'extent' }
  | { readonly kind: 'patched'; readonly patch: RowsPatch };

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
  /** Packed columns that tell rows apart; none when only their place does. */
  readonly keyColumns: readonly number[];
  /** As known now; also learned from each page. */
  readonly extent: Extent;
  read(start: number, count: number): Promise<RowsPage>;
  /**
   * Reads the range, which is then kept in step by `patched`. Null: nothing is on screen. Answers null while there is
   * nothing to keep in step.
   */
  watch(range: WatchedRange | null): Promise<{ readonly watch: number; readonly page: RowsPage } | null>;
  /** Where the row is now, or null when it is gone. Null at once when rows cannot be found again. */
  locate(row: CachedRow): Promise<number | null> | null;
  /** The whole value behind a preview. */
  readWhole(cell: CellReference): Promise<Value>;
  /** Answers the function that stops listening. */
  subscribe(listener: (event: GridSourceEvent) => void): () => void;
}
