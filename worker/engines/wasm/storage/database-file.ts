// The file of one connection and its log: as bytes, and the name of the last commit.
import { AppError } from '#shared/protocol/errors.ts';
import type { CommittedPiece, LogMoved, Connection } from '../../engine.ts';
import { fileMark, logMark, type LogFile } from './log-file.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { LogLayer } from './log-layer.ts';
import type { Pointer } from '../runtime/raw.ts';
import { VfsFile } from './vfs-file.ts';

const FileControl = { filePointer: 7, journalPointer: 28 } as const;
/** SQLITE_TXN_WRITE */
const WRITING = 2;
const HEADER_BYTES = 100;
const CHUNK_BYTES = 1 << 20;

export class DatabaseFile {
  readonly main: VfsFile;
  readonly #sqlite: Sqlite;
  readonly #db: Pointer;
  readonly #logs: LogLayer | null;
  readonly #file: Pointer;

  /** @param logs null in memory */
  constructor(sqlite: Sqlite, db: Pointer, logs: LogLayer | null) {
    this.#sqlite = sqlite;
    this.#db = db;
    this.#logs = logs;
    this.#file = this.#pointer(FileControl.filePointer);
    this.main = new VfsFile(sqlite, this.#file);
  }

  /** Null as long as nothing was read, and in other journal modes. */
  get log(): LogFile | null {
    return this.#logs?.of(this.#file)?.log ?? null;
  }

  /** Call before the connection is closed. */
  closing(): void {
    const known = this.#logs?.of(this.#file);
    if (known) known.closing = true;
  }

  get commitMark(): string {
    const mark = this.log?.mark ?? null;
    return mark === null ? fileMark(this.main.read(0, HEADER_BYTES)) : logMark(mark);
  }

  /**
   * Moves what is committed from the log into the file, until another journal mode is chosen or a piece of it fails.
   * @param pieceMs how long a piece takes
   * @throws AppError `full` without memory for its buffers
   */
  *moveLog(pieceMs: number): Generator<LogMoved, void> {
    const { log } = this;
    const move = this.#logs?.moveOf(this.#file);
    if (!log || !move) return;
    try {
      while (this.log === log && move.step(performance.now() + pieceMs).isMore)
        yield { doneBytes: log.moved * log.frameBytes, totalBytes: log.committedBytes };
    } finally {
      move.free();
    }
  }

  *copyCommitted(): Generator<CommittedPiece, void> {
    const { log } = this;
    if (log === null && this.#isWriting()) {
      throw AppError.unavailable(
        'Only a database in WAL mode can be copied while a transaction is open. Commit or roll back the transaction first.',
      );
    }
    yield* piecesOf('file', this.main, this.main.sizeBytes);
    if (log === null || log.committedBytes === 0) return;
    const file = new VfsFile(this.#sqlite, this.#pointer(FileControl.journalPointer));
    yield* piecesOf('wal', file, log.committedBytes);
  }

  /** Whether or not it is in use. */
  readWal(offset: number, length: number): Uint8Array {
    if (this.log === null) return new Uint8Array();
    return new VfsFile(this.#sqlite, this.#pointer(FileControl.journalPointer)).read(offset, length);
  }

  #isWriting(): boolean {
    return this.#withMain((schema) => this.#sqlite.raw.sqlite3_txn_state(this.#db, schema)) === WRITING;
  }

  #pointer(operation: number): Pointer {
    const { raw, heap, out } = this.#sqlite;
    return this.#withMain((schema) => {
      raw.sqlite3_file_control(this.#db, schema, operation, out);
      return heap.pointerAt(out);
    });
  }

  #withMain<T>(body: (schema: Pointer) => T): T {
    const { heap } = this.#sqlite;
    const schema = heap.allocateText('main');
    try {
      return body(schema.pointer);
    } finally {
      heap.free(schema.pointer);
    }
  }
}

function* piecesOf(part: CommittedPiece['part'], file: VfsFile, sizeBytes: number): Generator<CommittedPiece, void> {
  for (let done = 0; done < sizeBytes; done += CHUNK_BYTES)
    yield { part, bytes: file.read(done, Math.min(CHUNK_BYTES, sizeBytes - done)) };
}

// A commit whose checkpoint pauses now and then: otherwise SQLite makes it within COMMIT, which takes seconds for gigabytes.

interface Committing extends Pick<Connection, 'one' | 'run'> {
  readonly isOpen: boolean;
}

/** See {@link Connection.commitInPieces}. */
export function* commitInPieces(
  connection: Committing,
  file: DatabaseFile,
  commit: () => void,
  pieceMs: number,
): Generator<LogMoved, void> {
  const mostFrames = Number(connection.one('PRAGMA wal_autocheckpoint')?.[0] ?? 0);
  connection.run('PRAGMA wal_autocheckpoint = 0');
  try {
    commit();
    if (mostFrames > 0 && (file.log?.frames ?? 0) >= mostFrames) yield* checkpoint(connection, file, pieceMs);
  } finally {
    if (connection.isOpen) connection.run(`PRAGMA wal_autocheckpoint = ${mostFrames}`);
  }
}

function* checkpoint(connection: Committing, file: DatabaseFile, pieceMs: number): Generator<LogMoved, void> {
  try {
    yield* file.moveLog(pieceMs);
    if (connection.isOpen) connection.run('PRAGMA wal_checkpoint(PASSIVE)');
  } catch (error) {
    // As after a COMMIT whose checkpoint fails: nothing is lost, and the next one tries again.
    if (!(error instanceof AppError)) throw error;
  }
}
