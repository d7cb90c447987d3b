// The files a worker may read or write. Main (or the page, in a browser) serves these for tokens it has handed out;
// nobody else ever names a path.
import type { SourcePrint } from '../source-print.ts';
import type { Op } from './envelope.ts';
import type { InPlaceFile } from './in-place.ts';

/** Names one file the person chose, to the window it was chosen in. Opaque; dead after `file.close` or when the app quits. */
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
  /** In a browser: what lies beside the file is only known when it was chosen along with it. */
  readonly onlyChosenSideFiles?: true;
}

export type FilePart = 'main' | 'wal' | 'journal';

/** What lies where a database came from. */
export type SourceFileState =
  | { readonly found: 'file'; readonly print: SourcePrint }
  | { readonly found: 'missing' }
  | { readonly found: 'unreadable'; readonly why: string };

/** The window a file is asked for. The worker knows it from main, not from the page. */
interface ForWindow {
  readonly window?: string;
}

export interface FileOperations {
  'file.info': Op<{ readonly token: FileToken } & ForWindow, SourceFileInfo>;
  /** Fewer bytes than asked for mean the end of the file. Fails with `not-found`, `io`. */
  'file.read': Op<
    {
      readonly token: FileToken;
      readonly part: FilePart;
      readonly offset: number;
      readonly length: number;
    } & ForWindow,
    Uint8Array
  >;
  /** Appends. The bytes land in a temporary file beside the target. */
  'file.write': Op<{ readonly token: FileToken; readonly bytes: Uint8Array } & ForWindow, null>;
  /**
   * For a sink with `commit`: fsync and rename over the target; without: the temporary file is removed. For a source: lets go. `backup`:
   * the name, in the same folder, of what a sink that was opened for a source has replaced; null when nothing was kept.
   */
  'file.close': Op<
    { readonly token: FileToken; readonly commit: boolean } & ForWindow,
    { readonly backup: string | null }
  >;
  /**
   * A folder that will be made beside the file of a sink, named after it: for files that belong to it. Both are put in their places one
   * after the other.
   */
  'folder.openBeside': Op<
    { readonly token: FileToken } & ForWindow,
    { readonly token: FileToken; readonly folderName: string }
  >;
  /** Which of these names are taken in the folder. Fails with `invalid` for one that no file may have. */
  'folder.taken': Op<{ readonly token: FileToken; readonly names: readonly string[] } & ForWindow, readonly string[]>;
  /** Appends to files in the folder, one after the other; they appear there when it is closed. Fails with `invalid` for a name that leaves it. */
  'folder.write': Op<
    {
      readonly token: FileToken;
      readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
    } & ForWindow,
    null
  >;
  /** With `commit` the files are put in their places, and only those in `replaced` replace others. Fails with `exists`, `io`, `full`. */
  'folder.close': Op<
    { readonly token: FileToken; readonly commit: boolean; readonly replaced: readonly string[] } & ForWindow,
    null
  >;
  'source.look': Op<{ readonly sourceId: string }, SourceFileState>;
  /** To read it once more. Fails with `not-found` when its place is not known. */
  'source.open': Op<{ readonly sourceId: string } & ForWindow, { readonly token: FileToken }>;
  /**
   * A sink that takes the source's place, with its owner and permissions, and keeps what was there as a backup. `expected` null: whatever
   * is there. Fails, like closing it, with `conflict` when something else is there than expected, `locked` when another program has the
   * file open, and `io` when the file or its folder is read-only.
   */
  'source.openSink': Op<
    { readonly sourceId: string; readonly expected: SourcePrint | null } & ForWindow,
    { readonly token: FileToken }
  >;
  /** The only files the library names: main forgets where all others were, unless they were chosen since the app was started. */
  'source.keepOnly': Op<{ readonly copies: readonly string[]; readonly inPlace: readonly string[] }, null>;
  /** The library lists a file this window has open in place: from now on every window may open it. Fails with `not-found`. */
  'inPlace.list': Op<{ readonly sourceId: string } & ForWindow, InPlaceFile & { readonly sizeBytes: number }>;
  /** It lists the file no more: only windows that have it open may name it. */
  'inPlace.unlist': Op<{ readonly sourceId: string }, null>;
}
