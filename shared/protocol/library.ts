// Operations on the library: the databases Sidelite keeps.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { FileToken } from './files.ts';

/** `full`: fsync on each commit. `balanced`: synchronous=NORMAL; only a power cut can lose the last commits. */
export type Durability = 'full' | 'balanced';

export interface LibraryEntry {
  readonly id: DatabaseId;
  readonly name: string;
  /** Of the database file, without its WAL. */
  readonly sizeBytes: number;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number;
  readonly durability: Durability;
  /** Where it was imported from; null for databases made here. */
  readonly source: LibrarySource | null;
}

export interface LibrarySource {
  /** File name only. */
  readonly fileName: string;
  /** For people to read; main alone knows the real path, under `id`. */
  readonly displayPath: string;
  /** Names the source to main (`shell.revealSource`); null in a browser. */
  readonly id: string | null;
  readonly importedAtMs: number;
  /** What a file in place lies on, if that is another computer: “NFS”. */
  readonly networkDrive?: string;
}

/** Progress of anything long. `total` is null when it cannot be known. */
export interface Progress {
  readonly phase: string;
  readonly done: number;
  readonly total: number | null;
  readonly unit: 'bytes' | 'rows' | 'statements' | 'steps';
}

export interface ImportReply {
  readonly entry: LibraryEntry;
  /** Sentences the person should read: WAL content merged, warnings of quick_check, … */
  readonly notes: readonly string[];
  /** What the copy may lack, and how to get it. */
  readonly warning?: string;
}

export interface SalvageReply extends ImportReply {
  readonly tables: readonly { readonly name: string; readonly rowsSaved: number; readonly complete: boolean }[];
}

export interface LibraryOperations {
  /** Notes a file that this window has opened in place, or that it was used again. Fails with `not-found`. */
  'library.addFile': Op<{ readonly database: DatabaseId }, LibraryEntry>;
  /** Remembers how durable commits to a file in place are to be; `library.setDurability` makes it so where it is open. */
  'library.keepDurability': Op<{ readonly database: DatabaseId; readonly durability: Durability }, LibraryEntry>;
  /** Takes a file in place off the list; the file itself stays. */
  'library.removeFile': Op<{ readonly database: DatabaseId }, null>;
  'library.list': Op<Record<string, never>, readonly LibraryEntry[]>;
  'library.create': Op<{ readonly name: string }, LibraryEntry>;
  'library.createSample': Op<Record<string, never>, LibraryEntry, Progress>;
  /** Streams the file into the library. Fails with `not-a-database`, `corrupt` (salvage is possible), `too-new`, `full`, `io`. */
  'library.import': Op<{ readonly source: FileToken; readonly name?: string }, ImportReply, Progress>;
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
