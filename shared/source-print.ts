// Identifies the state of a source file at one moment. Both main and the worker compare.
export interface SourcePrint {
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
  /** Device and inode: another one means that another file lies in its place. */
  readonly fileId: string;
  readonly walSizeBytes: number;
  readonly walModifiedAtMs: number;
  /** Hash of the file and its WAL; null when they are too large to be read only to look. */
  readonly content: string | null;
}

/** A file that was only touched, or copied over itself, is the same as long as its content can be compared. */
export function samePrint(one: SourcePrint, other: SourcePrint): boolean {
  if (one.content !== null && other.content !== null) return one.content === other.content;
  return (
    one.sizeBytes === other.sizeBytes &&
    one.modifiedAtMs === other.modifiedAtMs &&
    one.fileId === other.fileId &&
    one.walSizeBytes === other.walSizeBytes &&
    one.walModifiedAtMs === other.walModifiedAtMs
  );
}
