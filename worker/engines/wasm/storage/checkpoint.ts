// One checkpoint, from the moment SQLite begins to move pages from the log into the database file until it has moved the last
// (`walCheckpoint` of wal.c). It moves one page at a time; here they are read and written in large pieces. Nothing else reads or writes
// either file meanwhile, because the connection has both for itself.
import { AppError } from '#shared/protocol/errors.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';
import type { FileCalls } from './io-calls.ts';
import { JoinedWrites } from './joined-writes.ts';
import type { LogFile } from './log-file.ts';

export class Checkpoint {
  readonly #writes: JoinedWrites;
  readonly #log: LogFile;

  /** @param file of the database @throws AppError `full` without memory for a buffer */
  constructor(sqlite: Sqlite, calls: FileCalls, { file, log }: { readonly file: Pointer; readonly log: LogFile }) {
    this.#writes = new JoinedWrites(sqlite, calls, file);
    this.#log = log;
    log.beginCheckpoint();
  }

  /** Null without memory for a buffer: then pages are moved one at a time. */
  static begin(...args: ConstructorParameters<typeof Checkpoint>): Checkpoint | null {
    try {
      return new Checkpoint(...args);
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  write(source: Pointer, bytes: number, offset: number): number {
    // SQLite reads a page from the log and writes it, one after the other.
    return this.#log.takeSkipped() ? 0 : this.#writes.add(source, bytes, offset);
  }

  /** All pages are moved, or moving them has failed. @returns a result code */
  end(): number {
    const code = this.#writes.drain();
    this.#writes.free();
    this.#log.endCheckpoint();
    return code;
  }
}
