// The interface to rows in which a text is searched for: tables and results search in different ways.
import type { DatabaseId, Extent } from '#shared/protocol/index.ts';
import type { TextSearch } from './text-search.ts';

export interface Found {
  /** Position of the row as shown. */
  readonly row: number;
  /** The first column with the text; null if it is in a part of a long value that is not loaded. */
  readonly column: number | null;
  /** Number of the found row, starting at 1. */
  readonly number: number;
  /** The search continued at the other end. */
  readonly hasWrapped: boolean;
}

export interface RowFinder {
  /** Number of rows with the text, as far as known. */
  readonly extent: Extent;
  /** The first row with the text from `row` on, or from the top if there is none below. */
  next(row: number): Promise<Found | null>;
  /** The last row with the text before `row`, or the last of all. */
  previous(row: number): Promise<Found | null>;
  close(): void;
}

/** Rows in which a text can be found. A new object means other rows, or the same rows in another order. */
export interface FindPlace {
  /** “Find in the table”. */
  readonly label: string;
  /** Tables that are read to their end, which costs on a server. */
  readonly reads: { readonly database: DatabaseId; readonly tables: readonly string[] } | null;
  /** @throws AppError */
  open(search: TextSearch): Promise<RowFinder>;
}
