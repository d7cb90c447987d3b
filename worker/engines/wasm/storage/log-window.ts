// A part of a log in memory. It reads more than it is asked for while reads go on from one another, and what is written into it reaches
// the file when it moves on.
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';
import type { FileCalls } from './io-calls.ts';

const BUFFER_BYTES = 256 << 10;

export class LogWindow {
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
