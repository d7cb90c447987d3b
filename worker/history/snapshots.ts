// Copies of a whole database beside it, in the pool: for steps that cannot be taken back row by row.
import { AppError } from '#shared/protocol/errors.ts';
import type { StepId } from '#shared/protocol/history.ts';
import type { DatabaseId } from '#shared/protocol/library.ts';
import type { Connection } from '../engines/engine.ts';
import type { FilePool, FileWriter } from '../engines/wasm/file-pool.ts';
import type { SnapshotPart } from './store.ts';

/** Each is an open handle of the pool. */
export const MAX_SNAPSHOT_FILES = 24;

export type SnapshotPool = Pick<FilePool, 'names' | 'createWriter' | 'remove'>;

export class SnapshotFiles {
  readonly #pool: SnapshotPool;
  readonly #prefix: string;

  constructor(pool: SnapshotPool, database: DatabaseId) {
    this.#pool = pool;
    this.#prefix = snapshotPrefix(database);
  }

  nameOf(step: StepId, part: SnapshotPart): string {
    return `${this.#prefix}${step}-${part}`;
  }

  /** Answers its size, or null when it would be larger than `maxBytes`: nothing is left of it then. @throws AppError `full`, `io` */
  take(connection: Connection, file: string, maxBytes: number): number | null {
    if (connection.fileSizeBytes > maxBytes) return null;
    const writers: FileWriter[] = [];
    try {
      const copy = new Copy(this.#pool, file, maxBytes, writers);
      connection.copyCommitted((part, bytes) => copy.write(part, bytes));
      for (const writer of writers) writer.finish();
      return copy.sizeBytes;
    } catch (error) {
      for (const writer of writers.reverse()) writer.abort();
      this.#pool.remove(file);
      if (error instanceof TooLarge) return null;
      throw error;
    }
  }

  has(file: string): boolean {
    return this.#pool.names().includes(file);
  }

  /** Opening a copy moves its log into it, and leaves an empty one: a handle for nothing. */
  removeLog(file: string): void {
    this.#pool.remove(`${file}-wal`);
  }

  remove(file: string): void {
    this.#pool.remove(file);
  }

  /** What a crash may have left: files that no step knows. */
  removeOthers(known: ReadonlySet<string>): void {
    for (const name of this.#pool.names())
      if (name.startsWith(this.#prefix) && !known.has(name.replace(/-wal$/, ''))) this.#pool.remove(name);
  }
}

export function snapshotPrefix(database: DatabaseId): string {
  return `/snapshot-${database}-`;
}

class Copy {
  sizeBytes = 0;
  readonly #pool: SnapshotPool;
  readonly #file: string;
  readonly #maxBytes: number;
  readonly #writers: FileWriter[];
  #part: 'file' | 'wal' | null = null;

  constructor(pool: SnapshotPool, file: string, maxBytes: number, writers: FileWriter[]) {
    this.#pool = pool;
    this.#file = file;
    this.#maxBytes = maxBytes;
    this.#writers = writers;
  }

  write(part: 'file' | 'wal', bytes: Uint8Array): void {
    this.sizeBytes += bytes.length;
    if (this.sizeBytes > this.#maxBytes) throw new TooLarge();
    if (part !== this.#part)
      this.#writers.push(this.#pool.createWriter(part === 'file' ? this.#file : `${this.#file}-wal`));
    this.#part = part;
    this.#writers.at(-1)!.write(bytes);
  }
}

class TooLarge extends Error {}

export function snapshotGone(): AppError {
  return new AppError({
    code: 'not-found',
    message: 'The copy that was kept for this step is no longer there, so it cannot be used. Nothing was changed.',
  });
}
