// The part of a file that is being scanned: bytes that are not read to their end yet stay when more arrive.
import type { ByteSource } from '../../records/record-batch.ts';
import { decoderOf } from '../csv/utf8-stream.ts';
import { READING_LIMITS, type ReadingLimits } from '../reading-limits.ts';

const CHUNK_BYTES = 1 << 20;
/** Bytes of UTF-8 for each byte of another encoding. */
const MOST_OF_ONE = 3;

const LINE_FEED = 0x0a;
const encoder = new TextEncoder();

export class ByteWindow {
  bytes: Uint8Array = new Uint8Array(0);
  /** Position of the first unread byte in the window. The caller that reads moves it. */
  at = 0;
  /** End of the bytes in the window. */
  end = 0;
  /** The end of the file has been read. */
  isOver = false;
  readonly #source: ByteSource;
  readonly #chunkBytes: number;
  readonly #recordBytes: number;
  /** Null: the bytes are UTF-8 already. */
  readonly #decoder: TextDecoder | null;
  #offset = 0;

  /** @throws AppError `invalid`: no such encoding. */
  constructor(
    source: ByteSource,
    encoding: string,
    { recordBytes }: Pick<ReadingLimits, 'recordBytes'> = READING_LIMITS,
    chunkBytes = CHUNK_BYTES,
  ) {
    this.#source = source;
    this.#recordBytes = recordBytes;
    this.#chunkBytes = chunkBytes;
    this.#decoder = encoding.toLowerCase() === 'utf-8' ? null : decoderOf(encoding);
  }

  /** Bytes of the file read so far. */
  get bytesRead(): number {
    return Math.min(this.#source.sizeBytes, this.#offset);
  }

  get #left(): number {
    return this.end - this.at;
  }

  /** The unread bytes fill as much as one record may take. */
  get isTooMuch(): boolean {
    return this.#left >= this.#recordBytes;
  }

  /** Keeps the unread bytes and adds to them. Positions change. */
  async more(): Promise<void> {
    if (this.isOver) return;
    // A long record is scanned again from its beginning: reading twice as much each time keeps the total cost at twice its length.
    const wanted = Math.max(this.#chunkBytes, Math.min(this.#left, this.#recordBytes - this.#left));
    const most = this.#decoder === null ? 1 : MOST_OF_ONE;
    // Keeps room for one more byte, which `close` adds.
    this.#keepLeft(wanted + most * this.#chunkBytes + 1);
    const end = this.end + wanted;
    while (this.end < end && !this.isOver) await this.#readChunk();
  }

  async #readChunk(): Promise<void> {
    const raw = await this.#source.read(this.#offset, this.#chunkBytes);
    const isFirst = this.#offset === 0;
    this.#offset += raw.length;
    this.isOver = raw.length < this.#chunkBytes;
    const chunk = this.#decoder ? encoder.encode(this.#decoder.decode(raw, { stream: !this.isOver })) : raw;
    // A character that was cut off, and ends with the file.
    if (this.end + chunk.length + 1 > this.bytes.length) this.#keepLeft(chunk.length + 1);
    this.bytes.set(chunk, this.end);
    this.end += chunk.length;
    if (isFirst && startsWithMark(chunk)) this.at = 3;
  }

  /** Adds a line feed after the end of the file, so that the last line or number has an end. */
  close(): void {
    this.bytes[this.end++] = LINE_FEED;
  }

  /** Makes room after the unread bytes. */
  #keepLeft(room: number): void {
    const left = this.#left;
    const needed = left + room;
    if (needed > this.bytes.length || this.bytes.length > 8 * Math.max(needed, this.#chunkBytes)) {
      const other = new Uint8Array(Math.max(needed, this.#chunkBytes * 2 + 1));
      other.set(this.bytes.subarray(this.at, this.end));
      this.bytes = other;
    } else {
      this.bytes.copyWithin(0, this.at, this.end);
    }
    this.at = 0;
    this.end = left;
  }
}

/** The byte order mark of UTF-8. */
const startsWithMark = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
