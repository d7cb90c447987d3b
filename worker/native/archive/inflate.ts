// GZIP (RFC 1952), whose members are one file if they follow each other, and the plain Deflate of ZIP files.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflateRaw } from 'node:zlib';
import { AppError } from '#shared/protocol/errors.ts';
import type { Pieces } from './packed-file.ts';

const PIECE = { chunkSize: 1 << 18 };

/** @throws AppError `invalid`, and what `packed` throws */
export const gunzip = (packed: Pieces): Pieces => through(createGunzip(PIECE), packed);

/** The same without a header and a checksum. */
export const inflateRaw = (packed: Pieces): Pieces => through(createInflateRaw(PIECE), packed);

async function* through(stream: ReturnType<typeof createGunzip | typeof createInflateRaw>, packed: Pieces): Pieces {
  // What fails on one side ends the other; it is thrown below.
  const fed = pipeline(Readable.from(packed), stream).catch(() => undefined);
  try {
    for await (const piece of stream) yield new Uint8Array(piece as Buffer);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const damaged = AppError.invalid(
      'The file is damaged or incomplete: its compressed data cannot be read. Nothing was changed. Download or copy it again.',
    );
    damaged.cause = error;
    throw damaged;
  } finally {
    stream.destroy();
    await fed;
  }
}
