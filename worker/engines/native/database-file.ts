// The file of an open database and its WAL as bytes, past SQLite.
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { BigIntStats } from 'node:fs';

const CHUNK_BYTES = 4 << 20;
const CHANGE_COUNTER = 24;

/**
 * Kept open as long as the connection: when a process closes any descriptor of a file, the system drops every lock that
 * process holds on it, SQLite's too (sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
 */
export class DatabaseFile {
  readonly #path: string;
  #descriptor: number | null = null;
  #wal: number | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  get sizeBytes(): number {
    return fstatSync(this.#open()).size;
  }

  read(offset: number, length: number): Uint8Array {
    return readFully(this.#open(), offset, Math.max(0, Math.min(length, this.sizeBytes - offset)));
  }

  /** Of the file as it lies there. */
  get changeCounter(): number {
    const bytes = this.read(CHANGE_COUNTER, 4);
    return bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  }

  /** Another one as soon as somebody writes. */
  get stamp(): string {
    const { size, mtimeNs } = fstatSync(this.#open(), { bigint: true });
    return `${size}:${mtimeNs}`;
  }

  get walSizeBytes(): number {
    return existsSync(this.#walPath) ? statSync(this.#walPath).size : 0;
  }

  copyFile(write: (bytes: Uint8Array) => void): void {
    copy(this.#open(), write);
  }

  copyWal(write: (bytes: Uint8Array) => void): void {
    if (this.walSizeBytes === 0) return;
    this.#wal ??= openSync(this.#walPath, 'r');
    copy(this.#wal, write);
  }

  /** Whether `path` still names this file. */
  get isInPlace(): boolean {
    try {
      const [here, there]: readonly BigIntStats[] = [
        fstatSync(this.#open(), { bigint: true }),
        statSync(this.#path, { bigint: true }),
      ];
      return here!.ino === there!.ino && here!.dev === there!.dev;
    } catch {
      return false;
    }
  }

  /** Only after SQLite has closed the file. */
  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    if (this.#wal !== null) closeSync(this.#wal);
    this.#descriptor = this.#wal = null;
  }

  get #walPath(): string {
    return `${this.#path}-wal`;
  }

  #open(): number {
    this.#descriptor ??= openSync(this.#path, 'r');
    return this.#descriptor;
  }
}

function copy(descriptor: number, write: (bytes: Uint8Array) => void): void {
  const { size } = fstatSync(descriptor);
  for (let offset = 0; offset < size; offset += CHUNK_BYTES) {
    write(readFully(descriptor, offset, Math.min(CHUNK_BYTES, size - offset)));
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
