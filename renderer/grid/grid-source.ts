// The interface to the owner of a grid's rows: a table, the result of a query, or a fake in tests.
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { RowsPatch, WatchedRange } from '#shared/protocol/live.ts';
import type { Extent, RowsPage } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { CachedRow } from './rows/row-cache.ts';
import type { UnsavedRows } from './unsaved-rows.ts';

/** What a cell shows in place of its stored value. */
export interface ShownText {
  readonly text: string;
  /** It is only the beginning. */
  readonly isCut: boolean;
}

/** Another form in which a column shows its values, which stay as they are stored. */
export interface ColumnFormat {
  /** “Unix seconds, UTC”. */
  readonly label: string;
  /** Null: the value does not fit, and is shown as stored. @param column counts packed columns */
  show(rows: PackedRowsReader, row: number, column: number): ShownText | null;
  /** The same for a value that is loaded completely. */
  textOf(value: Value): string | null;
}

/** By column of the source; columns without a format, and those missing here, show stored values. */
export type ColumnFormats = readonly (ColumnFormat | null)[];

export interface GridColumn {
  readonly name: string;
  /** Secondary text after the name: the declared type, or “→ Album” for a foreign key. */
  readonly typeLabel: string;
  /** The column is part of the row's key: it gets a key glyph. */
  readonly key?: boolean;
  /** The column is declared to hold dates: numbers in it may be shown as dates. */
  readonly holdsDates?: boolean;
  /** Values refer to another table: painted as links. */
  readonly link?: boolean;
  /** The value that an empty cell of a draft row will get. */
  readonly defaultText?: string;
  readonly format?: ColumnFormat | null;
}

export type GridSourceEvent =
  /** Rows may differ, so read pages again; watched rows are up to date. */
  | { readonly kind: 'changed' }
  /** Other unsaved values are shown. */
  | { readonly kind: 'unsaved' }
  /** Only the row count is known more precisely. */
  | { readonly kind: 'extent' }
  | { readonly kind: 'patched'; readonly patch: RowsPatch };

/** One cell of a page that has been read. `column` counts shown columns. */
export interface CellReference {
  readonly position: number;
  readonly column: number;
  readonly rows: PackedRowsReader;
  /** Index of the row in `rows`. */
  readonly index: number;
}

export interface GridSource {
  readonly columns: readonly GridColumn[];
  /** Leading packed columns that carry the key and are not shown. */
  readonly hiddenColumns: number;
  /** Packed columns that identify a row; empty if only its position does. */
  readonly keyColumns: readonly number[];
  /** Changes that wait to be saved; missing where rows cannot have any. */
  readonly unsaved?: UnsavedRows;
  /** Extent of the stored rows, as known now; each page also updates it. */
  readonly extent: Extent;
  /** Whether it has the rows of another source, maybe in another order; missing where that is not known. */
  hasRowsOf?(other: GridSource): boolean;
  read(start: number, count: number): Promise<RowsPage>;
  /**
   * Reads the range, which `patched` events then keep up to date. Null: no rows are on screen. Resolves with null while no rows can be kept
   * up to date.
   */
  watch(range: WatchedRange | null): Promise<{ readonly watch: number; readonly page: RowsPage } | null>;
  /** Resolves with the row's current position, or null if it is gone. Returns null if rows cannot be located. */
  locate(row: CachedRow): Promise<number | null> | null;
  /** Reads the whole value behind a preview. */
  readWhole(cell: CellReference): Promise<Value>;
  /** Returns a function that removes the listener. */
  subscribe(listener: (event: GridSourceEvent) => void): () => void;
}
