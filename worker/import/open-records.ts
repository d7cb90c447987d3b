// Opens the records of a file; a large file is read on its own thread.
import type { ImportFormatId } from '#shared/import-formats.ts';
import type { ImportOptions, ImportSource } from '#shared/protocol/import.ts';
import type { FileClient } from '../library/files.ts';
import type { ByteSource, RecordReader } from '../records/record-batch.ts';
import { formatOf } from './formats.ts';
import { hasReadingThreads, readInThread } from './thread/reading-thread.ts';

/** A smaller file is read faster than a thread starts. */
const LEAST_BYTES = 4 << 20;
/** A compressed file holds ten times as much as its size, and more. */
const LEAST_COMPRESSED_BYTES = LEAST_BYTES >> 4;
const COMPRESSED: ReadonlySet<ImportFormatId> = new Set(['parquet', 'xlsx']);

export const isForThread = ({ sizeBytes }: Pick<ByteSource, 'sizeBytes'>, { format }: ImportOptions): boolean =>
  hasReadingThreads() && sizeBytes >= (COMPRESSED.has(format) ? LEAST_COMPRESSED_BYTES : LEAST_BYTES);

export interface FileToRead {
  readonly files: FileClient;
  readonly source: ImportSource;
  readonly options: ImportOptions;
}

/** @param bytes of the source @throws AppError what the format throws */
export async function openRecords({ files, source, options }: FileToRead, bytes: ByteSource): Promise<RecordReader> {
  if (isForThread(bytes, options)) return readInThread(files, { source, options });
  return formatOf(options.format).read(bytes, options);
}
