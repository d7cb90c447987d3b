// Copies of a whole database beside it, in the pool: for steps that cannot be undone row by row.
import { AppError } from '#shared/protocol/errors.ts';
import type { StepId } from '#shared/protocol/history.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Connection, CommittedPiece } from '../engines/engine.ts';
import type { FilePool, FileWriter } from '../engines/wasm/storage/file-pool.ts';

/** Each is an open handle of the pool. */
export const MAX_SNAPSHOT_FILES = 24;

type SnapshotPool = Pick<FilePool, 'names' | 'createWriter' | 'remove'>;

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

  /** Returns its size, or null when it would be larger than `maxBytes`; the partial file is then removed. @throws AppError `full`, `io` */
  take(connection: Connection, file: string, maxBytes: number): number | null {
    if (connection.fileSizeBytes > maxBytes) return null;
    let sizeBytes = 0;
    for (sizeBytes of this.copy(connection, file)) if (sizeBytes > maxBytes) return null;
    return sizeBytes;
  }

  /** Yields its size as it grows. If the caller stops early, the partial file is removed. @throws AppError `full`, `io` */
  *copy(connection: Connection, file: string): Generator<number, void> {
    const writers = new Map<CommittedPiece['part'], FileWriter>();
    let sizeBytes = 0;
    let isWhole = false;
    try {
      for (const { part, bytes } of connection.copyCommitted()) {
        if (!writers.has(part)) writers.set(part, this.#pool.createWriter(part === 'file' ? file : `${file}-wal`));
        writers.get(part)!.write(bytes);
        sizeBytes += bytes.length;
        yield sizeBytes;
      }
      for (const writer of writers.values()) writer.finish();
      isWhole = true;
    } finally {
      if (!isWhole) this.#abort(file, [...writers.values()]);
    }
  }

  #abort(file: string, writers: readonly FileWriter[]): void {
    for (const writer of [...writers].reverse()) writer.abort();
    this.#pool.remove(file);
  }

  has(file: string): boolean {
    return this.#pool.names().includes(file);
  }

  /** Opening a copy moves its WAL into it and leaves an empty WAL, which would waste a handle. */
  removeLog(file: string): void {
    this.#pool.remove(`${file}-wal`);
  }

  remove(file: string): void {
    this.#pool.remove(file);
  }

  /** Files without a step, which a crash may have left. */
  removeOthers(known: ReadonlySet<string>): void {
    for (const name of this.#pool.names())
      if (name.startsWith(this.#prefix) && !known.has(name.replace(/-wal$/, ''))) this.#pool.remove(name);
  }
}

function snapshotPrefix(database: DatabaseId): string {
  return `/snapshot-${database}-`;
}

export function snapshotGone(): AppError {
  return AppError.notFound(
    'The copy that was kept for this step no longer exists, so it cannot be used. Nothing was changed.',
  );
}

// Lists the copies of the whole database that the history keeps for steps without a row log.

export type SnapshotPart = 'before' | 'after';

export interface Snapshot {
  readonly step: StepId;
  readonly part: SnapshotPart;
  readonly file: string;
  readonly sizeBytes: number;
}

/** Belongs to `user_version` 1, like all tables of {@link HistoryStore} that hold steps. */
export const SNAPSHOT_SCHEMA = `CREATE TABLE snapshots (
     step INTEGER NOT NULL, part TEXT NOT NULL, file TEXT NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (step, part)
   ) STRICT, WITHOUT ROWID`;

export class SnapshotTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Oldest step first. */
  get all(): readonly Snapshot[] {
    return this.#connection
      .all('SELECT step, part, file, size FROM snapshots ORDER BY step, part')
      .map(([step, part, file, size]) => ({
        step: Number(step),
        part: part as SnapshotPart,
        file: String(file),
        sizeBytes: Number(size),
      }));
  }

  of(step: StepId, part: SnapshotPart): Snapshot | null {
    const row = this.#connection.one('SELECT file, size FROM snapshots WHERE step = ? AND part = ?', [step, part]);
    return row && { step, part, file: String(row[0]), sizeBytes: Number(row[1]) };
  }

  add({ step, part, file, sizeBytes }: Snapshot): void {
    this.#connection.run('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)', [step, part, file, sizeBytes]);
  }

  remove({ step, part }: Snapshot): void {
    this.#connection.run('DELETE FROM snapshots WHERE step = ? AND part = ?', [step, part]);
  }
}
