// Operations on the library: the databases Sidelite keeps.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { FileToken } from './files.ts';

/** `full`: fsync on each commit. `balanced`: synchronous=NORMAL; only a power cut can lose the last commits. */
export type Durability = 'full' | 'balanced';

/** Where the edits of a file in place go: into the file itself, or into a copy of it in the library. */
export type Editing = 'file' | 'copy';

export interface LibraryEntry {
  readonly id: DatabaseId;
  readonly name: string;
  /** Size of the database file, without its WAL. */
  readonly sizeBytes: number;
  readonly lastUsedAtMs: number;
  readonly durability: Durability;
  /** For a file in place, once the user has decided. */
  readonly editing?: Editing;
  /** The file it was imported from; null for a database created in Sidelite. */
  readonly source: LibrarySource | null;
}

export interface LibrarySource {
  /** File name only. */
  readonly fileName: string;
  /** Path to show to the user; only main knows the real path, by `locationId`. */
  readonly displayPath: string;
  /** Null in a browser. */
  readonly locationId: string | null;
  readonly importedAtMs: number;
  /** The network file system that a file in place is on, if any: “NFS”. */
  readonly networkDrive?: string;
}

/** Progress of any long operation. `total` is null if it is unknown. */
export interface Progress {
  readonly phase: string;
  readonly done: number;
  readonly total: number | null;
  readonly unit: 'bytes' | 'rows' | 'statements' | 'steps';
}

export interface ImportReply {
  readonly entry: LibraryEntry;
  /** Sentences for the user to read: WAL content merged, warnings of quick_check, … */
  readonly notes: readonly string[];
  /** Describes what the copy may be missing, and how to get it. */
  readonly warning?: string;
}

export interface SalvageReply extends ImportReply {
  readonly tables: readonly { readonly name: string; readonly rowsSaved: number; readonly complete: boolean }[];
}

/** Set in the `detail` of an error: the file is no database as it is, and may be an encrypted one. */
export const MAY_BE_ENCRYPTED = 'encrypted';

export interface LibraryOperations {
  /** Adds a file that this window has opened in place to the list, or updates when it was last used. Fails with `not-found`. */
  'library.addFile': Op<{ readonly database: DatabaseId }, LibraryEntry>;
  /** Stores the durability chosen for a file in place; `library.setDurability` applies it where the file is open. */
  'library.keepDurability': Op<{ readonly database: DatabaseId; readonly durability: Durability }, LibraryEntry>;
  /** Remembers where the edits of a file in place go; null: the user is asked at the next one. */
  'library.keepEditing': Op<{ readonly database: DatabaseId; readonly editing: Editing | null }, LibraryEntry>;
  /** Removes a file in place from the list; the file itself stays. */
  'library.removeFile': Op<{ readonly database: DatabaseId }, null>;
  /** A file in place is encrypted from now on, and what the library keeps is not: forgets the values that it has of the file. */
  'library.forgetValues': Op<{ readonly of: DatabaseId }, null>;
  'library.list': Op<Record<string, never>, readonly LibraryEntry[]>;
  'library.create': Op<{ readonly name: string }, LibraryEntry>;
  'library.createSample': Op<Record<string, never>, LibraryEntry, Progress>;
  /** Streams the file into the library. Fails with `not-a-database`, `corrupt` (salvage is possible), `too-new`, `full`, `io`. */
  'library.import': Op<
    {
      readonly source: FileToken;
      readonly name?: string;
      /** The file is removed afterwards, so it is not remembered as the source. */
      readonly isTemporary?: boolean;
    },
    ImportReply,
    Progress
  >;
  /** Builds a new library database from every row that can still be read from a damaged file. */
  'library.salvage': Op<{ readonly source: FileToken; readonly name?: string }, SalvageReply, Progress>;
  'library.rename': Op<{ readonly database: DatabaseId; readonly name: string }, LibraryEntry>;
  'library.duplicate': Op<{ readonly database: DatabaseId; readonly name?: string }, LibraryEntry, Progress>;
  'library.delete': Op<{ readonly database: DatabaseId }, null>;
  /** Streams a plain SQLite file (no WAL needed beside it) into the sink. */
  'library.export': Op<
    { readonly database: DatabaseId; readonly sink: FileToken },
    { readonly sizeBytes: number },
    Progress
  >;
  'library.setDurability': Op<{ readonly database: DatabaseId; readonly durability: Durability }, LibraryEntry>;
}
