// Opens a database file that another thread holds, to be read and nothing else: SQLite asks for bytes, the owner hands them over.
import type { Connection } from '../../engine.ts';
import { Hooks } from '../runtime/hooks.ts';
import { loadSqlite } from '../runtime/load.ts';
import type { Sqlite } from '../runtime/load.ts';
import { openConnection } from './open.ts';
import type { OpenTarget } from './open.ts';
import { CacheBudget } from '../../memory-budget.ts';
import { installOwnVfs } from './own-vfs.ts';
import type { Pointer } from '../runtime/raw.ts';

const VFS_NAME = 'lent';
const FILE_NAME = '/lent.sqlite3';
const CANNOT_OPEN = 14;
const READ_ONLY = 8;
const IO_ERROR_READ = 266;
const SHORT_READ = 522;
const IS_IMMUTABLE = 0x2000;
/** The format's write and read version: 2 asks for a WAL, whose content is in the file by now. */
const VERSIONS = { from: 18, to: 20, plain: 1 } as const;

export interface LentFile {
  readonly sizeBytes: number;
  /** Fills `into`; false when the owner could not. */
  read(offset: number, into: Uint8Array): boolean;
}

/** @throws AppError `corrupt`, `not-a-database`, `io` */
export async function openLentFile(file: LentFile): Promise<Connection> {
  const sqlite = await loadSqlite();
  installOwnVfs(sqlite, { name: VFS_NAME, io: ioMethods(sqlite, file), vfs: (io) => vfsMethods(sqlite, io) });
  const target: OpenTarget = {
    location: FILE_NAME,
    fileName: FILE_NAME,
    vfsName: VFS_NAME,
    logs: null,
    caches: new CacheBudget(),
    beside: () => target,
  };
  return openConnection(sqlite, new Hooks(sqlite), target, { durability: 'full' });
}

function ioMethods({ heap }: Sqlite, file: LentFile): object {
  const nothing = (): number => 0;
  return {
    xClose: nothing,
    xRead: (_pointer: Pointer, target: Pointer, bytes: number, index: bigint) => {
      const offset = Number(index);
      const there = Math.max(0, Math.min(bytes, file.sizeBytes - offset));
      const into = heap.bytes.subarray(target, target + bytes);
      if (!file.read(offset, into.subarray(0, there))) return IO_ERROR_READ;
      into.fill(0, there);
      for (let at = VERSIONS.from; at < VERSIONS.to; at++)
        if (at >= offset && at < offset + there) into[at - offset] = VERSIONS.plain;
      return there < bytes ? SHORT_READ : 0;
    },
    xWrite: (_pointer: Pointer, _source: Pointer, _bytes: number, _offset: bigint) => READ_ONLY,
    xTruncate: (_pointer: Pointer, _size: bigint) => READ_ONLY,
    xSync: (_pointer: Pointer, _flags: number) => 0,
    xFileSize: (_pointer: Pointer, out: Pointer) => {
      heap.view.setBigInt64(out, BigInt(file.sizeBytes), true);
      return 0;
    },
    xDeviceCharacteristics: (_pointer: Pointer) => IS_IMMUTABLE,
  };
}

function vfsMethods({ heap }: Sqlite, io: Pointer): object {
  return {
    xOpen: (_vfs: Pointer, name: Pointer, pointer: Pointer, flags: number, outFlags: Pointer) => {
      if (name === 0 || heap.text(name) !== FILE_NAME) return CANNOT_OPEN;
      heap.view.setUint32(pointer, io, true);
      if (outFlags !== 0) heap.view.setInt32(outFlags, flags, true);
      return 0;
    },
    xDelete: (_vfs: Pointer, _name: Pointer, _flush: number) => READ_ONLY,
    xAccess: (_vfs: Pointer, _name: Pointer, _flags: number, out: Pointer) => {
      heap.view.setInt32(out, 0, true);
      return 0;
    },
  };
}
