// What an archive holds: files that can be unpacked, a piece at a time.
import { AppError } from '#shared/protocol/errors.ts';
import type { PackedDatabase } from '#shared/protocol/archive.ts';
import type { ByteSource } from '../../records/record-batch.ts';

/** Unpacked bytes in order. The pieces are the caller’s. @throws AppError `invalid`, `unavailable` */
export type Pieces = AsyncIterable<Uint8Array>;

export interface PackedFile {
  /** As the archive says, which may not be true; null if it says nothing. */
  readonly sizeBytes: number | null;
  /** From the beginning, each time. */
  unpack(): Pieces;
}

/** A database, and the files beside it that hold more of it. */
export interface PackedParts {
  readonly main: PackedFile;
  readonly wal: PackedFile | null;
  readonly journal: PackedFile | null;
}

export interface Archive {
  /** At least one. @throws AppError `not-a-database`, `invalid`, `unavailable` */
  list(): Promise<readonly PackedDatabase[]>;
  /** @throws AppError `not-found`, `unavailable` */
  partsOf(name: string): PackedParts;
}

/** Enough to tell what else than a database it is. */
export const HEAD_BYTES = 4096;

const READ_BYTES = 1 << 20;

/** The bytes of the file, or those of a part of it. */
export async function* bytesOf(source: ByteSource, start = 0, end = source.sizeBytes): Pieces {
  for (let at = start; at < end;) {
    const bytes = await source.read(at, Math.min(READ_BYTES, end - at));
    if (bytes.length === 0) return;
    at += bytes.length;
    yield bytes;
  }
}

/** The first bytes; fewer where the file has no more. */
export async function firstBytesOf(pieces: Pieces, count: number): Promise<Uint8Array> {
  const head = new Uint8Array(count);
  let filled = 0;
  for await (const piece of pieces) {
    const part = piece.subarray(0, count - filled);
    head.set(part, filled);
    filled += part.length;
    if (filled === count) break;
  }
  return head.subarray(0, filled);
}

/** What was unpacked from it would lie in a temporary file, and a library copy has no password. @param what the file, by its name */
export const mayBeEncrypted = (what: string): AppError =>
  AppError.unavailable(
    `${what} may be an encrypted database, which Sidelite opens only where it is. Unpack it, and open the unpacked file. Nothing was changed.`,
  );
