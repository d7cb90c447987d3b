// Operations that run the same SQL on both engines: on the user's database and on its comparison copy, a temporary copy for the other
// engine.
import type { PackedRows } from '../packed-rows/format.ts';
import type { Op } from './envelope.ts';
import type { ErrorData } from './errors.ts';
import type { FileToken } from './files.ts';
import type { Durability, Progress } from './library.ts';
import type { DatabaseId } from './database-id.ts';
import type { PlanLine } from './query.ts';
import type { ReaderId, ReaderInfo } from './rows.ts';
import type { EngineInfo } from './session.ts';

/**
 * Names a comparison copy: `comparison-copy-…` is one of a file in place, held by the worker; with `file:` before it, it is one of a library
 * database, held by the native engine. The prefix is in names of stored files, by which those that a killed run has left are found; earlier
 * versions called a copy a twin.
 */
export const COPY_PREFIX = '(?:file:)?(?:comparison-copy|twin)-';
const COPY_ID = new RegExp(`^${COPY_PREFIX}`);
export const isComparisonCopy = (database: DatabaseId): boolean => COPY_ID.test(database);
export const newComparisonCopyName = (uuid: string): string => `comparison-copy-${uuid}`;

/** Rows per page of a {@link ResultDigest}. */
export const DIGEST_PAGE_ROWS = 256;
export const DIGEST_BUCKETS = 1024;
/** Rows are identified by 53-bit hashes; these bits select the bucket that a row is counted in. */
export const bucketOf = (rowHash: number): number => Math.floor(rowHash / 2 ** 21) & (DIGEST_BUCKETS - 1);

/** Digest of a result: comparing two tells which pages differ, and whether both hold the same rows in any order. */
export interface ResultDigest {
  /** One hash per page, over its rows in order. */
  readonly pages: Float64Array;
  /** Two words per bucket: the sum of its row hashes, independent of order. */
  readonly buckets: Uint32Array;
}

export interface ComparedStatement {
  /** UTF-16 offsets into the text. */
  readonly from: number;
  readonly to: number;
  /** SQLite's error if the statement failed; nothing else is known about it then. */
  readonly error: ErrorData | null;
  /** Null for a statement that returns no columns. */
  readonly result: ComparedResult | null;
  /** Null for a statement that changes no rows. */
  readonly rowsChanged: number | null;
  /** EXPLAIN QUERY PLAN; empty if there is no plan. */
  readonly plan: readonly PlanLine[];
  readonly engineMs: number;
}

export interface ComparedResult {
  /** Belongs to the window; stays until `rows.close`. */
  readonly reader: ReaderInfo;
  readonly rows: number;
  readonly digest: ResultDigest;
}

export interface CompareRunReply {
  readonly statements: readonly ComparedStatement[];
  /** The statements wrote, so they ran in a transaction that was rolled back. */
  readonly wrote: boolean;
  /** `Connection.commitMark` of the state the run read; null if it changed during the run. */
  readonly mark: string | null;
}

export interface CompareTimeReply {
  /** Time to compile, run and pack every row, plus BEGIN and ROLLBACK for a statement that writes. */
  readonly engineMs: number;
  readonly rowCount: number;
  /** The first rows of the first result, packed as for painting. */
  readonly rows: PackedRows;
}

/** Facts that a connection reports about itself. */
export interface EngineFacts {
  readonly engine: EngineInfo;
  readonly compileOptions: readonly string[];
  readonly pragmas: Readonly<Record<string, string>>;
}

export interface CompareOperations {
  /** Returns the mark of the last committed state, and whether a transaction is open on top of it. */
  'compare.mark': Op<
    { readonly database: DatabaseId },
    { readonly mark: string; readonly transaction: boolean; readonly sizeBytes: number }
  >;
  /**
   * Runs every statement and keeps the results as readers. Writes are rolled back. BEGIN and COMMIT are skipped: the whole run is one
   * transaction. SQLite errors are part of the reply, and the statements after them still run. Fails with `invalid` for statements that a
   * rollback cannot undo, and as a write does.
   */
  'compare.run': Op<{ readonly database: DatabaseId; readonly sql: string }, CompareRunReply, Progress>;
  /** Returns the row hashes of these pages, concatenated. */
  'compare.hashes': Op<{ readonly reader: ReaderId; readonly pages: readonly number[] }, Float64Array>;
  /** Returns the positions of the rows in these buckets, and their hashes; incomplete past `limit`. */
  'compare.find': Op<
    { readonly reader: ReaderId; readonly buckets: readonly number[]; readonly limit: number },
    FoundRows
  >;
  /** Runs the SQL once more to time it: only the first rows are kept and sent. */
  'compare.time': Op<{ readonly database: DatabaseId; readonly sql: string }, CompareTimeReply>;
  'compare.facts': Op<{ readonly database: DatabaseId }, EngineFacts>;
  /** Writes the last committed state as a file in WAL mode. */
  'compare.copyOut': Op<
    { readonly database: DatabaseId; readonly sink: FileToken },
    { readonly sizeBytes: number; readonly mark: string },
    Progress
  >;
  /** Makes a comparison copy of a file that is open in place; only this window sees it. @param name default: that of the file */
  'compare.copyIn': Op<
    { readonly source: FileToken; readonly name?: string },
    { readonly database: DatabaseId },
    Progress
  >;
  /** Makes a comparison copy of the last committed state while a transaction is open. */
  'compare.snapshot': Op<{ readonly database: DatabaseId }, { readonly database: DatabaseId; readonly mark: string }>;
  /** Makes an empty comparison copy: a database outside the library, for measurements. */
  'compare.emptyComparisonCopy': Op<
    /** `history`: it records a history, as a library database does. */
    { readonly name: string; readonly durability: Durability; readonly history: boolean },
    { readonly database: DatabaseId }
  >;
  /** Opens a comparison copy whose file main has announced; with a history, as for a file in place, if asked. */
  'compare.openComparisonCopy': Op<{ readonly database: DatabaseId; readonly history?: boolean }, null>;
  /** Closes it, and removes the worker's copy. */
  'compare.closeComparisonCopy': Op<{ readonly database: DatabaseId }, null>;
}

export interface FoundRows {
  readonly positions: Float64Array;
  readonly hashes: Float64Array;
  readonly complete: boolean;
}
