// Opens the records of a file; a large file is read on its own thread.
import type { ImportOptions, ImportSource } from '#shared/protocol/import.ts';
import type { FileClient } from '../library/files.ts';
import type { ByteSource, RecordReader } from '../records/record-batch.ts';
import { formatOf } from './formats.ts';
import { hasReadingThreads, readInThread } from './thread/reading-thread.ts';

/** A smaller file is read faster than a thread starts. */
const LEAST_BYTES = 4 << 20;

export const isForThread = ({ sizeBytes }: ByteSource): boolean => hasReadingThreads() && sizeBytes >= LEAST_BYTES;

export interface FileToRead {
  readonly files: FileClient;
  readonly source: ImportSource;
  readonly options: ImportOptions;
}

/** @param bytes of the source @throws AppError what the format throws */
export async function openRecords({ files, source, options }: FileToRead, bytes: ByteSource): Promise<RecordReader> {
  if (isForThread(bytes)) return readInThread(files, { source, options });
  return formatOf(options.format).read(bytes, options);
}
