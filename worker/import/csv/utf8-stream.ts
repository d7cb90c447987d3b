// The bytes of a source as UTF-8, whatever its encoding is, without the byte order mark at its beginning.
import { AppError } from '#shared/protocol/errors.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import { freeBuffer, ownBuffer } from '../../threads/free-buffer.ts';
import { Utf32Decoder, type Decoder } from './utf32-decoder.ts';

export interface Utf8Stream {
  /** Bytes read from the source. */
  readonly bytesRead: number;
  /** Limit on the bytes that are added at once. */
  readonly chunkBytes: number;
  /** Writes what comes next at `at`, where there is room for `chunkBytes`. 0: the end. */
  readInto(target: Uint8Array, at: number): Promise<number>;
}

/** @throws AppError `invalid`: no such encoding. */
export function openUtf8(source: ByteSource, encoding: string, chunkBytes: number): Utf8Stream {
  const chunks = new Chunks(source, chunkBytes);
  switch (encoding.toLowerCase()) {
    case 'utf-8':
    case 'ascii':
      return new PlainStream(chunks);
    case 'utf-32le':
      return new DecodedStream(chunks, new Utf32Decoder(false));
    case 'utf-32be':
      return new DecodedStream(chunks, new Utf32Decoder(true));
    default:
      return new DecodedStream(chunks, decoderOf(encoding));
  }
}

function letGo(bytes: Uint8Array): void {
  const buffer = ownBuffer(bytes);
  if (buffer !== null) freeBuffer(new Uint8Array(buffer));
}

/** Reads one chunk ahead: the disk works while the processor does. */
class Chunks {
  readonly #source: ByteSource;
  readonly chunkBytes: number;
  /** Length of the next chunk. The first one has room for a byte order mark. */
  #length: number;
  #offset = 0;
  #ahead: Promise<Uint8Array> | null = null;
  bytesRead = 0;

  constructor(source: ByteSource, chunkBytes: number) {
    this.#source = source;
    this.chunkBytes = Math.max(chunkBytes, 3);
    this.#length = this.chunkBytes;
    this.#ahead = this.#read();
    this.#length = chunkBytes;
  }

  async next(): Promise<Uint8Array> {
    const bytes = await (this.#ahead ?? new Uint8Array(0));
    this.bytesRead += bytes.length;
    // The source is read once more at the end, where it detects whether the file has changed in the meantime.
    this.#ahead = bytes.length === 0 ? null : this.#read();
    return bytes;
  }

  #read(): Promise<Uint8Array> {
    const bytes = this.#source.read(this.#offset, this.#length);
    this.#offset += this.#length;
    // A failure is reported when the chunk is requested; an abandoned reader requests no more.
    bytes.catch(() => undefined);
    return bytes;
  }
}

class PlainStream implements Utf8Stream {
  readonly #chunks: Chunks;
  #isFirst = true;

  constructor(chunks: Chunks) {
    this.#chunks = chunks;
  }

  get bytesRead(): number {
    return this.#chunks.bytesRead;
  }

  get chunkBytes(): number {
    return this.#chunks.chunkBytes;
  }

  async readInto(target: Uint8Array, at: number): Promise<number> {
    let bytes = await this.#chunks.next();
    if (this.#isFirst) {
      this.#isFirst = false;
      if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
        bytes = bytes.subarray(3);
        if (bytes.length === 0) bytes = await this.#chunks.next();
      }
    }
    target.set(bytes, at);
    const { length } = bytes;
    letGo(bytes);
    return length;
  }
}

const encoder = new TextEncoder();

class DecodedStream implements Utf8Stream {
  readonly #chunks: Chunks;
  readonly #decoder: Decoder;

  constructor(chunks: Chunks, decoder: Decoder) {
    this.#chunks = chunks;
    this.#decoder = decoder;
  }

  get bytesRead(): number {
    return this.#chunks.bytesRead;
  }

  /** A byte becomes three at most (`€` of Windows-1252), and a few are held back from chunk to chunk. */
  get chunkBytes(): number {
    return this.#chunks.chunkBytes * 3 + 16;
  }

  async readInto(target: Uint8Array, at: number): Promise<number> {
    for (;;) {
      const bytes = await this.#chunks.next();
      const { length } = bytes;
      const text = this.#decoder.decode(bytes, { stream: length > 0 });
      letGo(bytes);
      if (text.length > 0) return encoder.encodeInto(text, target.subarray(at)).written;
      if (length === 0) return 0;
    }
  }
}

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    throw new AppError({ code: 'invalid', message: `The encoding “${encoding}” is not known. Choose another one.` });
  }
}
