// Transfer: copies tables from an SQL file or another SQLite file into a database. The file is first loaded into a scratch database.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { ImportSource } from './import.ts';
import type { LibraryEntry, Progress } from './library.ts';

/** The program that wrote an SQL file: dialects read the same characters differently. */
export const SQL_DIALECTS = ['sqlite', 'mysql', 'postgresql', 'tsql'] as const;
export type SqlDialect = (typeof SQL_DIALECTS)[number];

/** A statement of an SQL file that was not run. */
export interface LeftStatement {
  readonly line: number;
  /** A full sentence, or SQLite's own message. */
  readonly reason: string;
  /** The beginning of the statement. */
  readonly text: string;
}

/** A table or view of the scratch database. */
export interface TransferObject {
  readonly name: string;
  readonly kind: 'table' | 'virtual' | 'view';
  /** Null for views, and if it cannot be read. */
  readonly rows: number | null;
  /** Columns that store values, so without generated ones. */
  readonly columns: readonly string[];
  readonly indexes: number;
  readonly triggers: number;
  /** Why it cannot be read; null if it can. */
  readonly problem: string | null;
  /** The file has rows for it and does not define it, so it has only the columns of the rows. */
  readonly isUndefined: boolean;
}

export interface TransferContents {
  /** Identifies the file in the other operations, as long as this window exists. */
  readonly id: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Null for an SQLite file. */
  readonly sql: {
    readonly dialect: SqlDialect;
    readonly encoding: string;
    /** Why this dialect was detected. */
    readonly reason: string;
    readonly notUnderstood: number;
    /** The first 1,000 of them. */
    readonly statements: readonly LeftStatement[];
  } | null;
  readonly objects: readonly TransferObject[];
  /** Full sentences about what differs from the file. */
  readonly notes: readonly string[];
}

export interface TransferTable {
  readonly name: string;
  /** Name of the target table in the database. */
  readonly into: string;
  readonly how: 'new' | 'append';
}

export interface TransferPlan {
  readonly tables: readonly TransferTable[];
  /** Create the indexes of new tables. */
  readonly indexes: boolean;
  readonly triggers: boolean;
  /** Add rows to existing tables although they refer to rows that do not exist. Rows of new tables are copied in any case. */
  readonly looseKeys?: boolean;
  /**
   * Create new tables although tables that they refer to are neither chosen nor in the database. Triggers that could not run without such
   * a table are left out.
   */
  readonly withoutOthers?: boolean;
}

/** A row that was not copied. */
export interface TransferProblem {
  readonly table: string;
  /** 1-based, in key order. */
  readonly row: number;
  readonly reason: string;
}

/** An object that SQLite could not create in the database. */
export interface LeftOut {
  readonly kind: 'table' | 'view' | 'index' | 'trigger';
  readonly name: string;
  readonly reason: string;
}

export interface TransferReply {
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly problems: number;
  /** The first 1,000 of them. */
  readonly kept: readonly TransferProblem[];
  readonly notes: readonly string[];
  /** The notes mention them, too. */
  readonly leftOut: readonly LeftOut[];
  readonly timeMs: number;
}

export interface TransferOperations {
  /**
   * Loads the file into a scratch database of this window, in the engine of `database` (if missing, the library's engine).
   * @throws AppError `not-a-database`, `unavailable`, `corrupt` for an SQLite file that cannot be read; `stopped`, `io`, `full`
   */
  'transfer.open': Op<
    {
      readonly database?: DatabaseId;
      readonly source: ImportSource;
      /** What the user knows it as; default: the name of the file. */
      readonly name?: string;
      /** The dialect the user has chosen; null to detect it. */
      readonly dialect: SqlDialect | null;
      readonly encoding: string | null;
      /** The database whose tables the rows may be for, where the file does not define their tables. */
      readonly into?: DatabaseId | undefined;
    },
    TransferContents,
    Progress
  >;
  /**
   * One transaction, one step of the history. If it is stopped or fails, nothing changes. Fails with `not-undoable`, with nothing changed,
   * if the history could not undo it and `withoutUndo` is not set; `exists` if the name of a new table is taken.
   */
  'transfer.move': Op<
    {
      readonly database: DatabaseId;
      readonly id: string;
      readonly plan: TransferPlan;
      /** Title of the step in the history; default: that the file was imported. */
      readonly title?: string;
      readonly withoutUndo?: boolean;
    },
    TransferReply,
    Progress
  >;
  /** Turns the whole scratch database into a library database. Its id is invalid afterwards. */
  'transfer.keep': Op<{ readonly id: string; readonly name: string }, LibraryEntry, Progress>;
  /** Removes the scratch database. */
  'transfer.close': Op<{ readonly database?: DatabaseId; readonly id: string }, null>;
}
