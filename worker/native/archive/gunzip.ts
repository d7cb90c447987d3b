// GZIP (RFC 1952): members that follow each other are one file.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '#shared/protocol/errors.ts';
import type { Pieces } from './packed-file.ts';

const PIECE_BYTES = 1 << 18;

/** @throws AppError `invalid`, and what `packed` throws */
export async function* gunzip(packed: Pieces): Pieces {
  const stream = createGunzip({ chunkSize: PIECE_BYTES });
  // What fails on one side ends the other; it is thrown below.
  const fed = pipeline(Readable.from(packed), stream).catch(() => undefined);
  try {
    for await (const piece of stream) yield new Uint8Array(piece as Buffer);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const damaged = AppError.invalid('The file is damaged or incomplete: its compressed data cannot be read.');
    damaged.cause = error;
    throw damaged;
  } finally {
    stream.destroy();
    await fed;
  }
}
