// The library's files: a pool of OPFS handles, held by one worker at a time, that SQLite opens databases from.
import { AppError } from '#shared/protocol/errors.ts';
import type { Sqlite } from '../runtime/load.ts';
import { LogLayer } from './log-layer.ts';
import type { Pointer } from '../runtime/raw.ts';
import { openVfsFile, type PlainFiles, type VfsFile } from './vfs-file.ts';
import { hasNoOpfs } from '../runtime/message-facts.ts';

const VFS_NAME = 'sidelite';
const RETRY_MS = 50;
/** Room for temporary files and for the one import that is under way. */
const SPARE_SLOTS = 4;

/** Names are absolute: `/db-1.sqlite3`. SQLite keeps the WAL of a database under its name and `-wal`. */
export interface FilePool {
  names(): readonly string[];
  has(name: string): boolean;
  /** @throws AppError `not-found` */
  sizeOf(name: string): number;
  /** Makes room for that many databases (each needs two slots: itself and its WAL). Before opening or creating them. */
  reserve(databases: number): Promise<void>;
  /**
   * A new file, written from the beginning in constant memory; what was there under this name is lost. Besides a database it may be
   * the WAL that lay beside one (`/db-1.sqlite3-wal`): opening the database then takes it in.
   * @throws AppError `full`
   */
  createWriter(name: string): FileWriter;
  /** Removes the file and its WAL. Nothing happens when it is not there. It must not be open. */
  remove(name: string): void;
  /** Lets go of all handles, so that another worker can have them. Every connection must be closed. */
  close(): void;
}

export interface FileWriter {
  readonly sizeBytes: number;
  /** @throws AppError `full`, `io`; then call {@link abort} */
  write(bytes: Uint8Array): void;
  /** The file is whole and on disk. */
  finish(): void;
  /** The file is gone. Allowed at any time, also after a failed write. */
  abort(): void;
}

export interface PoolOptions {
  /** Folder of the origin's private file system. */
  readonly directory: string;
}

type Handles = Awaited<ReturnType<Sqlite['package']['installOpfsSAHPoolVfs']>>;

/**
 * Waits for another worker to let go of the files, however long that takes: the page around this one owns the library, so it can only be
 * one that was ended and is not gone yet.
 * @throws AppError `unavailable` without OPFS, `full`
 */
export async function openFilePool(sqlite: Sqlite, options: PoolOptions): Promise<SahFilePool> {
  const handles = await install(sqlite, options);
  const vfs = (sqlite.package.capi as unknown as { sqlite3_vfs_find(name: string): Pointer }).sqlite3_vfs_find(
    VFS_NAME,
  );
  return new SahFilePool(sqlite, handles, new LogLayer(sqlite, vfs));
}

async function install(sqlite: Sqlite, options: PoolOptions): Promise<Handles> {
  for (;;) {
    try {
      return await sqlite.package.installOpfsSAHPoolVfs(installOptions(options.directory));
    } catch (error) {
      if (!isLocked(error)) throw poolError(error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function installOptions(directory: string): Parameters<Sqlite['package']['installOpfsSAHPoolVfs']>[0] {
  const options = {
    name: VFS_NAME,
    directory,
    initialCapacity: SPARE_SLOTS + 2,
    // Otherwise a failed start would delete the library.
    preserveOnInitFailure: true,
    forceReinitIfPreviouslyFailed: true,
    // Errors only: they tell a full disk from a broken one.
    verbosity: 1,
  };
  return options;
}

export class SahFilePool implements FilePool {
  readonly vfsName = VFS_NAME;
  readonly #sqlite: Sqlite;
  readonly #handles: Handles;
  readonly logs: LogLayer;
  readonly #plain: PlainFiles;

  constructor(sqlite: Sqlite, handles: Handles, logs: LogLayer) {
    this.#sqlite = sqlite;
    this.#handles = handles;
    this.logs = logs;
    this.#plain = logs.plainFiles;
  }

  names(): readonly string[] {
    return this.#handles.getFileNames();
  }

  has(name: string): boolean {
    return this.names().includes(name);
  }

  sizeOf(name: string): number {
    const file = openVfsFile(this.#sqlite, this.#plain, name, false);
    try {
      return file.sizeBytes;
    } finally {
      file.close();
    }
  }

  async reserve(databases: number): Promise<void> {
    try {
      await (
        this.#handles as Handles & { reserveMinimumCapacity(slots: number): Promise<number> }
      ).reserveMinimumCapacity(databases * 2 + SPARE_SLOTS);
    } catch (error) {
      throw poolError(error);
    }
  }

  createWriter(name: string): FileWriter {
    this.remove(name);
    const file = openVfsFile(this.#sqlite, this.#plain, name, true);
    return new PoolFileWriter(file, () => this.remove(name));
  }

  remove(name: string): void {
    this.#handles.unlink(`${name}-wal`);
    this.#handles.unlink(`${name}-journal`);
    this.#handles.unlink(name);
  }

  close(): void {
    this.#handles.pauseVfs();
  }
}

class PoolFileWriter implements FileWriter {
  sizeBytes = 0;
  #file: VfsFile | null;
  readonly #remove: () => void;

  constructor(file: VfsFile, remove: () => void) {
    this.#file = file;
    this.#remove = remove;
  }

  write(bytes: Uint8Array): void {
    if (this.#file === null) throw AppError.invalid('This file has already been finished.');
    this.#file.write(this.sizeBytes, bytes);
    this.sizeBytes += bytes.length;
  }

  finish(): void {
    this.#file?.sync();
    this.#close();
  }

  abort(): void {
    this.#close();
    this.#remove();
  }

  #close(): void {
    this.#file?.close();
    this.#file = null;
  }
}

/** `createSyncAccessHandle` of a handle that is open elsewhere; the name differs between Chromium versions. */
function isLocked(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoModificationAllowedError' || error.name === 'InvalidStateError');
}

function poolError(error: unknown): AppError {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && error.name === 'QuotaExceededError') {
    return AppError.full('The disk is full: the library cannot get the files it needs. Nothing was changed.');
  }
  if (error instanceof Error && hasNoOpfs(error)) {
    return AppError.unavailable(
      `This browser cannot keep the library: its private file system is missing (${reason}).`,
    );
  }
  return AppError.io(`The library could not be opened (${reason}). Nothing was changed.`);
}
