// Operations that read rows. A reader is a place to page from: a table in some order, or the spooled result of a query.
import type { FilterOperator } from '../filter-operators.ts';
import type { PackedRows } from '../packed-rows/format.ts';
import type { Op } from './envelope.ts';
import type { DatabaseId } from './database-id.ts';
import type { StorageClass, Value } from './values.ts';

/** Unique in the worker; belongs to the window that opened it. */
export type ReaderId = number;

export interface SortTerm {
  readonly column: string;
  readonly descending: boolean;
}

export interface FilterTerm {
  readonly column: string;
  readonly operator: FilterOperator;
  /** Ignored where the operator takes nothing. */
  readonly value: Value;
}

/** One column of a reader, in packed order. */
export interface ResultColumn {
  readonly name: string;
  readonly declaredType: string;
  /** Where the column comes from, when it is a plain column of a table. */
  readonly origin: { readonly table: string; readonly column: string } | null;
}

/**
 * How a row of this reader is named in an edit. `rowid`: the packed column `columns[0]` (hidden, name `rowid`) is the
 * key. `primary-key`: the listed packed columns are (WITHOUT ROWID). `none`: rows cannot be edited.
 */
export type RowKey =
  | { readonly kind: 'rowid'; readonly columns: readonly [number] }
  | { readonly kind: 'primary-key'; readonly columns: readonly number[] }
  | { readonly kind: 'none'; readonly columns: readonly []; readonly why: string };

export interface ReaderInfo {
  readonly reader: ReaderId;
  readonly columns: readonly ResultColumn[];
  /** How many of the leading packed columns only carry the key and are not shown. */
  readonly hiddenColumns: number;
  readonly key: RowKey;
  readonly extent: Extent;
}

/** How many rows there are, as far as is known now. */
export interface Extent {
  readonly rows: number;
  readonly exact: boolean;
}

export interface RowsPage {
  readonly rows: PackedRows;
  readonly start: number;
  /** False while the position map has not reached `start`: the rows are right, their numbers are estimated. */
  readonly exactPosition: boolean;
  readonly extent: Extent;
}

/** How a cell is named: by the key of its row, so that it is found again wherever it moved. */
export interface CellAddress {
  readonly table: string;
  readonly key: readonly Value[];
  readonly column: string;
}

export interface RowsOperations {
  /** Opens a table, view or virtual table for paging. First rows never wait for a count. */
  'rows.open': Op<
    {
      readonly database: DatabaseId;
      readonly table: string;
      readonly sort: readonly SortTerm[];
      readonly filter: readonly FilterTerm[];
      /** Raw SQL expression for WHERE, combined with `filter`; errors carry SQLite's offset into it. */
      readonly where?: string;
    },
    ReaderInfo
  >;
  /** Rows `start` … `start + count − 1`, fewer at the end. Count is at most 2,000. */
  'rows.read': Op<{ readonly reader: ReaderId; readonly start: number; readonly count: number }, RowsPage>;
  'rows.close': Op<{ readonly reader: ReaderId }, null>;
  /** Position of the row with this key, or null when the reader does not hold it. */
  'rows.find': Op<{ readonly reader: ReaderId; readonly key: readonly Value[] }, { readonly position: number | null }>;
  /** One whole value, for the editor and the detail panel: at most `maxBytes` of it (default 16 MiB). */
  'cell.read': Op<
    { readonly database: DatabaseId; readonly cell: CellAddress; readonly maxBytes?: number },
    { readonly value: Value; readonly storageClass: StorageClass; readonly sizeBytes: number }
  >;
  /** The same for a spooled result, which has no key: by position. */
  'cell.readAt': Op<
    { readonly reader: ReaderId; readonly position: number; readonly column: number },
    { readonly value: Value; readonly storageClass: StorageClass; readonly sizeBytes: number }
  >;
}
