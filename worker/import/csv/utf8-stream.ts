// The bytes of a source as UTF-8, whatever its encoding is, without the byte order mark at its beginning. Where the beginning does not tell the
// encoding, because it is ASCII, the first bytes that are not tell it.
import { AppError } from '#shared/protocol/errors.ts';
import { joined } from '../../records/bytes.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import { freeBuffer, ownBuffer } from '../../threads/free-buffer.ts';
import { detectEncoding } from './detect-encoding.ts';
import { asciiEnd } from './odd-bytes.ts';

/** The label of an encoding that the sample leaves open: everything in it is ASCII. */
export const FOUND_WHILE_READING = 'ascii';

/** An encoding, and where the first text that tells of it is: the position in memory it was written to. */
export interface FoundEncoding {
  readonly encoding: string;
  readonly at: number;
}

export interface Utf8Stream {
  /** Set where a piece is the first one that tells an encoding other than UTF-8. */
  readonly found?: FoundEncoding | null;
  /** Set where a piece has the first U+FFFD, which stands for bytes that are no character of the encoding. */
  readonly replaced?: FoundEncoding | null;
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
      return new PlainStream(chunks);
    case FOUND_WHILE_READING:
      return new OpenStream(chunks);
    case 'utf-32le':
      return new DecodedStream(chunks, new Utf8Writer(encoding, new Utf32Decoder(false)));
    case 'utf-32be':
      return new DecodedStream(chunks, new Utf8Writer(encoding, new Utf32Decoder(true)));
    default:
      return new DecodedStream(chunks, new Utf8Writer(encoding, decoderOf(encoding)));
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
/** Bytes that tell an encoding, from the first one that is not ASCII. */
const EVIDENCE_BYTES = 64 * 1024;
/** Bytes before them, because an accent in a word is another sign than a word of accents. */
const CONTEXT_BYTES = 1024;
/** Enough for one character of any encoding. */
const FEWEST_BYTES = 8;
/** A byte becomes three at most (`€` of Windows-1252), and a few are held back from chunk to chunk. */
const [MOST_OF_ONE, HELD_BACK] = [3, 16];

/** Decodes pieces and writes them as UTF-8. */
class Utf8Writer {
  readonly #encoding: string;
  readonly #decoder: Decoder;
  #hasReplaced = false;
  /** Where the last piece has the first U+FFFD of the file. */
  replaced: FoundEncoding | null = null;

  constructor(encoding: string, decoder: Decoder) {
    this.#encoding = encoding;
    this.#decoder = decoder;
  }

  /** @param bytes the next ones; none at the end of the file. Returns the bytes written. */
  write(bytes: Uint8Array, target: Uint8Array, at: number): number {
    const text = this.#decoder.decode(bytes, { stream: bytes.length > 0 });
    const place = this.#hasReplaced ? -1 : text.indexOf('\ufffd');
    this.replaced = null;
    if (place >= 0) {
      this.#hasReplaced = true;
      this.replaced = { encoding: this.#encoding, at: at + encoder.encode(text.slice(0, place)).length };
    }
    return encoder.encodeInto(text, target.subarray(at)).written;
  }
}

/** ASCII up to the first byte that is not: this one and those after it tell the encoding of all the rest. */
class OpenStream implements Utf8Stream {
  readonly #chunks: Chunks;
  #isRecognized = false;
  /** Null: UTF-8. */
  #writer: Utf8Writer | null = null;
  /** Bytes that were read and not yet decoded. */
  #rest: Uint8Array = new Uint8Array(0);
  found: FoundEncoding | null = null;

  constructor(chunks: Chunks) {
    this.#chunks = chunks;
  }

  get bytesRead(): number {
    return this.#chunks.bytesRead;
  }

  get chunkBytes(): number {
    return this.#chunks.chunkBytes + HELD_BACK;
  }

  get replaced(): FoundEncoding | null {
    return this.#writer?.replaced ?? null;
  }

  async readInto(target: Uint8Array, at: number): Promise<number> {
    this.found = null;
    if (this.#isRecognized) return this.#decodeInto(target, at);
    const bytes = await this.#chunks.next();
    const ascii = asciiEnd(bytes);
    target.set(bytes.subarray(0, ascii), at);
    const before = bytes.slice(Math.max(0, ascii - CONTEXT_BYTES), ascii);
    if (ascii < bytes.length) await this.#recognize(before, bytes.slice(ascii), at + ascii);
    letGo(bytes);
    return ascii === 0 && this.#isRecognized ? this.#decodeInto(target, at) : ascii;
  }

  /** @param bytes from the first one that is not ASCII, which is to be written to `at`; `before`: what is before them */
  async #recognize(before: Uint8Array, bytes: Uint8Array, at: number): Promise<void> {
    this.#rest = bytes;
    let isWhole = false;
    while (this.#rest.length < FEWEST_BYTES && !isWhole) {
      const more = await this.#chunks.next();
      isWhole = more.length === 0;
      this.#rest = joined([this.#rest, more]);
    }
    const evidence = joined([before, this.#rest.subarray(0, EVIDENCE_BYTES)]);
    const { encoding } = detectEncoding({ fileName: '', bytes: evidence, isWhole });
    this.#isRecognized = true;
    if (encoding === 'utf-8') return;
    this.#writer = new Utf8Writer(encoding, decoderOf(encoding));
    this.found = { encoding, at };
  }

  async #decodeInto(target: Uint8Array, at: number): Promise<number> {
    const { chunkBytes } = this.#chunks;
    for (;;) {
      if (this.#rest.length === 0) this.#rest = await this.#chunks.next();
      const most = this.#writer === null ? chunkBytes : Math.max(1, Math.floor(chunkBytes / MOST_OF_ONE));
      const bytes = this.#rest.subarray(0, most);
      this.#rest = this.#rest.subarray(bytes.length);
      if (this.#writer === null) {
        target.set(bytes, at);
        return bytes.length;
      }
      const written = this.#writer.write(bytes, target, at);
      if (written > 0 || bytes.length === 0) return written;
    }
  }
}

class DecodedStream implements Utf8Stream {
  readonly #chunks: Chunks;
  readonly #writer: Utf8Writer;

  constructor(chunks: Chunks, writer: Utf8Writer) {
    this.#chunks = chunks;
    this.#writer = writer;
  }

  get bytesRead(): number {
    return this.#chunks.bytesRead;
  }

  get chunkBytes(): number {
    return this.#chunks.chunkBytes * MOST_OF_ONE + HELD_BACK;
  }

  get replaced(): FoundEncoding | null {
    return this.#writer.replaced;
  }

  async readInto(target: Uint8Array, at: number): Promise<number> {
    for (;;) {
      const bytes = await this.#chunks.next();
      const { length } = bytes;
      const written = this.#writer.write(bytes, target, at);
      letGo(bytes);
      if (written > 0 || length === 0) return written;
    }
  }
}

/** @throws AppError `invalid` */
export function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    throw AppError.invalid(`The encoding “${encoding}” is not known. Choose another one.`);
  }
}

// Decodes UTF-32, which TextDecoder does not support.

/** The part of TextDecoder that is used. */
interface Decoder {
  decode(bytes: Uint8Array, options: { readonly stream: boolean }): string;
}

/** Leaves out the byte order mark; anything that is not a character becomes U+FFFD, once for bytes that are missing at the end. */
export class Utf32Decoder implements Decoder {
  readonly #isBigEndian: boolean;
  #left: number[] = [];
  #isFirst = true;

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  decode(bytes: Uint8Array, { stream }: { readonly stream: boolean }): string {
    const all = new Uint8Array(this.#left.length + bytes.length);
    all.set(this.#left);
    all.set(bytes, this.#left.length);
    const whole = all.length - (all.length % 4);
    this.#left = [...all.subarray(whole)];
    const view = new DataView(all.buffer);
    let text = '';
    for (let at = 0; at < whole; at += 4) {
      const point = view.getUint32(at, !this.#isBigEndian);
      if (this.#isFirst && point === 0xfeff) {
        this.#isFirst = false;
        continue;
      }
      this.#isFirst = false;
      text += point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ? '\ufffd' : String.fromCodePoint(point);
    }
    if (stream || this.#left.length === 0) return text;
    this.#left = [];
    return `${text}\ufffd`;
  }
}
