// Opens a database file that another thread holds, to be read and nothing else: SQLite asks for bytes, the owner hands them over.
import type { Connection } from '../../engine.ts';
import type { Heap } from '../runtime/heap.ts';
import { Hooks } from '../runtime/hooks.ts';
import { loadSqlite, type Sqlite } from '../runtime/load.ts';
import { openConnection, type OpenTarget } from './open.ts';
import { CacheBudget } from '../../memory-budget.ts';
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

// A file system layer of our own under SQLite: how it is registered, and the calls that are alike whatever lies below it.

const UNKNOWN_CONTROL = 12;
const SECTOR_SIZE = 4096;
const PATH_BYTES = 512;
/** The beginning of 1970, in Julian days and in milliseconds of them. */
const JULIAN_EPOCH = { days: 2440587.5, ms: 210866760000000n };

type Struct = { pointer: Pointer } & Record<string, unknown>;

/** The parts of the package's types that are wrong or missing: structs have a pointer and `$` members. */
interface PackageParts {
  readonly capi: {
    readonly sqlite3_vfs: new (pointer?: Pointer) => Struct;
    readonly sqlite3_io_methods: new () => Struct;
    readonly sqlite3_file: { readonly structInfo: { readonly sizeof: number } };
    sqlite3_vfs_find(name: null): Pointer;
  };
  readonly vfs: { installVfs(options: object): void };
}

interface VfsParts {
  readonly name: string;
  readonly io: object;
  /** @param io what an opened file points to */
  readonly vfs: (io: Pointer) => object;
}

/** Returns its `sqlite3_vfs`. */
export function installOwnVfs(sqlite: Sqlite, parts: VfsParts): Pointer {
  const { capi, vfs } = sqlite.package as unknown as PackageParts;
  const { heap } = sqlite;
  const io = new capi.sqlite3_io_methods();
  io['$iVersion'] = 1;
  const layer = new capi.sqlite3_vfs();
  const system = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null));
  layer['$iVersion'] = 2;
  layer['$szOsFile'] = capi.sqlite3_file.structInfo.sizeof;
  layer['$mxPathname'] = PATH_BYTES;
  layer['$xRandomness'] = system['$xRandomness'];
  vfs.installVfs({
    io: { struct: io, methods: { ...unlocked(heap), ...parts.io } },
    vfs: { struct: layer, name: parts.name, methods: { ...plainCalls(heap), ...parts.vfs(io.pointer) } },
  });
  return layer.pointer;
}

/** Methods of a file that only this connection uses. */
function unlocked(heap: Heap): object {
  return {
    xLock: (_pointer: Pointer, _level: number) => 0,
    xUnlock: (_pointer: Pointer, _level: number) => 0,
    xCheckReservedLock: (_pointer: Pointer, out: Pointer) => {
      heap.view.setInt32(out, 0, true);
      return 0;
    },
    xFileControl: (_pointer: Pointer, _operation: number, _argument: Pointer) => UNKNOWN_CONTROL,
    xSectorSize: (_pointer: Pointer) => SECTOR_SIZE,
  };
}

/** Names are paths as they are, and time stands still. */
function plainCalls(heap: Heap): object {
  return {
    xFullPathname: (_vfs: Pointer, name: Pointer, bytes: number, out: Pointer) => {
      const path = new TextEncoder().encode(heap.text(name));
      if (path.length >= bytes) return CANNOT_OPEN;
      heap.bytes.set(path, out);
      heap.bytes[out + path.length] = 0;
      return 0;
    },
    xSleep: (_vfs: Pointer, _microseconds: number) => 0,
    xCurrentTime: (_vfs: Pointer, out: Pointer) => {
      heap.view.setFloat64(out, JULIAN_EPOCH.days, true);
      return 0;
    },
    xCurrentTimeInt64: (_vfs: Pointer, out: Pointer) => {
      heap.view.setBigInt64(out, JULIAN_EPOCH.ms, true);
      return 0;
    },
    xGetLastError: (_vfs: Pointer, _bytes: number, _out: Pointer) => 0,
  };
}
