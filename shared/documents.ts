// Documents of a database, such as PDF files, that a window asks main to show.

/** The largest document that is shown: main keeps it in memory for as long as its window is open. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

export interface ShownDocument {
  /** Title of the window: table, row, and column. */
  readonly title: string;
  /** The bytes of a PDF. */
  readonly bytes: Uint8Array;
}
