// Input and output of one log: joins neighboring writes, reads ahead where SQLite goes through the log, and knows what is not flushed.
import { AppError } from '#shared/protocol/errors.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';
import { JoinedWrites } from './joined-writes.ts';
import type { FileCalls } from './io-calls.ts';
import { LogWindow } from './log-window.ts';

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
