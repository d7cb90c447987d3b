// The bytes of one entry of a ZIP file, a piece at a time.
import { AppError } from '#shared/protocol/errors.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import { damaged, viewOf, type ZipEntry } from './zip-directory.ts';

const HEADER_SIGNATURE = 0x04034b50;
const HEADER_BYTES = 30;
const READ_BYTES = 1 << 20;
/** Bytes decompressed at once: deflate makes at most 1,032 bytes of one (zlib.net/zlib_tech.html), and all of it waits in memory. */
const FEED_BYTES = 1 << 14;

export interface ZipStream {
  /** Compressed bytes read. */
  readonly bytesRead: number;
  /** The next piece; null at the end. @throws AppError `invalid` where the data is damaged or longer than the table of contents says. */
  next(): Promise<Uint8Array | null>;
  /** Ends the stream early. */
  close(): void;
}

/** @throws AppError `invalid`, `unavailable` (how it is compressed or encrypted) */
export async function openZipEntry(source: ByteSource, entry: ZipEntry): Promise<ZipStream> {
  if (entry.isEncrypted)
    throw AppError.unavailable('The file is protected by a password. Save it without one and try again.');
  if (entry.method !== 0 && entry.method !== 8)
    throw AppError.unavailable(
      `The file is compressed by a method (${entry.method}) that Sidelite cannot read. Save it again.`,
    );
  const feed = new Feed(source, await dataStart(source, entry), entry.compressedBytes);
  const raw = new ReadableStream<Uint8Array<ArrayBuffer>>(
    { pull: (controller) => feed.pull(controller) },
    { highWaterMark: 0 },
  );
  const plain: ReadableStream<Uint8Array> =
    entry.method === 8 ? raw.pipeThrough(new DecompressionStream('deflate-raw')) : raw;
  return new EntryStream(feed, plain.getReader(), entry.sizeBytes);
}

/** Where the data of an entry begins, after its own header. @throws AppError `invalid` */
export async function dataStart(source: ByteSource, { offset }: ZipEntry): Promise<number> {
  const header = await source.read(offset, HEADER_BYTES);
  const view = viewOf(header);
  if (header.length < HEADER_BYTES || view.getUint32(0, true) !== HEADER_SIGNATURE) throw damaged();
  return offset + HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
}

class Feed {
  readonly #source: ByteSource;
  readonly #start: number;
  readonly #length: number;
  #chunk = new Uint8Array();
  #at = 0;
  bytesRead = 0;
  /** Error of the source; the decompressor would call it damaged data. */
  failure: unknown = null;

  constructor(source: ByteSource, start: number, length: number) {
    this.#source = source;
    this.#start = start;
    this.#length = length;
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> {
    if (this.#at === this.#chunk.length) await this.#read();
    if (this.#chunk.length === 0) {
      controller.close();
      return;
    }
    const end = Math.min(this.#chunk.length, this.#at + FEED_BYTES);
    controller.enqueue(this.#chunk.slice(this.#at, end));
    this.bytesRead += end - this.#at;
    this.#at = end;
  }

  async #read(): Promise<void> {
    const length = Math.min(READ_BYTES, this.#length - this.bytesRead);
    this.#at = 0;
    if (length <= 0) {
      this.#chunk = new Uint8Array();
      return;
    }
    try {
      this.#chunk = new Uint8Array(await this.#source.read(this.#start + this.bytesRead, length));
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

class EntryStream implements ZipStream {
  readonly #feed: Feed;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #left: number;

  constructor(feed: Feed, reader: ReadableStreamDefaultReader<Uint8Array>, sizeBytes: number) {
    this.#feed = feed;
    this.#reader = reader;
    this.#left = sizeBytes;
  }

  get bytesRead(): number {
    return this.#feed.bytesRead;
  }

  async next(): Promise<Uint8Array | null> {
    const { value, done } = await this.#reader.read().catch((error: unknown) => {
      throw this.#feed.failure ?? damagedData(error);
    });
    if (done) return null;
    this.#left -= value.length;
    if (this.#left < 0) {
      this.close();
      throw AppError.invalid('The file is damaged or hostile: there is more in it than its table of contents says.');
    }
    return value;
  }

  close(): void {
    // A caller that closes the stream does not want its errors either.
    this.#reader.cancel().catch(() => undefined);
  }
}

/** Handles any failure of the decompressor, which only knows that the bytes are not a deflate stream, or end early. */
function damagedData(cause: unknown): AppError {
  const error = AppError.invalid('The file is damaged: its compressed data cannot be read.');
  error.cause = cause;
  return error;
}
