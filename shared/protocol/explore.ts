// Questions about what tables hold: the values of a column, where a text occurs, and which rows a foreign key can refer to.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { Progress } from './library.ts';
import type { FilterEntry } from './rows.ts';
import type { ForeignKey } from './schema.ts';
import type { StorageClass, Value } from './values.ts';

/** A value of a column, and in how many rows it is. */
export interface ValueCount {
  readonly value: Value;
  readonly rows: number;
}

export interface HistogramBucket {
  readonly from: number;
  /** Part of the next bucket, except in the last. */
  readonly to: number;
  readonly rows: number;
}

/** Counts of a column, so far or of all of it. */
export interface ColumnProfile {
  readonly rows: number;
  readonly classes: Readonly<Record<StorageClass, number>>;
  /** Different values, NULL not among them. `isExact` is false past {@link MAX_DISTINCT}, and once a value was too long to compare. */
  readonly distinct: { readonly count: number; readonly isExact: boolean };
  /** The most frequent values first, NULL among them; at most {@link MAX_TOP_VALUES}. Values over 1,000 characters or bytes are left out. */
  readonly top: readonly ValueCount[];
  /**
   * Least and greatest in SQLite's order of values, without NULL; null if there is none. Longer ones are cut to 1,000 characters or bytes.
   */
  readonly least: Value;
  readonly greatest: Value;
  /** Mean of the numbers; null if there are none. */
  readonly mean: number | null;
  /** Characters of texts and bytes of blobs; null if there are none. */
  readonly lengths: { readonly least: number; readonly greatest: number; readonly mean: number } | null;
  /** Buckets of the finite numbers; empty if there are fewer than two different ones, or too many different values. */
  readonly histogram: readonly HistogramBucket[];
}

/** Counts only values that contain the text, ignoring the case of ASCII letters. */
export interface ValueSearch {
  readonly text: string;
  /**
   * Foreign key of the column: values that refer to a row with the text in a readable column count, too (on a server only if that table is
   * small).
   */
  readonly reference: ForeignKey | null;
}

export const MAX_TOP_VALUES = 200;
/** More different values are not told apart. */
export const MAX_DISTINCT = 200_000;

export interface ColumnProfileChunk {
  readonly progress: Progress;
  readonly profile: ColumnProfile;
}

export interface SearchHit {
  readonly table: string;
  /** The first column of the row that contains the text. */
  readonly column: string;
  /** Null if rows of the table have none. */
  readonly key: readonly Value[] | null;
  /** The text around the hit; “…” stands for what is cut before it. */
  readonly excerpt: string;
}

export interface SearchedTable {
  readonly table: string;
  readonly hits: number;
  /** There are more hits than {@link MAX_TABLE_HITS}; the rest of the table was not read. */
  readonly hasMore: boolean;
  /** Why it could not be read to its end; null if it was. */
  readonly problem: string | null;
}

export interface SearchChunk {
  readonly progress: Progress;
  /** Hits since the previous chunk. */
  readonly hits: readonly SearchHit[];
}

/** Rows of one table that a search lists. */
export const MAX_TABLE_HITS = 1000;

/** A row that a foreign key can refer to. */
export interface FoundParent {
  /** Values that the columns of the foreign key are set to, in their order. */
  readonly key: readonly Value[];
  /** Values of the readable columns, cut to 200 characters; blobs are NULL. */
  readonly shown: readonly Value[];
}

export interface ParentSearch {
  /** The readable columns, besides those of the key. */
  readonly columns: readonly string[];
  /** All that were found so far, at most {@link MAX_PARENTS}: those found by an index first. */
  readonly rows: readonly FoundParent[];
  /** There may be more: the search ends when it has {@link MAX_PARENTS}. */
  readonly hasMore: boolean;
  /** Set for a table on a server that is not small: only rows that an index leads to, because reading the others would be paid for. */
  readonly byIndexOnly: boolean;
}

export interface ParentSearchChunk extends ParentSearch {
  readonly progress: Progress;
}

export const MAX_PARENTS = 50;

/** The row that a value of a foreign key stands for. */
export interface NamedValue {
  readonly value: Value;
  /** The readable columns of the rows that it can refer to, cut as in {@link FoundParent}: at most {@link MAX_NAMED_ROWS} rows. */
  readonly names: readonly (readonly Value[])[];
  readonly hasMore: boolean;
}

/** A column of a composite key can refer to several rows. More are not told apart. */
export const MAX_NAMED_ROWS = 3;

export interface ExploreOperations {
  /**
   * Rows of `table` with a key that begins with the text, as far as an index finds them, then rows with a key or readable column that
   * contains it, ASCII letters in either case (on a server only if the table is small). Without a text, the row with the key `current` and the first ones of the table.
   */
  'parent.search': Op<
    {
      readonly database: DatabaseId;
      readonly table: string;
      /** The referenced columns. */
      readonly key: readonly string[];
      readonly text: string;
      readonly current: readonly Value[] | null;
    },
    ParentSearch,
    ParentSearchChunk
  >;
  /**
   * Names of the rows that values of one column of a foreign key stand for, at most {@link MAX_TOP_VALUES} of them. Those that refer to no
   * row are left out; on a server, so are all unless an index leads to the rows, or the table is small.
   */
  'parent.names': Op<
    {
      readonly database: DatabaseId;
      readonly reference: ForeignKey;
      readonly column: string;
      readonly values: readonly Value[];
    },
    readonly NamedValue[]
  >;
  /** Rows with a column that contains the text, ASCII letters in either case; one hit a row. Views and shadow tables are not searched. */
  'search.run': Op<
    { readonly database: DatabaseId; readonly text: string },
    { readonly tables: readonly SearchedTable[]; readonly timeMs: number },
    SearchChunk
  >;
  /**
   * Reads every row that the filter leaves, in slices; sends what it knows soon after the beginning, and then a few times a second. On a
   * server it is `refused` with `detail.kind` `whole-table`, unless the table is small or `mayScan` says that it was asked about.
   */
  'column.profile': Op<
    {
      readonly database: DatabaseId;
      readonly table: string;
      readonly column: string;
      readonly filter: readonly FilterEntry[];
      readonly where?: string;
      readonly search?: ValueSearch;
      readonly mayScan?: boolean;
    },
    ColumnProfile,
    ColumnProfileChunk
  >;
}
