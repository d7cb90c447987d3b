// The text files that SQL tabs open, save, and watch, as a window hears of them.
import type { FileToken } from './protocol/files.ts';

/** A longer text is imported, not edited: CodeMirror keeps all of it in memory, and the window stores it as it is typed. */
export const TEXT_FILE_BYTES = 32 * 1024 * 1024;

/** A text file that one window may read and write, also after a restart, as long as a tab of it names the file. */
export interface TextFile {
  readonly token: FileToken;
  readonly fileName: string;
  /** Path for the user to read. The window never names a path. */
  readonly displayPath: string;
}

export type TextFileReply =
  | {
      readonly found: 'file';
      readonly file: TextFile;
      /** SHA-256 of the bytes in hexadecimal. */
      readonly content: string;
      /** Null if `content` is what the window already knows. */
      readonly bytes: Uint8Array | null;
    }
  | { readonly found: 'missing' | 'unreadable' | 'too-big'; readonly why: string };

export type TextFileSaved =
  | { readonly file: TextFile; readonly content: string }
  /** `isConflict`: another program has changed the file, so it was not replaced. */
  | { readonly why: string; readonly isConflict: boolean };
