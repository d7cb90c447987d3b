// The file of an open database and its WAL as bytes, past SQLite.
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { CommittedPiece } from '../engine.ts';

const CHUNK_BYTES = 4 << 20;

/**
 * Kept open as long as the connection: when a process closes any descriptor of a file, the system drops every lock that
 * process holds on it, SQLite's too (sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
 */
export class DatabaseFile {
  readonly #path: string;
  /** From the beginning: the file may be moved away. */
  readonly #descriptor: number;
  #wal: number | null = null;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'r');
  }

  get sizeBytes(): number {
    return fstatSync(this.#descriptor).size;
  }

  read(offset: number, length: number): Uint8Array {
    return readFully(this.#descriptor, offset, Math.max(0, Math.min(length, this.sizeBytes - offset)));
  }

  /** What the header says of the last commit: change counter, page count, and the counter the page count was right for. */
  get changeCounter(): string {
    const header = Buffer.from(this.read(0, 96));
    return `${header.toString('hex', 24, 32)} ${header.toString('hex', 92, 96)}`;
  }

  /** Another one as soon as somebody writes. */
  get stamp(): string {
    const { size, mtimeNs } = fstatSync(this.#descriptor, { bigint: true });
    return `${size}:${mtimeNs}`;
  }

  get walSizeBytes(): number {
    return existsSync(this.#walPath) ? statSync(this.#walPath).size : 0;
  }

  filePieces(): Generator<CommittedPiece, void> {
    return piecesOf('file', this.#descriptor);
  }

  *walPieces(): Generator<CommittedPiece, void> {
    if (this.walSizeBytes === 0) return;
    this.#wal ??= openSync(this.#walPath, 'r');
    yield* piecesOf('wal', this.#wal);
  }

  /** Only after SQLite has closed the file. */
  close(): void {
    closeSync(this.#descriptor);
    if (this.#wal !== null) closeSync(this.#wal);
  }

  get #walPath(): string {
    return `${this.#path}-wal`;
  }
}

function* piecesOf(part: CommittedPiece['part'], descriptor: number): Generator<CommittedPiece, void> {
  const { size } = fstatSync(descriptor);
  for (let offset = 0; offset < size; offset += CHUNK_BYTES) {
    yield { part, bytes: readFully(descriptor, offset, Math.min(CHUNK_BYTES, size - offset)) };
  }
}

function readFully(descriptor: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const count = readSync(descriptor, bytes, done, length - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  return done === length ? bytes : bytes.subarray(0, done);
}
