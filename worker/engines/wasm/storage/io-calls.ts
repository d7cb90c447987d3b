// Functions of a file system below SQLite, as SQLite exposes them: `sqlite3_vfs` and `sqlite3_io_methods`, 4 bytes per pointer.
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';

/** Places in `sqlite3_io_methods` (sqlite.org/c3ref/io_methods.html). */
export const Io = {
  close: 4,
  read: 8,
  write: 12,
  truncate: 16,
  sync: 20,
  fileSize: 24,
  fileControl: 40,
  deviceCharacteristics: 48,
  /** Size of version 1, the only version that our files have. */
  structBytes: 52,
} as const;

/** Places in `sqlite3_vfs` (sqlite.org/c3ref/vfs.html). */
export const Vfs = { fileBytes: 4, open: 24, delete: 28 } as const;

/** SQLITE_IOERR_SHORT_READ: the end of the file; the rest of the buffer is zeroed. */
export const SHORT_READ = 522;
export const SYNC_NORMAL = 2;

/** Functions of one kind of file, looked up once. All answer SQLite's result codes. */
export interface FileCalls {
  read(file: Pointer, target: Pointer, bytes: number, offset: bigint): number;
  write(file: Pointer, source: Pointer, bytes: number, offset: bigint): number;
  truncate(file: Pointer, size: bigint): number;
  sync(file: Pointer, flags: number): number;
  fileSize(file: Pointer, out: Pointer): number;
  fileControl(file: Pointer, operation: number, argument: Pointer): number;
  deviceCharacteristics(file: Pointer): number;
  close(file: Pointer): number;
}

export function fileCalls(sqlite: Sqlite, methods: Pointer): FileCalls {
  const at = <T>(index: number): T => sqlite.callable(sqlite.heap.pointerAt(methods + index)) as T;
  return {
    read: at(Io.read),
    write: at(Io.write),
    truncate: at(Io.truncate),
    sync: at(Io.sync),
    fileSize: at(Io.fileSize),
    fileControl: at(Io.fileControl),
    deviceCharacteristics: at(Io.deviceCharacteristics),
    close: at(Io.close),
  };
}
