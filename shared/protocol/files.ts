// The files a worker may read or write. Main (or the page, in a browser) serves these for tokens it has handed out;
// nobody else ever names a path.
import type { Op } from './envelope.ts';

/** Names one file the person chose. Opaque; dead after `file.close` or when the app quits. */
export type FileToken = string;

export interface SourceFileInfo {
  readonly fileName: string;
  readonly displayPath: string;
  readonly sourceId: string | null;
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
  /** Size of the `-wal` and `-journal` files beside it; 0 when there is none. */
  readonly walSizeBytes: number;
  readonly journalSizeBytes: number;
}

export type FilePart = 'main' | 'wal' | 'journal';

export interface FileOperations {
  'file.info': Op<{ readonly token: FileToken }, SourceFileInfo>;
  /** Fewer bytes than asked for mean the end of the file. Fails with `not-found`, `io`. */
  'file.read': Op<
    { readonly token: FileToken; readonly part: FilePart; readonly offset: number; readonly length: number },
    Uint8Array
  >;
  /** Appends. The bytes land in a temporary file beside the target. */
  'file.write': Op<{ readonly token: FileToken; readonly bytes: Uint8Array }, null>;
  /** For a sink with `commit`: fsync and rename over the target; without: the temporary file is removed. For a source: lets go. */
  'file.close': Op<{ readonly token: FileToken; readonly commit: boolean }, null>;
}
