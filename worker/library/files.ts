// Reads and writes the files the user chose, through the files port, in constant memory.
import { AppError } from '#shared/protocol/errors.ts';
import type { FileOperations, FilePart, FileToken, SourceFileInfo } from '#shared/protocol/files.ts';
import type { Client } from '#shared/rpc/client.ts';
import { freeBuffer } from '../threads/free-buffer.ts';
import type { WindowSession } from '../sessions/session.ts';

export type FileClient = Pick<Client<FileOperations, Record<string, never>>, 'call'>;

/** The files of one window: main gives it only those that were chosen in it. */
export function filesOf(files: FileClient, { windowId }: Pick<WindowSession, 'windowId'>): FileClient {
  return {
    call: (op, params, options) =>
      files.call(op, { ...(params as object), window: windowId } as typeof params, options),
  };
}

/** Transfers between processes at 4 MiB are a sixth faster than at 1 MiB and a third faster than at 256 KiB. */
export const CHUNK_BYTES = 4 * 1024 * 1024;
const MOST_OF_MESSAGE = 2 * CHUNK_BYTES;
/** Enough to keep the disk of the other process busy while this one writes. */
const READS_IN_FLIGHT = 3;
const WRITES_IN_FLIGHT = 3;

/** The first `sizeBytes` of a part, in order. @throws AppError `io` when the file turns out shorter */
export async function* readChunks(
  files: FileClient,
  token: FileToken,
  part: FilePart,
  sizeBytes: number,
): AsyncGenerator<Uint8Array> {
  const inFlight: Promise<Uint8Array>[] = [];
  let asked = 0;
  let got = 0;
  try {
    while (got < sizeBytes) {
      while (inFlight.length < READS_IN_FLIGHT && asked < sizeBytes) {
        const length = Math.min(CHUNK_BYTES, sizeBytes - asked);
        inFlight.push(files.call('file.read', { token, part, offset: asked, length }));
        asked += length;
      }
      const chunk = await inFlight.shift()!;
      if (chunk.length < Math.min(CHUNK_BYTES, sizeBytes - got)) throw changedWhileRead();
      got += chunk.length;
      yield chunk;
    }
  } finally {
    // A read that is no longer awaited must not become an unhandled rejection.
    for (const read of inFlight) read.catch(() => undefined);
  }
}

/** @throws AppError `io` when the file is no longer what `before` describes */
export async function assertUnchanged(files: FileClient, token: FileToken, before: SourceFileInfo): Promise<void> {
  const now = await files.call('file.info', { token });
  const same =
    now.sizeBytes === before.sizeBytes &&
    now.modifiedAtMs === before.modifiedAtMs &&
    now.walSizeBytes === before.walSizeBytes;
  if (!same) throw changedWhileRead();
}

function changedWhileRead(): AppError {
  return AppError.io(
    'The file was changed by another program while it was being read, so the copy was discarded. Close the other program and open the file again.',
  );
}

/** Writes chunks in order with a few on their way. */
export class FileSink {
  readonly #files: FileClient;
  readonly #token: FileToken;
  readonly #inFlight: Promise<unknown>[] = [];

  constructor(files: FileClient, token: FileToken) {
    this.#files = files;
    this.#token = token;
  }

  /** Resolves when there is room for the next chunk. Takes the bytes: they are gone once they are written. */
  async write(bytes: Uint8Array): Promise<void> {
    // A message is copied whole, twice: a cell of any size is in the chunk.
    if (bytes.length > MOST_OF_MESSAGE) {
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) await this.#send(bytes.slice(at, at + CHUNK_BYTES));
      freeBuffer(bytes);
    } else await this.#send(bytes);
  }

  async #send(bytes: Uint8Array): Promise<void> {
    const written = this.#files.call('file.write', { token: this.#token, bytes });
    const settled = written.finally(() => freeBuffer(bytes));
    // Writes queued behind a failed one fail too, before they are awaited. In Node an unhandled rejection would end the engine's thread.
    settled.catch(() => undefined);
    this.#inFlight.push(settled);
    if (this.#inFlight.length >= WRITES_IN_FLIGHT) await this.#inFlight.shift();
  }

  /** Resolves when everything is written. */
  async settle(): Promise<void> {
    await Promise.all(this.#inFlight.splice(0));
  }

  /** Returns the name of the backup of the replaced file; null when none was kept. */
  async commit(): Promise<string | null> {
    await this.settle();
    return (await this.#files.call('file.close', { token: this.#token, commit: true })).backup;
  }

  async abort(): Promise<void> {
    await Promise.allSettled(this.#inFlight.splice(0));
    await letGo(this.#files, this.#token);
  }
}

/** Ends the use of a token; that it may already be dead does not matter. */
export async function letGo(files: FileClient, token: FileToken): Promise<void> {
  await files.call('file.close', { token, commit: false }).catch(() => undefined);
}
