// The file of an open database and the files beside it, as bytes, bypassing SQLite.
import { endianness } from 'node:os';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { AppError } from '#shared/protocol/errors.ts';
import type { CommittedPiece } from '../../engine.ts';
import type { RunningCheckpoint } from './checkpoint-thread.ts';

/** Other work gets its turn between two chunks. */
const CHUNK_BYTES = 1 << 20;
/** Size of the first header in the shared-memory file (sqlite.org/walformat.html#the_wal_index_header). */
const INDEX_BYTES = 48;
const MAX_LOOKS = 1000;
/** File format version of a database in WAL mode. */
const WAL_VERSION = 2;
/** Sizes of the headers of the WAL and of each of its frames (sqlite.org/fileformat2.html#walformat). */
const [WAL_HEADER_BYTES, FRAME_HEADER_BYTES] = [32, 24];

/**
 * Kept open as long as the connection: when a process closes any descriptor of a file, the system drops every lock that
 * process holds on it, SQLite's too (sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
 */
export class DatabaseFile {
  /** Opened at the start: the file may be moved away. */
  readonly #descriptor: number;
  readonly #wal: SideFile;
  readonly #index: SideFile;
  #checkpoint: RunningCheckpoint | null = null;
  #stampAtBegin: string | null = null;
  /** The last that was known. */
  #size = 0;

  readonly #isEncrypted: boolean;

  constructor(path: string, isEncrypted = false) {
    this.#isEncrypted = isEncrypted;
    this.#descriptor = openSync(path, 'r');
    this.#wal = new SideFile(`${path}-wal`);
    this.#index = new SideFile(`${path}-shm`);
  }

  get sizeBytes(): number {
    try {
      this.#size = fstatSync(this.#descriptor).size;
    } catch {
      // The disk does not answer. What is asked for the size only, the state of a database first of all, can still be said.
    }
    return this.#size;
  }

  get isWal(): boolean {
    return this.#isWal(this.#header);
  }

  read(offset: number, length: number): Uint8Array {
    return readFully(this.#descriptor, offset, Math.max(0, Math.min(length, this.sizeBytes - offset)));
  }

  /** Whether or not it is in use. */
  readWal(offset: number, length: number): Uint8Array {
    const { descriptor } = this.#wal;
    return descriptor === null ? new Uint8Array() : readFully(descriptor, offset, length);
  }

  /**
   * Names the last committed state. Salts and checksum of the WAL name a commit exactly, but are gone once the WAL has been moved into
   * the file. Without them: the counters of the header, of which in WAL mode not every commit takes note, and when the file was written.
   */
  get mark(): string {
    const header = this.#header;
    const commit = this.#isWal(header) ? this.#commitInWal : null;
    if (commit !== null) return `log ${commit}`;
    return `file ${header.toString('hex', 24, 44)} ${header.toString('hex', 92, 96)} ${this.stamp}`;
  }

  /** See {@link Connection.isSameCommit}. Without a WAL, each commit changes a counter of the header. */
  isSameCommit(before: string, after: string): boolean {
    return !this.isWal && countersOf(before) === countersOf(after);
  }

  /** Changes as soon as any program writes to the file. */
  get stamp(): string {
    const { size, mtimeNs } = fstatSync(this.#descriptor, { bigint: true });
    return `${size}:${mtimeNs}`;
  }

  filePieces(): Generator<CommittedPiece, void> {
    return piecesOf('file', this.#descriptor);
  }

  /** Up to the newest commit: what was rolled back, or belongs to an earlier WAL, may take more space than all the rest. */
  *walPieces(): Generator<CommittedPiece, void> {
    const { descriptor } = this.#wal;
    if (descriptor !== null) yield* piecesOf('wal', descriptor, this.#committedWalBytes);
  }

  /** Call before a statement that may write. */
  noteBegin(inTransaction: boolean): void {
    if (!inTransaction) this.#stampAtBegin = null;
    this.#stampAtBegin ??= this.stamp;
  }

  /**
   * The open transaction is so large that parts of it are in the file already; in WAL mode they never are.
   * @throws AppError `unavailable`
   */
  assertNotSpilled(): void {
    if (this.isWal || this.stamp === this.#stampAtBegin) return;
    throw AppError.unavailable(
      'The open transaction is so large that parts of it are already in the file. Commit or roll it back first.',
    );
  }

  /** Length of the WAL, whether or not all of it is in use; 0 if there is none. */
  get walSizeBytes(): number {
    const { descriptor } = this.#wal;
    return descriptor === null ? 0 : fstatSync(descriptor).size;
  }

  /** Call with each thread that begins a checkpoint of this file. */
  checkpointBy(thread: RunningCheckpoint): void {
    this.#checkpoint = thread;
  }

  /** Blocks until no thread makes a checkpoint of this file. */
  joinCheckpoint(): void {
    this.#checkpoint?.join();
  }

  /** Call only after SQLite has closed the file. */
  close(): void {
    this.joinCheckpoint();
    closeSync(this.#descriptor);
    this.#wal.close();
    this.#index.close();
  }

  /** The header of an encrypted file can be random bytes. As long as a file in WAL mode is open, its WAL is beside it. */
  #isWal(header: Buffer): boolean {
    return this.#isEncrypted ? this.#wal.descriptor !== null : header[18] === WAL_VERSION;
  }

  get #header(): Buffer {
    return Buffer.from(this.read(0, 100));
  }

  get #committedWalBytes(): number {
    const index = this.#indexHeader;
    if (index === null || typeof index === 'string') return Infinity;
    const frames = endianness() === 'LE' ? index.readUInt32LE(16) : index.readUInt32BE(16);
    const pageSize = endianness() === 'LE' ? index.readUInt16LE(14) : index.readUInt16BE(14);
    return WAL_HEADER_BYTES + frames * (FRAME_HEADER_BYTES + (pageSize === 1 ? 65_536 : pageSize));
  }

  /** Checksum and salts of the newest commit in the WAL; null when there is none. */
  get #commitInWal(): string | null {
    const index = this.#indexHeader;
    if (index === null || typeof index === 'string') return index;
    // No frames: whatever the order of the bytes.
    return index.readUInt32LE(16) === 0 ? null : index.toString('hex', 24, 40);
  }

  /** Null when there is none; a sentence when it stays half written. */
  get #indexHeader(): Buffer | string | null {
    const descriptor = this.#index.descriptor;
    if (descriptor === null) return null;
    // Another program may be writing the header right now. It is stored twice, and the two copies are written one after the other.
    for (let look = 0; look < MAX_LOOKS; look++) {
      const both = Buffer.from(readFully(descriptor, 0, 2 * INDEX_BYTES));
      const index = both.subarray(0, INDEX_BYTES);
      if (both.length < 2 * INDEX_BYTES || index[12] === 0) return null;
      if (index.equals(both.subarray(INDEX_BYTES))) return index;
    }
    return 'of a program that ended while it wrote';
  }
}

/** A file beside the database that comes and goes. */
class SideFile {
  readonly #path: string;
  #open: { readonly descriptor: number; readonly inode: bigint } | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Null if there is none. */
  get descriptor(): number | null {
    const inode = statSync(this.#path, { throwIfNoEntry: false, bigint: true })?.ino;
    if (this.#open !== null && (inode === undefined || inode === this.#open.inode)) return this.#open.descriptor;
    // SQLite has made another one, and no longer holds a lock on this one.
    this.close();
    if (inode === undefined) return null;
    const descriptor = openSync(this.#path, 'r');
    this.#open = { descriptor, inode: fstatSync(descriptor, { bigint: true }).ino };
    return descriptor;
  }

  close(): void {
    if (this.#open !== null) closeSync(this.#open.descriptor);
    this.#open = null;
  }
}

/** A mark without its stamp. */
const countersOf = (mark: string): string => mark.slice(0, mark.lastIndexOf(' '));

function* piecesOf(
  part: CommittedPiece['part'],
  descriptor: number,
  mostBytes = Infinity,
): Generator<CommittedPiece, void> {
  const size = Math.min(fstatSync(descriptor).size, mostBytes);
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
