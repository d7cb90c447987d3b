// The files a worker may read or write. Main (or the page, in a browser) serves them for tokens it has issued; no other process ever passes
// a path.
import type { SourcePrint } from '../source-print.ts';
import type { Op } from './envelope.ts';
import type { InPlaceFile } from './in-place.ts';

/** Names one file the user chose, valid in the window it was chosen in. Opaque; invalid after `file.close` or when the app quits. */
export type FileToken = string;

export interface SourceFileInfo {
  readonly fileName: string;
  readonly displayPath: string;
  /** Names the file in main, across restarts; null in a browser. */
  readonly locationId: string | null;
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
  /** Total size of the `-wal` and `-journal` files beside it; 0 if there are none. */
  readonly walSizeBytes: number;
  readonly journalSizeBytes: number;
  /** Set in a browser: files beside it are only known if they were chosen along with it. */
  readonly onlyChosenSideFiles?: true;
}

export type FilePart = 'main' | 'wal' | 'journal';

/** The state of the file that a database came from. */
export type SourceFileState =
  | { readonly found: 'file'; readonly print: SourcePrint }
  | { readonly found: 'missing' }
  | { readonly found: 'unreadable'; readonly why: string };

/** The window that requests a file. The worker knows it from main, not from the page. */
interface ForWindow {
  readonly window?: string;
}

export interface FileOperations {
  'file.info': Op<{ readonly token: FileToken } & ForWindow, SourceFileInfo>;
  /** A reply shorter than requested means the end of the file. Fails with `not-found`, `io`. */
  'file.read': Op<
    {
      readonly token: FileToken;
      readonly part: FilePart;
      readonly offset: number;
      readonly length: number;
    } & ForWindow,
    Uint8Array
  >;
  /** Appends the bytes to a temporary file beside the target. */
  'file.write': Op<{ readonly token: FileToken; readonly bytes: Uint8Array } & ForWindow, null>;
  /**
   * For a sink with `commit`: fsync and rename over the target; without: removes the temporary file. For a source: releases it. `backup`:
   * for a sink that was opened for a source, the name in the same folder of the backup of the replaced file; null if no backup was kept.
   */
  'file.close': Op<
    { readonly token: FileToken; readonly commit: boolean } & ForWindow,
    { readonly backup: string | null }
  >;
  /**
   * Opens a folder beside a sink's file, named after it, for files that belong to it. The folder is created later; the two are moved into
   * place one after the other.
   */
  'folder.openBeside': Op<
    { readonly token: FileToken } & ForWindow,
    { readonly token: FileToken; readonly folderName: string }
  >;
  /** Returns which of these names already exist in the folder. Fails with `invalid` for an invalid file name. */
  'folder.taken': Op<{ readonly token: FileToken; readonly names: readonly string[] } & ForWindow, readonly string[]>;
  /**
   * Appends to files in the folder, one after the other; they appear there when the folder is closed. Fails with `invalid` for a name that
   * points outside it.
   */
  'folder.write': Op<
    {
      readonly token: FileToken;
      readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
    } & ForWindow,
    null
  >;
  /** If `commit` is set, moves the files into place; only those in `replaced` may replace others. Fails with `exists`, `io`, `full`. */
  'folder.close': Op<
    { readonly token: FileToken; readonly commit: boolean; readonly replaced: readonly string[] } & ForWindow,
    null
  >;
  'source.stat': Op<{ readonly locationId: string }, SourceFileState>;
  /** Opens the source for reading again. Fails with `not-found` if its location is not known. */
  'source.open': Op<{ readonly locationId: string } & ForWindow, { readonly token: FileToken }>;
  /**
   * Opens a sink that replaces the source, with its owner and permissions, and keeps the replaced file as a backup. `expected` null:
   * replaces any file. Opening and closing it fail with `conflict` if the file is not the expected one, `locked` if another program has the
   * file open, and `io` if the file or its folder is read-only.
   */
  'source.openSink': Op<
    { readonly locationId: string; readonly expected: SourcePrint | null } & ForWindow,
    { readonly token: FileToken }
  >;
  /** Lists all files the library refers to: main forgets the locations of all others, unless they were chosen since the app was started. */
  'source.keepOnly': Op<{ readonly copies: readonly string[]; readonly inPlace: readonly string[] }, null>;
  /** The library lists a file this window has open in place: from now on all windows may open it. Fails with `not-found`. */
  'inPlace.list': Op<{ readonly locationId: string } & ForWindow, InPlaceFile & { readonly sizeBytes: number }>;
  /** The library no longer lists it: only windows that have it open may name it. */
  'inPlace.unlist': Op<{ readonly locationId: string }, null>;
}
