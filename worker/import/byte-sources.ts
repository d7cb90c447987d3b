// Sources of the bytes of an import: a chosen file, read ahead over the files port, or text that was pasted.
import { AppError } from '#shared/protocol/errors.ts';
import type { FileToken } from '#shared/protocol/files.ts';
import type { ImportSource } from '#shared/protocol/import.ts';
import type { FileClient } from '../library/files.ts';
import { joined } from '../records/bytes.ts';
import type { ByteSource } from '../records/record-batch.ts';

const CHUNK_BYTES = 1 << 20;
/** Enough to keep the disk of the other process busy while this one works on what it has already. */
const CHUNKS_AHEAD = 3;

interface Chunk {
  readonly offset: number;
  readonly bytes: Promise<Uint8Array>;
}

/** @throws AppError `not-found`, `io` */
export async function openBytes(files: FileClient, source: ImportSource): Promise<ByteSource> {
  if (source.kind === 'text') return textBytes(source.text, source.name);
  const { fileName, sizeBytes, modifiedAtMs } = await files.call('file.info', { token: source.token });
  return new FileBytes(files, source.token, { fileName, sizeBytes, modifiedAtMs });
}

export function textBytes(text: string, fileName: string): ByteSource {
  const bytes = new TextEncoder().encode(text);
  return {
    fileName,
    sizeBytes: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.slice(offset, offset + length)),
  };
}

/** A sequential read from the beginning requests the next chunks ahead; any other order requests only what is needed. */
class FileBytes implements ByteSource {
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly #files: FileClient;
  readonly #token: FileToken;
  readonly #modifiedAtMs: number;
  #ahead: Chunk[] = [];
  #wanted = 0;

  constructor(
    files: FileClient,
    token: FileToken,
    { fileName, sizeBytes, modifiedAtMs }: { fileName: string; sizeBytes: number; modifiedAtMs: number },
  ) {
    this.#files = files;
    this.#token = token;
    this.fileName = fileName;
    this.sizeBytes = sizeBytes;
    this.#modifiedAtMs = modifiedAtMs;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const wanted = Math.max(0, Math.min(length, this.sizeBytes - offset));
    if (wanted === 0) {
      await this.#assertUnchanged();
      return new Uint8Array(0);
    }
    const isNext = offset === this.#wanted;
    this.#wanted = offset + wanted;
    const bytes = isNext ? await this.#readOn(offset, wanted) : await this.#ask(offset, wanted);
    if (bytes.length < wanted) throw changed(this.fileName);
    return bytes;
  }

  async #readOn(offset: number, length: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let at = offset;
    while (at < offset + length) {
      const chunk = this.#chunkAt(at);
      const bytes = await chunk.bytes;
      const [from, to] = [at - chunk.offset, Math.min(bytes.length, offset + length - chunk.offset)];
      // The caller may free the memory of the bytes it gets, so it must not share a buffer with the rest of a chunk.
      const piece = from === 0 && to === bytes.length ? bytes : bytes.slice(from, to);
      if (piece.length === 0) break;
      pieces.push(piece);
      at += piece.length;
      if (at >= chunk.offset + bytes.length) this.#ahead.shift();
    }
    return pieces.length === 1 ? pieces[0]! : joined(pieces);
  }

  /** The chunk that contains `at`; requests more after it. */
  #chunkAt(at: number): Chunk {
    const first = this.#ahead[0];
    if (first !== undefined && (at < first.offset || at >= first.offset + CHUNK_BYTES)) this.#ahead = [];
    let next = (this.#ahead.at(-1)?.offset ?? at - CHUNK_BYTES) + CHUNK_BYTES;
    while (this.#ahead.length < CHUNKS_AHEAD && (next < this.sizeBytes || this.#ahead.length === 0)) {
      const bytes = this.#ask(next, Math.min(CHUNK_BYTES, this.sizeBytes - next));
      // If the source is closed before this chunk is read, its failure must not become an unhandled rejection.
      bytes.catch(() => undefined);
      this.#ahead.push({ offset: next, bytes });
      next += CHUNK_BYTES;
    }
    return this.#ahead[0]!;
  }

  #ask(offset: number, length: number): Promise<Uint8Array> {
    return this.#files.call('file.read', { token: this.#token, part: 'main', offset, length });
  }

  async #assertUnchanged(): Promise<void> {
    const now = await this.#files.call('file.info', { token: this.#token });
    if (now.sizeBytes !== this.sizeBytes || now.modifiedAtMs !== this.#modifiedAtMs) throw changed(this.fileName);
  }
}

function changed(fileName: string): AppError {
  return AppError.io(
    `“${fileName}” was changed by another program while it was being read. Nothing was imported. Try again when it is complete.`,
  );
}
