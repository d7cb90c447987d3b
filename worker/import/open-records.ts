// Opens a file to be imported. Where the engine's thread serves databases and windows, other threads do all the reading, however small the file
// is: a few kilobytes can take seconds to be read. A command, which waits for its file alone, reads a small one itself.
import type { DetectedSource, ImportOptions, ImportSource } from '#shared/protocol/import.ts';
import type { FileClient } from '../library/files.ts';
import type { ByteSource, RecordReader } from '../records/record-batch.ts';
import { detectSource } from './detect-source.ts';
import { formatOf } from './formats.ts';
import { detectInThread, isForThread, readInThread } from './thread/reading-thread.ts';

interface FileToRead {
  readonly files: FileClient;
  readonly source: ImportSource;
  readonly options: ImportOptions;
}

type OnCancel = (listener: () => void) => void;

/** @throws AppError what the format throws */
export async function openRecords(
  { files, source, options }: FileToRead,
  bytes: ByteSource,
  onCancel?: OnCancel,
): Promise<RecordReader> {
  if (isForThread(bytes)) return readInThread(files, { source, options }, onCancel);
  return formatOf(options.format).read(bytes, options);
}

/** @throws as {@link detectSource} */
export const detectFile = (
  files: FileClient,
  source: ImportSource,
  options: Partial<ImportOptions>,
  onCancel: OnCancel,
): Promise<DetectedSource> =>
  isForThread({ sizeBytes: 0 })
    ? detectInThread(files, { source, options }, onCancel)
    : detectSource(files, source, options);
