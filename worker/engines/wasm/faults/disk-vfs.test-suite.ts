// SQLite's file system layer over the disk under test, with the answers and properties of the library's pool of handles.
import type { Sqlite } from '../runtime/load.ts';
import { installOwnVfs } from '../storage/lent-file.ts';
import { OpenFlag } from '../runtime/raw.ts';
import type { Pointer } from '../runtime/raw.ts';
import type { Disk, Outcome } from './disk.test-suite.ts';
import type { DiskFile } from './disk-file.test-suite.ts';

const IO_ERROR = 10;
const FULL = 13;
const CANNOT_OPEN = 14;
const SHORT_READ = 522;
const UNDELETABLE_WHEN_OPEN = 0x800;
const DELETE_ON_CLOSE = 0x8;

/** Part of the package that reports exceptions of a layer. */
interface PackageParts {
  readonly config: { error(...parts: unknown[]): void };
}

/** Registers the disk under `name`. Returns its `sqlite3_vfs`. */
export function installDisk(sqlite: Sqlite, disk: Disk, name: string): Pointer {
  const calls = new DiskCalls(sqlite, disk);
  return installOwnVfs(sqlite, { name, io: calls.ioMethods(), vfs: (io) => calls.vfsMethods(io) });
}

interface OpenFile {
  readonly name: string;
  readonly file: DiskFile;
  readonly removeAfterwards: boolean;
}

class DiskCalls {
  readonly #sqlite: Sqlite;
  readonly #disk: Disk;
  readonly #open = new Map<Pointer, OpenFile>();
  #temporary = 0;

  constructor(sqlite: Sqlite, disk: Disk) {
    this.#sqlite = sqlite;
    this.#disk = disk;
  }

  ioMethods(): object {
    const { heap } = this.#sqlite;
    const fileAt = (pointer: Pointer): DiskFile => this.#open.get(pointer)!.file;
    return {
      xClose: (pointer: Pointer) => this.#close(pointer),
      xRead: (pointer: Pointer, target: Pointer, bytes: number, offset: bigint) => {
        const into = heap.bytes.subarray(target, target + bytes);
        const count = this.#disk.read(fileAt(pointer), Number(offset), into);
        if (count instanceof Error) return this.#report(count, IO_ERROR);
        into.fill(0, count);
        return count < bytes ? SHORT_READ : 0;
      },
      xWrite: (pointer: Pointer, source: Pointer, bytes: number, offset: bigint) =>
        this.#answer(this.#disk.write(fileAt(pointer), Number(offset), heap.bytes.subarray(source, source + bytes))),
      xTruncate: (pointer: Pointer, size: bigint) => this.#answer(this.#disk.truncate(fileAt(pointer), Number(size))),
      xSync: (pointer: Pointer) => this.#answer(this.#disk.flush(fileAt(pointer))),
      xFileSize: (pointer: Pointer, out: Pointer) => {
        heap.view.setBigInt64(out, BigInt(fileAt(pointer).size), true);
        return 0;
      },
      xDeviceCharacteristics: (_pointer: Pointer) => UNDELETABLE_WHEN_OPEN,
    };
  }

  vfsMethods(ioMethods: Pointer): object {
    const { heap } = this.#sqlite;
    return {
      xOpen: (_vfs: Pointer, name: Pointer, pointer: Pointer, flags: number, outFlags: Pointer) => {
        const path = name === 0 ? `temporary ${this.#temporary++}` : heap.text(name);
        const file = this.#disk.open(path, (flags & OpenFlag.create) !== 0);
        if (file instanceof Error) return this.#report(file, CANNOT_OPEN);
        this.#open.set(pointer, { name: path, file, removeAfterwards: (flags & DELETE_ON_CLOSE) !== 0 });
        heap.view.setUint32(pointer, ioMethods, true);
        if (outFlags !== 0) heap.view.setInt32(outFlags, flags, true);
        return 0;
      },
      xDelete: (_vfs: Pointer, name: Pointer, _flush: number) => {
        this.#disk.remove(heap.text(name));
        return 0;
      },
      xAccess: (_vfs: Pointer, name: Pointer, _flags: number, out: Pointer) => {
        heap.view.setInt32(out, this.#disk.has(heap.text(name)) ? 1 : 0, true);
        return 0;
      },
    };
  }

  /** Behaves like the pool: flushes whatever the outcome. */
  #close(pointer: Pointer): number {
    const open = this.#open.get(pointer);
    this.#open.delete(pointer);
    if (!open) return 0;
    const code = this.#answer(this.#disk.flush(open.file));
    if (open.removeAfterwards) this.#disk.remove(open.name);
    return code;
  }

  #answer(outcome: Outcome): number {
    if (outcome === 'done') return 0;
    return outcome === 'full-code' ? FULL : this.#report(outcome, IO_ERROR);
  }

  /** Reports to where the pool sends its exceptions, too: it is how the engine tells a full disk from a broken one. */
  #report(error: Error, code: number): number {
    (this.#sqlite.package as unknown as PackageParts).config.error('disk under test:', error);
    return code;
  }
}
