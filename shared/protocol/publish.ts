// Publishing: a local database is copied to an empty database on a server. The process of that server has a private copy of the source,
// so that what is sent is one consistent state.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { FileToken } from './files.ts';
import type { Progress } from './library.ts';

/** `setting`: a number that the database keeps for its program (`PRAGMA user_version`). */
export type PublishKind = 'table' | 'virtual' | 'index' | 'view' | 'trigger' | 'setting';

/** Something that the server does not take, with a full sentence. */
export interface NotPublished {
  readonly kind: PublishKind;
  readonly name: string;
  readonly reason: string;
}

/** Preview before anything is sent. */
export interface PublishPreview {
  /** Identifies the preview in the other operations, as long as this window exists. */
  readonly id: string;
  readonly tables: readonly {
    readonly name: string;
    readonly rows: number;
    /** Size of the values as text; null if a table has too many columns to add them up. */
    readonly bytes: number | null;
  }[];
  /** Objects that are created after the rows. */
  readonly indexes: number;
  readonly views: number;
  readonly triggers: number;
  readonly notPublished: readonly NotPublished[];
  /** The first 20 names that are on the server already: a database is published only to an empty one. */
  readonly occupiedBy: readonly string[];
  /** Whether the server has the tables of this very database, as a publication has that ended with its process: see `publish.find`. */
  readonly begun: boolean;
  /** Full sentences about what is different on the server. */
  readonly notes: readonly string[];
}

export interface PublishedTable {
  readonly name: string;
  readonly rows: number;
  /** Number of rows that are on the server for certain. */
  readonly saved: number;
  /** Sent last, when the connection was lost: it is unknown whether the server has them. */
  readonly unsure: number;
  /** SHA-256 over all values in key order; null if not all rows were sent. */
  readonly digest: string | null;
  /** The same, of what was read back from the server; null if that was not done. */
  readonly onServer: { readonly rows: number; readonly digest: string } | null;
}

export interface PublishReply {
  readonly outcome: 'done' | 'stopped' | 'failed';
  /** A full sentence about what stopped it; empty when it is done. */
  readonly why: string;
  /** Whether the tables were created; `unsure` if the connection was lost just then. */
  readonly hasTables: 'yes' | 'no' | 'unsure';
  readonly tables: readonly PublishedTable[];
  /** Number of objects created after the rows. */
  readonly created: number;
  /** Objects that the server rejected after the rows, or that were not reached. */
  readonly notPublished: readonly NotPublished[];
  readonly timeMs: number;
}

export interface PublishOperations {
  /**
   * Copies the source, a SQLite file that stays as it is, and tries its definitions on the server in a transaction that is rolled back.
   * @throws AppError `unavailable` for a read-only connection; errors of reading the file, and of the server
   */
  'publish.preview': Op<{ readonly database: DatabaseId; readonly source: FileToken }, PublishPreview, Progress>;
  /**
   * Compares, for a publication that was begun, the rows that the server has with the first ones of the source, table by table, which tells
   * how far it has come. `publish.run` continues from there.
   * @throws AppError `conflict` if they are not the same. Changes nothing
   */
  'publish.find': Op<{ readonly database: DatabaseId; readonly id: string }, PublishReply, Progress>;
  /**
   * Sends everything, in transactions of about a second, reads it back, and compares. Once the tables exist, a failure and Stop are
   * outcomes, not errors. Called again after those, it continues.
   * @throws AppError `exists` if the server's database is not empty; errors of the server. Nothing was changed then
   */
  'publish.run': Op<{ readonly database: DatabaseId; readonly id: string }, PublishReply, Progress>;
  /**
   * Removes what was published, in one transaction.
   * @throws AppError `conflict` if someone else has changed it since; nothing is removed then
   */
  'publish.remove': Op<{ readonly database: DatabaseId; readonly id: string }, { readonly tables: number }>;
  /** Removes the copy of the source. What is on the server stays. */
  'publish.close': Op<{ readonly database: DatabaseId; readonly id: string }, null>;
}
