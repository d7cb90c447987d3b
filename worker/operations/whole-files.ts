// Files chosen by the user that are read or written in one piece: patches, results of benchmarks.
import { fail } from '#shared/protocol/errors.ts';
import type { FileToken } from '#shared/protocol/files.ts';
import { CHUNK_BYTES, FileSink, letGo, readChunks, type FileClient } from '../library/files.ts';

interface SizeLimit {
  /** “a patch” */
  readonly what: string;
  readonly bytes: number;
}

export async function writeWholeFile(files: FileClient, token: FileToken, bytes: Uint8Array): Promise<void> {
  const sink = new FileSink(files, token);
  try {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) await sink.write(bytes.slice(at, at + CHUNK_BYTES));
    await sink.commit();
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

/**
 * @param onRead called after each piece with the bytes read and the total; what it throws ends the reading and releases the file
 * @throws AppError `too-big`, `io`
 */
export async function readWholeFile(
  files: FileClient,
  token: FileToken,
  limit: SizeLimit,
  onRead?: (done: number, total: number) => void,
): Promise<{ readonly bytes: Uint8Array; readonly fileName: string }> {
  const { fileName, sizeBytes } = await files.call('file.info', { token });
  if (sizeBytes > limit.bytes) {
    await letGo(files, token);
    const most = `${Math.round(limit.bytes / 2 ** 20)} MB`;
    fail('too-big', `“${fileName}” is too large for ${limit.what} (more than ${most}). Nothing was changed.`);
  }
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  for await (const chunk of readChunks(files, token, 'main', sizeBytes)) {
    bytes.set(chunk, at);
    at += chunk.length;
    try {
      onRead?.(at, sizeBytes);
    } catch (thrown) {
      await letGo(files, token);
      throw thrown;
    }
  }
  return { bytes, fileName };
}
