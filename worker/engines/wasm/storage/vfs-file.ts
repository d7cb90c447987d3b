// One file as SQLite's own file system layer sees it: reads and writes of any size through one fixed buffer.
import { AppError } from '#shared/protocol/errors.ts';
import { Io, SHORT_READ, SYNC_NORMAL, Vfs } from './io-calls.ts';
import type { Sqlite } from '../runtime/load.ts';
import { OpenFlag, type Pointer } from '../runtime/raw.ts';
import { storageError } from '../runtime/errors.ts';

const CHUNK_BYTES = 1 << 20;

/** A `sqlite3_file`: borrowed from an open connection, or opened by {@link openVfsFile}. */
export class VfsFile {
  readonly #sqlite: Sqlite;
  readonly #file: Pointer;

  constructor(sqlite: Sqlite, file: Pointer) {
    this.#sqlite = sqlite;
    this.#file = file;
  }

  get sizeBytes(): number {
    this.#check(this.#call(Io.fileSize, this.#sqlite.out));
    return Number(this.#sqlite.heap.view.getBigInt64(this.#sqlite.out, true));
  }

  /** `length` bytes at `offset`, fewer at the end. */
  read(offset: number, length: number): Uint8Array {
    const wanted = Math.max(0, Math.min(length, this.sizeBytes - offset));
    const result = new Uint8Array(wanted);
    this.#withBuffer(wanted, (buffer, capacity) => {
      for (let done = 0; done < wanted;) {
        const count = Math.min(capacity, wanted - done);
        const code = this.#call(Io.read, buffer, count, BigInt(offset + done));
        if (code !== SHORT_READ) this.#check(code);
        result.set(this.#sqlite.heap.bytes.subarray(buffer, buffer + count), done);
        done += count;
      }
    });
    return result;
  }

  write(offset: number, bytes: Uint8Array): void {
    this.#withBuffer(bytes.length, (buffer, capacity) => {
      for (let done = 0; done < bytes.length;) {
        const count = Math.min(capacity, bytes.length - done);
        this.#sqlite.heap.bytes.set(bytes.subarray(done, done + count), buffer);
        this.#check(this.#call(Io.write, buffer, count, BigInt(offset + done)));
        done += count;
      }
    });
  }

  sync(): void {
    this.#check(this.#call(Io.sync, SYNC_NORMAL));
  }

  /** Call only for files of {@link openVfsFile}. */
  close(): void {
    this.#call(Io.close);
    this.#sqlite.heap.free(this.#file);
  }

  #call(method: number, ...args: (number | bigint)[]): number {
    const { heap } = this.#sqlite;
    const methods = heap.pointerAt(this.#file);
    return this.#sqlite.callable(heap.pointerAt(methods + method))(this.#file, ...args);
  }

  #check(code: number): void {
    if (code !== 0) throw storageError(this.#sqlite, code);
  }

  #withBuffer(bytes: number, body: (buffer: Pointer, capacity: number) => void): void {
    if (bytes === 0) return;
    const capacity = Math.min(bytes, CHUNK_BYTES);
    const buffer = this.#sqlite.heap.allocate(capacity);
    try {
      body(buffer, capacity);
    } finally {
      this.#sqlite.heap.free(buffer);
    }
  }
}

/** Files as they are, bypassing what is between them and SQLite. */
export interface PlainFiles {
  readonly vfs: Pointer;
  /** The file system's own `xOpen`. */
  readonly open: Pointer;
}

/** @throws AppError `not-found`, or `full` when a new file finds no free slot */
export function openVfsFile(sqlite: Sqlite, { vfs, open }: PlainFiles, name: string, create: boolean): VfsFile {
  const { heap } = sqlite;
  const kind = name.endsWith('-wal') ? OpenFlag.wal : OpenFlag.mainDatabase;
  const flags = kind | OpenFlag.readWrite | (create ? OpenFlag.create : 0);
  const path = heap.allocateText(name);
  const file = heap.allocate(heap.pointerAt(vfs + Vfs.fileBytes));
  sqlite.storageFailure.take();
  const code = sqlite.callable(open)(vfs, path.pointer, file, flags, sqlite.out);
  heap.free(path.pointer);
  if (code === 0) return new VfsFile(sqlite, file);
  heap.free(file);
  throw create ? storageError(sqlite, code) : AppError.notFound(`There is no file “${name}” in the library.`);
}
