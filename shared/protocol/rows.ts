// Operations that read rows. A reader pages through rows: of a table in some order, or of the spooled result of a query.
import type { FilterOperator } from '../filter-operators.ts';
import type { PackedRows } from '../packed-rows/format.ts';
import type { Op } from './envelope.ts';
import type { DatabaseId } from './database-id.ts';
import type { StorageClass, Value } from './values.ts';

/** Unique in the worker; belongs to the window that opened it. */
export type ReaderId = number;

/** A table on a server that is known to have no more rows is sorted and filtered unasked: it costs no more than a few pages. */
export const WHOLE_TABLE_ROWS = 1000;

export interface SortTerm {
  readonly column: string;
  readonly descending: boolean;
}

export interface FilterTerm {
  /** Null: any column of the table. */
  readonly column: string | null;
  readonly operator: FilterOperator;
  /** Ignored if the operator takes no value, or a list of them. */
  readonly value: Value;
  /** The upper end of `between`. */
  readonly to?: Value;
  /** The values of `in` and `not-in`; null stands for NULL. */
  readonly values?: readonly Value[];
}

/** True if at least one of the alternatives is; an alternative is true if all of its terms are. */
export interface FilterGroup {
  readonly any: readonly (readonly FilterTerm[])[];
}

/** All entries of a filter must be true. */
export type FilterEntry = FilterTerm | FilterGroup;

export const isFilterGroup = (entry: FilterEntry): entry is FilterGroup => 'any' in entry;

/** One column of a reader, in packed order. */
export interface ResultColumn {
  readonly name: string;
  readonly declaredType: string;
  /** The table column it comes from; null if it is not a plain column of a table. */
  readonly origin: { readonly table: string; readonly column: string } | null;
}

/**
 * How an edit identifies a row of this reader. `rowid`: the packed column `columns[0]` (hidden, name `rowid`) is the key. `primary-key`:
 * the listed packed columns are (WITHOUT ROWID). `none`: rows cannot be edited.
 */
export type RowKey =
  | { readonly kind: 'rowid'; readonly columns: readonly [number] }
  | { readonly kind: 'primary-key'; readonly columns: readonly number[] }
  | { readonly kind: 'none'; readonly columns: readonly []; readonly why: string };

export interface ReaderInfo {
  readonly reader: ReaderId;
  readonly columns: readonly ResultColumn[];
  /** How many leading packed columns only carry the key and are not shown. */
  readonly hiddenColumns: number;
  readonly key: RowKey;
  readonly extent: Extent;
}

/** The number of rows, as far as it is known now. */
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

/** Identifies a cell by the key of its row, so that it is found again after the row has moved. */
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
      readonly filter: readonly FilterEntry[];
      /** Raw SQL expression for WHERE, combined with `filter`; errors carry SQLite's offset into it. */
      readonly where?: string;
      /**
       * A sort or filter of a table on a server is `refused` with `detail.kind` `whole-table` if no index serves it, because each row that is
       * read is paid for, unless this says that it was asked about. Other databases do not look at it.
       */
      readonly mayScan?: boolean;
    },
    ReaderInfo
  >;
  /**
   * How many rows these tables have together, as far as statistics and the ends of their row ids tell: on a server, what reading them
   * costs. Null if that is unknown of one. `isLimit`: at most, not about.
   */
  'rows.cost': Op<
    { readonly database: DatabaseId; readonly tables: readonly string[] },
    { readonly rows: number | null; readonly isLimit: boolean }
  >;
  /** Returns rows `start` … `start + count − 1`, fewer at the end. Count is at most 2,000. */
  'rows.read': Op<{ readonly reader: ReaderId; readonly start: number; readonly count: number }, RowsPage>;
  'rows.close': Op<{ readonly reader: ReaderId }, null>;
  /** Returns the position of the row with this key, or null if the reader does not have it. */
  'rows.find': Op<{ readonly reader: ReaderId; readonly key: readonly Value[] }, { readonly position: number | null }>;
  /** Returns one value, for the editor and the detail panel: at most `maxBytes` of it (default 16 MiB). */
  'cell.read': Op<
    { readonly database: DatabaseId; readonly cell: CellAddress; readonly maxBytes?: number },
    { readonly value: Value; readonly storageClass: StorageClass; readonly sizeBytes: number }
  >;
  /** The same for a spooled result, which has no key: the cell is given by position. */
  'cell.readAt': Op<
    { readonly reader: ReaderId; readonly position: number; readonly column: number },
    { readonly value: Value; readonly storageClass: StorageClass; readonly sizeBytes: number }
  >;
}
