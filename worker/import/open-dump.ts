// Opens a file of SQL as steps for SQLite: another thread splits and translates it, as for the other formats (open-records.ts).
import type { ImportSource } from '#shared/protocol/import.ts';
import type { FileClient } from '../library/files.ts';
import type { ByteSource } from '../records/record-batch.ts';
import { readDump } from './sql/dump-reader.ts';
import type { DumpOptions, DumpReader } from './sql/dump-steps.ts';
import { isForThread, readDumpInThread } from './thread/reading-thread.ts';

interface DumpToRead {
  readonly files: FileClient;
  readonly source: ImportSource;
  readonly options: DumpOptions;
}

interface Listening {
  /** Told how far the first of two passes is; what it throws ends the reading. */
  readonly lookedThrough: (bytesRead: number) => Promise<void>;
  readonly onCancel: (listener: () => void) => void;
}

/** @throws AppError `io`, `not-found`, `invalid`, `stopped` */
export const openDump = (
  { files, source, options }: DumpToRead,
  bytes: ByteSource,
  { lookedThrough, onCancel }: Listening,
): Promise<DumpReader> =>
  isForThread(bytes)
    ? readDumpInThread(files, { source, options }, lookedThrough, onCancel)
    : readDump(bytes, options, lookedThrough);
