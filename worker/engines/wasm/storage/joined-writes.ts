// Joins neighboring writes to one file: a call costs the same up to about a hundred kilobytes, and SQLite writes a page at a time.
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';
import type { FileCalls } from './io-calls.ts';

/** At least one page of the largest size, with its frame header. */
const BUFFER_BYTES = 128 << 10;

export class JoinedWrites {
  readonly #sqlite: Sqlite;
  readonly #calls: FileCalls;
  readonly #file: Pointer;
  readonly #buffer: Pointer;
  #at = 0;
  #bytes = 0;

  /** @throws AppError `full` without memory for the buffer */
  constructor(sqlite: Sqlite, calls: FileCalls, file: Pointer) {
    this.#sqlite = sqlite;
    this.#calls = calls;
    this.#file = file;
    this.#buffer = sqlite.heap.allocate(BUFFER_BYTES);
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Whether a part of this range is not in the file yet. */
  holds(offset: number, bytes: number): boolean {
    return offset + bytes > this.#at && offset < this.#at + this.#bytes;
  }

  /** @returns a result code, which may be of earlier bytes */
  add(source: Pointer, bytes: number, offset: number): number {
    if (offset !== this.#at + this.#bytes || this.#bytes + bytes > BUFFER_BYTES) {
      const code = this.drain();
      if (code !== 0) return code;
      this.#at = offset;
    }
    this.#sqlite.heap.bytes.copyWithin(this.#buffer + this.#bytes, source, source + bytes);
    this.#bytes += bytes;
    return 0;
  }

  /** Writes what has been gathered. After a failure it is gone: SQLite rolls back, and its reads must not fail because of an earlier write. */
  drain(): number {
    if (this.#bytes === 0) return 0;
    const bytes = this.#bytes;
    this.#bytes = 0;
    return this.#calls.write(this.#file, this.#buffer, bytes, BigInt(this.#at));
  }

  /** Forgets what has been gathered. */
  drop(): void {
    this.#bytes = 0;
  }

  free(): void {
    this.#sqlite.heap.free(this.#buffer);
  }
}
