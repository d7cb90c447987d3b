// Input and output of one log: joins neighboring writes, reads ahead where SQLite goes through the log, and knows what is not flushed.
import { AppError } from '#shared/protocol/errors.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';
import { JoinedWrites } from './joined-writes.ts';
import type { FileCalls } from './io-calls.ts';

/** At most so many bytes are read or written for this class's users. */
const OWN_BYTES = 32;

/** All functions that return a number return a result code. */
export class LogIo {
  readonly #sqlite: Sqlite;
  readonly #calls: FileCalls;
  readonly #file: Pointer;
  readonly #writes: JoinedWrites;
  /** Room for {@link OWN_BYTES}. */
  readonly #own: Pointer;
  /** While SQLite goes through the log: for a checkpoint, to recover it, or to compute checksums again. */
  #window: LogWindow | null = null;
  #inCheckpoint = false;
  #unflushed = true;

  /** @throws AppError `full` without memory for the buffers */
  constructor(sqlite: Sqlite, calls: FileCalls, file: Pointer) {
    this.#sqlite = sqlite;
    this.#calls = calls;
    this.#file = file;
    this.#own = sqlite.heap.allocate(OWN_BYTES);
    try {
      this.#writes = new JoinedWrites(sqlite, calls, file);
    } catch (error) {
      sqlite.heap.free(this.#own);
      throw error;
    }
  }

  write(source: Pointer, bytes: number, offset: number): number {
    // Bytes gathered before may be written now.
    this.#unflushed = true;
    if (this.#window?.write(source, bytes, offset)) return 0;
    return this.#leaveWindow() || this.#writes.add(source, bytes, offset);
  }

  /** @param isFrame a page with its header: only where it recovers a log, or computes checksums again, does SQLite read one */
  read(target: Pointer, bytes: number, offset: number, isFrame: boolean): number {
    const code = this.#writes.holds(offset, bytes) ? this.#writes.drain() : 0;
    if (code !== 0) return code;
    if (isFrame) this.#openWindow();
    if (this.#window !== null && (isFrame || this.#inCheckpoint)) return this.#window.read(target, bytes, offset);
    return this.#leaveWindow() || this.#calls.read(this.#file, target, bytes, BigInt(offset));
  }

  /** From here on nothing is written to the log until {@link endCheckpoint}. */
  beginCheckpoint(): void {
    this.#inCheckpoint = true;
    this.#openWindow();
  }

  endCheckpoint(): void {
    this.#inCheckpoint = false;
    this.#closeWindow();
  }

  /** Everything that was written reaches the file. */
  drain(): number {
    if (!this.#writes.isEmpty || this.#window?.isChanged) this.#unflushed = true;
    return this.#writes.drain() || (this.#window?.drain() ?? 0);
  }

  /** What has not reached the file never will. */
  drop(): void {
    this.#writes.drop();
    this.#closeWindow();
  }

  flush(flags: number): number {
    if (!this.#unflushed) return 0;
    const code = this.#calls.sync(this.#file, flags);
    this.#unflushed = code !== 0;
    return code;
  }

  truncate(size: number): number {
    this.#closeWindow();
    this.#unflushed = true;
    return this.#calls.truncate(this.#file, BigInt(size));
  }

  fileSize(out: Pointer): number {
    return this.drain() || this.#calls.fileSize(this.#file, out);
  }

  writeOwn(offset: number, bytes: Uint8Array): number {
    this.#sqlite.heap.bytes.set(bytes, this.#own);
    this.#unflushed = true;
    return this.#calls.write(this.#file, this.#own, bytes.length, BigInt(offset));
  }

  /** The bytes, or a result code. */
  readOwn(offset: number, bytes: number): Uint8Array | number {
    const code = this.#calls.read(this.#file, this.#own, bytes, BigInt(offset));
    return code === 0 ? this.#sqlite.heap.bytes.slice(this.#own, this.#own + bytes) : code;
  }

  close(): number {
    this.drain();
    this.#closeWindow();
    this.#writes.free();
    this.#sqlite.heap.free(this.#own);
    return this.#calls.close(this.#file);
  }

  /** Without memory for it, or where the size cannot be told, the log is read as it is asked for. */
  #openWindow(): void {
    const { heap, out } = this.#sqlite;
    if (this.#window !== null || this.fileSize(out) !== 0) return;
    try {
      this.#window = new LogWindow(this.#sqlite, this.#calls, this.#file, Number(heap.view.getBigInt64(out, true)));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }

  #leaveWindow(): number {
    if (this.#window === null) return 0;
    const code = this.#window.drain();
    this.#closeWindow();
    return code;
  }

  #closeWindow(): void {
    this.#window?.free();
    this.#window = null;
  }
}

const BUFFER_BYTES = 256 << 10;

/**
 * A part of a log in memory. It reads more than it is asked for while reads go on from one another, and what is written into it reaches
 * the file when it moves on.
 */
class LogWindow {
  readonly #sqlite: Sqlite;
  readonly #calls: FileCalls;
  readonly #file: Pointer;
  readonly #sizeBytes: number;
  readonly #buffer: Pointer;
  #at = 0;
  #bytes = 0;
  #isChanged = false;
  /** How much is read at once: twice as much each time that it was of use. */
  #span = 0;

  /**
   * @param sizeBytes of the file, which does not change meanwhile
   * @throws AppError `full` without memory for the buffer
   */
  constructor(sqlite: Sqlite, calls: FileCalls, file: Pointer, sizeBytes: number) {
    this.#sqlite = sqlite;
    this.#calls = calls;
    this.#file = file;
    this.#sizeBytes = sizeBytes;
    this.#buffer = sqlite.heap.allocate(BUFFER_BYTES);
  }

  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** @returns a result code, which may be of what was written before */
  read(target: Pointer, bytes: number, offset: number): number {
    if (!this.#holds(bytes, offset)) {
      const code = this.#move(bytes, offset);
      if (code !== 0) return code;
      if (!this.#holds(bytes, offset)) return this.#calls.read(this.#file, target, bytes, BigInt(offset));
    }
    const from = this.#buffer + offset - this.#at;
    this.#sqlite.heap.bytes.copyWithin(target, from, from + bytes);
    return 0;
  }

  /** False where the window does not have all of it. */
  write(source: Pointer, bytes: number, offset: number): boolean {
    if (!this.#holds(bytes, offset)) return false;
    this.#sqlite.heap.bytes.copyWithin(this.#buffer + offset - this.#at, source, source + bytes);
    return (this.#isChanged = true);
  }

  /** Writes what has changed, or forgets it after a failure. @returns a result code */
  drain(): number {
    if (!this.#isChanged) return 0;
    this.#isChanged = false;
    const code = this.#calls.write(this.#file, this.#buffer, this.#bytes, BigInt(this.#at));
    if (code !== 0) this.#bytes = 0;
    return code;
  }

  /** Forgets what has changed. */
  free(): void {
    this.#sqlite.heap.free(this.#buffer);
  }

  #holds(bytes: number, offset: number): boolean {
    return offset >= this.#at && offset + bytes <= this.#at + this.#bytes;
  }

  /** The part from `offset` on, where that is of use. */
  #move(bytes: number, offset: number): number {
    const code = this.drain();
    if (code !== 0) return code;
    const end = this.#at + this.#bytes;
    const isNear = offset <= end + bytes && offset + bytes > end;
    this.#span = isNear ? Math.min(BUFFER_BYTES, Math.max(bytes, this.#span * 2)) : bytes;
    const length = Math.min(this.#span, this.#sizeBytes - offset);
    if (length < bytes || length > BUFFER_BYTES) return 0;
    this.#at = offset;
    // Nothing of it counts after a failure.
    this.#bytes = 0;
    const read = this.#calls.read(this.#file, this.#buffer, length, BigInt(offset));
    if (read === 0) this.#bytes = length;
    return read;
  }
}
