// Operations on files that hold a database packed: ZIP, GZIP, and Zstandard. Only the native engine serves them, because the database goes
// into a temporary file.
import type { Op } from './envelope.ts';
import type { FileToken } from './files.ts';
import type { Progress } from './library.ts';

export interface PackedDatabase {
  /** Its name in the archive, with folders. It is shown and sent back, and never used as a path. */
  readonly name: string;
  /** Size when unpacked, as the archive says; null if it says nothing. */
  readonly sizeBytes: number | null;
}

export interface ArchiveContents {
  /** At least one. */
  readonly databases: readonly PackedDatabase[];
}

/** Where the parts of an unpacked database go. A WAL and a rollback journal are only there where the archive holds them. */
export interface UnpackedSinks {
  readonly main: FileToken;
  readonly wal: FileToken;
  readonly journal: FileToken;
}

export interface ArchiveOperations {
  /**
   * The databases in an archive, told by their content. Fails with `not-a-database` if it holds none, `invalid` if it is damaged,
   * `unavailable` if it is encrypted or compressed in another way.
   */
  'archive.list': Op<{ readonly source: FileToken }, ArchiveContents>;
  /**
   * Unpacks one of them. Fails with `too-big` if it has more than `mostBytes`, whatever the archive says of it, and as `archive.list`
   * does; then nothing is kept.
   */
  'archive.unpack': Op<
    {
      readonly source: FileToken;
      readonly name: string;
      readonly into: UnpackedSinks;
      readonly mostBytes: number;
    },
    { readonly sizeBytes: number },
    Progress
  >;
}
