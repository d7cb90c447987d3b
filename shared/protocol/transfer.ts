// Transfer: tables of a file of SQL, or of another SQLite file, into a database. The file is first read into a scratch database.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { ImportSource } from './import.ts';
import type { LibraryEntry, Progress } from './library.ts';

/** Whose program wrote a file of SQL: the same characters mean different things. */
export type SqlDialect = 'sqlite' | 'mysql' | 'postgresql';

/** A statement of a file of SQL that was not run. */
export interface LeftStatement {
  readonly line: number;
  /** A whole sentence, or SQLite's own words. */
  readonly reason: string;
  /** Its beginning. */
  readonly text: string;
}

/** A table or view of the scratch database. */
export interface TransferObject {
  readonly name: string;
  readonly kind: 'table' | 'virtual' | 'view';
  /** Null for views, and where it cannot be read. */
  readonly rows: number | null;
  /** Those that hold values of their own. */
  readonly columns: readonly string[];
  readonly indexes: number;
  readonly triggers: number;
  /** Why it cannot be read. */
  readonly problem: string | null;
}

export interface TransferLook {
  /** For the other operations, as long as this window is there. */
  readonly id: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Null for an SQLite file. */
  readonly sql: {
    readonly dialect: SqlDialect;
    readonly encoding: string;
    /** Why it is thought to be that dialect. */
    readonly reason: string;
    readonly notUnderstood: number;
    /** The first 1,000 of these. */
    readonly statements: readonly LeftStatement[];
  } | null;
  readonly objects: readonly TransferObject[];
  /** Whole sentences about what is not as it stands in the file. */
  readonly notes: readonly string[];
}

export interface TransferTable {
  readonly name: string;
  /** Its name in the database. */
  readonly into: string;
  readonly how: 'new' | 'append';
}

export interface TransferPlan {
  readonly tables: readonly TransferTable[];
  /** Of new tables. */
  readonly indexes: boolean;
  readonly triggers: boolean;
}

/** A row that was not taken. */
export interface TransferProblem {
  readonly table: string;
  /** From 1 on, in the order of its key. */
  readonly row: number;
  readonly reason: string;
}

export interface TransferReply {
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly problems: number;
  /** The first 1,000 of these. */
  readonly kept: readonly TransferProblem[];
  readonly notes: readonly string[];
  readonly timeMs: number;
}

export interface TransferOperations {
  /**
   * Reads the file into a scratch database of this window, in the engine of `database` (missing: that of the library).
   * @throws AppError `not-a-database`, `unavailable`, `corrupt` for an SQLite file that cannot be read; `stopped`, `io`, `full`
   */
  'transfer.open': Op<
    {
      readonly database?: DatabaseId;
      readonly source: ImportSource;
      /** What the person has chosen; null: detected. */
      readonly dialect: SqlDialect | null;
      readonly encoding: string | null;
    },
    TransferLook,
    Progress
  >;
  /**
   * One transaction, one step of the history. Stopped or failed: everything is as before. Fails with `not-undoable`, with nothing changed, when
   * the history could not take it back and `withoutUndo` is not set; `exists` when the name of a new table is taken.
   */
  'transfer.move': Op<
    { readonly database: DatabaseId; readonly id: string; readonly plan: TransferPlan; readonly withoutUndo?: boolean },
    TransferReply,
    Progress
  >;
  /** The whole scratch database becomes one of the library. Its id means nothing afterwards. */
  'transfer.keep': Op<{ readonly id: string; readonly name: string }, LibraryEntry>;
  /** Removes the scratch database. */
  'transfer.close': Op<{ readonly database?: DatabaseId; readonly id: string }, null>;
}
