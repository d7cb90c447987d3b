// Packs a stream of bytes into a ZIP file (PKWARE APPNOTE 6.3): entries one after the other, compressed by the platform, in constant memory.
import { AppError } from '#shared/protocol/errors.ts';
import { joined, crc32 } from '../records/bytes.ts';
import { ByteWriter } from './byte-writer.ts';
import type { ChunkSink } from './format.ts';

/** Start of an entry in the stream of bytes; it ends where the next one begins. */
export interface ZipEntry {
  readonly name: string;
  readonly start: number;
}

interface Packed {
  readonly name: Uint8Array;
  readonly offset: number;
  crc: number;
  sizeBytes: number;
  packedBytes: number;
}

/** Sizes and the checksum follow the content (bit 3); names are UTF-8 (bit 11). */
const FLAGS = 0x0808;
const DEFLATE = 8;
const VERSION = 20;
/** The earliest date that ZIP allows, so that the file is the same each time. */
const DATE = 0x0021;
const MAX_BYTES = 0xffff_ffff;
/** The platform's compressor returns much smaller pieces. */
const CHUNK_BYTES = 1024 * 1024;
const encoder = new TextEncoder();

export class ZipSink implements ChunkSink {
  readonly #sink: ChunkSink;
  /** Grows while bytes arrive; an entry exists before its first byte. */
  readonly #entries: readonly ZipEntry[];
  readonly #out = new ByteWriter();
  readonly #done: Packed[] = [];
  #next = 0;
  #read = 0;
  #written = 0;
  #current: { readonly packed: Packed; readonly deflater: Deflater } | null = null;

  constructor(sink: ChunkSink, entries: readonly ZipEntry[]) {
    this.#sink = sink;
    this.#entries = entries;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      if (this.#entries[this.#next]?.start === this.#read) await this.#begin(this.#entries[this.#next++]!);
      const end = Math.min(bytes.length, at + (this.#entries[this.#next]?.start ?? Infinity) - this.#read);
      const piece = bytes.subarray(at, end);
      const { packed, deflater } = this.#current!;
      packed.crc = crc32(packed.crc, piece);
      packed.sizeBytes += piece.length;
      if (packed.sizeBytes > MAX_BYTES) throw tooBig();
      await deflater.write(piece);
      this.#read += piece.length;
      at = end;
    }
  }

  async finish(): Promise<void> {
    await this.#end();
    const start = this.#written;
    for (const packed of this.#done) await this.#put(centralHeader(packed));
    if (this.#written > MAX_BYTES) throw tooBig();
    await this.#put(endRecord(this.#done.length, start, this.#written - start));
    await this.#sink.write(this.#out.take());
    await this.#sink.finish();
  }

  async #begin({ name }: ZipEntry): Promise<void> {
    await this.#end();
    const packed: Packed = { name: encoder.encode(name), offset: this.#written, crc: 0, sizeBytes: 0, packedBytes: 0 };
    await this.#put(localHeader(packed));
    const deflater = new Deflater(async (bytes) => {
      packed.packedBytes += bytes.length;
      await this.#put(bytes);
    });
    this.#current = { packed, deflater };
  }

  async #end(): Promise<void> {
    if (!this.#current) return;
    const { packed, deflater } = this.#current;
    this.#current = null;
    await deflater.end();
    if (packed.packedBytes > MAX_BYTES) throw tooBig();
    await this.#put(record([0x08074b50, 4], [packed.crc, 4], [packed.packedBytes, 4], [packed.sizeBytes, 4]));
    this.#done.push(packed);
  }

  async #put(bytes: Uint8Array): Promise<void> {
    this.#written += bytes.length;
    this.#out.bytes(bytes);
    if (this.#out.length >= CHUNK_BYTES) await this.#sink.write(this.#out.take());
  }
}

class Deflater {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #passedOn: Promise<void>;

  constructor(put: (bytes: Uint8Array) => Promise<void>) {
    const { readable, writable } = new CompressionStream('deflate-raw');
    this.#writer = writable.getWriter() as WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
    this.#passedOn = passOn(readable.getReader(), put);
    // The next write reports the error.
    this.#passedOn.catch(() => undefined);
  }

  async write(bytes: Uint8Array): Promise<void> {
    await Promise.race([this.#writer.write(bytes as Uint8Array<ArrayBuffer>), this.#passedOn]);
  }

  async end(): Promise<void> {
    await Promise.race([this.#writer.close(), this.#passedOn]);
    await this.#passedOn;
  }
}

async function passOn(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  put: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    await put(value);
  }
}

/** Little-endian numbers, each with its length in bytes. */
function record(...fields: readonly (readonly [number, 2 | 4])[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [, length]) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [value, length] of fields) {
    if (length === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += length;
  }
  return bytes;
}

function localHeader({ name }: Packed): Uint8Array {
  const unknown = [0, 4] as const;
  return joined([
    record(
      [0x04034b50, 4],
      [VERSION, 2],
      [FLAGS, 2],
      [DEFLATE, 2],
      [0, 2],
      [DATE, 2],
      unknown,
      unknown,
      unknown,
      [name.length, 2],
      [0, 2],
    ),
    name,
  ]);
}

function centralHeader({ name, crc, packedBytes, sizeBytes, offset }: Packed): Uint8Array {
  const none = [0, 2] as const;
  return joined([
    record(
      [0x02014b50, 4],
      [VERSION, 2],
      [VERSION, 2],
      [FLAGS, 2],
      [DEFLATE, 2],
      [0, 2],
      [DATE, 2],
      [crc, 4],
      [packedBytes, 4],
      [sizeBytes, 4],
      [name.length, 2],
      none,
      none,
      none,
      none,
      [0, 4],
      [offset, 4],
    ),
    name,
  ]);
}

const endRecord = (entries: number, start: number, sizeBytes: number): Uint8Array =>
  record([0x06054b50, 4], [0, 2], [0, 2], [entries, 2], [entries, 2], [sizeBytes, 4], [start, 4], [0, 2]);

const tooBig = (): AppError =>
  AppError.tooBig('A workbook holds at most 4 GB. The unfinished file was removed. Export fewer rows, or choose CSV.');
