// Operations that run the same SQL on both engines: on the person's database and on its comparison copy, a temporary copy for the other engine.
import type { PackedRows } from '../packed-rows/format.ts';
import type { Op } from './envelope.ts';
import type { ErrorData } from './errors.ts';
import type { FileToken } from './files.ts';
import type { Durability, Progress } from './library.ts';
import type { DatabaseId } from './database-id.ts';
import type { ReaderId, ReaderInfo } from './rows.ts';
import type { EngineInfo } from './session.ts';

/** Names a comparison copy of a file in place: `twin-…`, a database of the worker; of the library: `file:twin-…`, one of the native engine. */
const TWIN = /^(?:file:)?twin-/;
export const isComparisonCopy = (database: DatabaseId): boolean => TWIN.test(database);
export const newComparisonCopyName = (uuid: string): string => `twin-${uuid}`;

/** Rows a page of {@link ResultDigest}. */
export const DIGEST_PAGE_ROWS = 256;
export const DIGEST_BUCKETS = 1024;
/** Rows are told apart by numbers of 53 bits; this part of it says in which bucket a row is counted. */
export const bucketOf = (rowHash: number): number => Math.floor(rowHash / 2 ** 21) & (DIGEST_BUCKETS - 1);

/** What a result comes down to: two of them tell which pages differ, and whether both hold the same rows whatever their order. */
export interface ResultDigest {
  /** Of the rows of each page, in their order. */
  readonly pages: Float64Array;
  /** Two words a bucket: the sum of the rows in it, in any order. */
  readonly buckets: Uint32Array;
}

export interface PlanLine {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

export interface ComparedStatement {
  /** UTF-16 offsets into the text. */
  readonly from: number;
  readonly to: number;
  /** What SQLite said, when it failed; nothing else is known of it then. */
  readonly error: ErrorData | null;
  /** Null for a statement without columns. */
  readonly result: ComparedResult | null;
  /** Null for a statement that changes none. */
  readonly rowsChanged: number | null;
  /** EXPLAIN QUERY PLAN; empty where there is none. */
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
  /** It ran in a transaction that was rolled back. */
  readonly wrote: boolean;
  /** `Connection.commitMark` of what it ran on; null when that changed while it ran. */
  readonly mark: string | null;
}

export interface CompareTimeReply {
  /** Compiling, running and packing every row; begin and rollback of one that writes. */
  readonly engineMs: number;
  readonly rowCount: number;
  /** The first rows of the first result, as they would travel to be painted. */
  readonly rows: PackedRows;
}

/** What a connection says of itself. */
export interface EngineFacts {
  readonly engine: EngineInfo;
  readonly compileOptions: readonly string[];
  readonly pragmas: Readonly<Record<string, string>>;
}

export interface CompareOperations {
  /** The last committed state, and whether a transaction is open beside it. */
  'compare.mark': Op<
    { readonly database: DatabaseId },
    { readonly mark: string; readonly transaction: boolean; readonly sizeBytes: number }
  >;
  /**
   * Runs every statement and keeps the results as readers. What writes is rolled back. BEGIN and COMMIT are passed over: all of it is one
   * transaction. Errors of SQLite are part of the answer, and what follows is run all the same. Fails with `invalid` for what a rollback cannot take back, and as a write does.
   */
  'compare.run': Op<{ readonly database: DatabaseId; readonly sql: string }, CompareRunReply, Progress>;
  /** The numbers of the rows of these pages, one after the other. */
  'compare.hashes': Op<{ readonly reader: ReaderId; readonly pages: readonly number[] }, Float64Array>;
  /** Where rows of these buckets are, and their numbers; not complete past `limit`. */
  'compare.find': Op<
    { readonly reader: ReaderId; readonly buckets: readonly number[]; readonly limit: number },
    FoundRows
  >;
  /** Runs it once more, to be timed: nothing is kept but the first rows, which are sent. */
  'compare.time': Op<{ readonly database: DatabaseId; readonly sql: string }, CompareTimeReply>;
  'compare.facts': Op<{ readonly database: DatabaseId }, EngineFacts>;
  /** Writes the last committed state as a file that wants a WAL beside it. */
  'compare.copyOut': Op<
    { readonly database: DatabaseId; readonly sink: FileToken },
    { readonly sizeBytes: number; readonly mark: string },
    Progress
  >;
  /** Makes a comparison copy of a file that is open in place; nobody but this window sees it. */
  'compare.copyIn': Op<{ readonly source: FileToken }, { readonly database: DatabaseId }, Progress>;
  /** Makes a comparison copy of the last committed state while a transaction is open. */
  'compare.snapshot': Op<{ readonly database: DatabaseId }, { readonly database: DatabaseId; readonly mark: string }>;
  /** Makes a comparison copy with nothing in it: a database in no library, for what is measured. */
  'compare.emptyComparisonCopy': Op<
    /** `history`: as a database of the library has one. */
    { readonly name: string; readonly durability: Durability; readonly history: boolean },
    { readonly database: DatabaseId }
  >;
  /** Opens a comparison copy whose file main has made known; with a history, as a file in place has, if asked. */
  'compare.openComparisonCopy': Op<{ readonly database: DatabaseId; readonly history?: boolean }, null>;
  /** Closes it; what the worker made of it is removed. */
  'compare.closeComparisonCopy': Op<{ readonly database: DatabaseId }, null>;
}

export interface FoundRows {
  readonly positions: Float64Array;
  readonly hashes: Float64Array;
  readonly complete: boolean;
}
