// A file system layer of our own under SQLite: how it is registered, and the calls that are alike whatever lies below it.
import type { Heap } from '../runtime/heap.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';

const CANNOT_OPEN = 14;
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
