// Patches as files the person has chosen.
import { AppError } from '#shared/protocol/errors.ts';
import type { FileToken } from '#shared/protocol/files.ts';
import { CHUNK_BYTES, FileSink, letGo, readChunks } from '../library/files.ts';
import type { FileClient } from '../library/files.ts';

/** It is read whole. */
const MAX_PATCH_BYTES = 512 * 2 ** 20;

export async function writePatchFile(files: FileClient, token: FileToken, bytes: Uint8Array): Promise<void> {
  const sink = new FileSink(files, token);
  try {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) await sink.write(bytes.slice(at, at + CHUNK_BYTES));
    await sink.commit();
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

export async function readPatchFile(
  files: FileClient,
  token: FileToken,
): Promise<{ readonly bytes: Uint8Array; readonly fileName: string }> {
  const { fileName, sizeBytes } = await files.call('file.info', { token });
  if (sizeBytes > MAX_PATCH_BYTES) {
    await letGo(files, token);
    throw new AppError({
      code: 'too-big',
      message: `“${fileName}” is too large for a patch (more than 512 MB). Nothing was changed.`,
    });
  }
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  for await (const chunk of readChunks(files, token, 'main', sizeBytes)) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { bytes, fileName };
}
