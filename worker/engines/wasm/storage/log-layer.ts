// Stands between SQLite and a file system that keeps databases and their logs: which log belongs to which database, and what SQLite may
// take for granted about the files.
import { AppError } from '#shared/protocol/errors.ts';
import { fileCalls, Io, Vfs, SYNC_NORMAL, type FileCalls } from './io-calls.ts';
import type { Sqlite } from '../runtime/load.ts';
import { JoinedWrites } from './joined-writes.ts';
import { LogFile, FRAME_HEADER_BYTES } from './log-file.ts';
import { OpenFlag, Result, type Pointer } from '../runtime/raw.ts';
import type { PlainFiles } from './vfs-file.ts';

/**
 * A power cut while a part of a file is written leaves the rest as it was: SQLite takes it for granted on every system Sidelite runs on
 * (sqlite.org/psow.html), and OPFS files are files of those systems. Without it a commit is padded with copies of its last page, three
 * or more writes of which each can fail when the commit is already whole: refused, and yet there after a crash.
 */
const POWERSAFE_OVERWRITE = 0x1000;

const FileControl = { persistWal: 10, commitPhaseTwo: 22, checkpointDone: 37, checkpointStart: 39 } as const;

/** Facts about one open database file. */
export interface LoggedDatabase {
  readonly name: string;
  log: LogFile | null;
  /** The log is closed, and says which commit the file has. */
  noteLeft: boolean;
  /** While pages are moved from the log into the file. */
  checkpoint: Checkpoint | null;
  /** Result code of a checkpoint that could not write its last pages: SQLite does not look at the reply when it says that it is done. */
  unmoved: number;
  /** The connection is closing: a log that is closed now is not closed for another journal mode. */
  closing: boolean;
}

/** The file system's own functions, and the tables of functions that SQLite gets for its files. */
interface Kinds {
  readonly calls: FileCalls;
  readonly database: Pointer;
  readonly log: Pointer;
}

type Opening = (vfs: Pointer, name: Pointer, file: Pointer, flags: number, outFlags: Pointer) => number;

export class LogLayer {
  readonly plainFiles: PlainFiles;
  readonly #sqlite: Sqlite;
  readonly #vfs: Pointer;
  readonly #openPlain: Opening;
  readonly #delete: (vfs: Pointer, name: Pointer, flush: number) => number;
  readonly #databases = new Map<Pointer, LoggedDatabase>();
  readonly #logs = new Map<Pointer, { readonly log: LogFile; readonly database: LoggedDatabase | null }>();
  #kinds: Kinds | null = null;

  /** Every file that SQLite opens through `vfs` from here on passes this layer. */
  constructor(sqlite: Sqlite, vfs: Pointer) {
    const { heap } = sqlite;
    this.#sqlite = sqlite;
    this.#vfs = vfs;
    this.plainFiles = { vfs, open: heap.pointerAt(vfs + Vfs.open) };
    this.#openPlain = sqlite.callable(this.plainFiles.open);
    this.#delete = sqlite.callable(heap.pointerAt(vfs + Vfs.delete));
    const open: Opening = (...args) => this.#open(...args);
    heap.view.setUint32(vfs + Vfs.open, sqlite.install('ipppip', open), true);
  }

  /** Looks up a database by its `sqlite3_file`. */
  of(file: Pointer): LoggedDatabase | null {
    return this.#databases.get(file) ?? null;
  }

  /** @returns null where there is no log @throws AppError `full` without memory for its buffers */
  moveOf(file: Pointer): LogMove | null {
    const log = this.of(file)?.log;
    return log ? new LogMove(this.#sqlite, this.#kindsOf(file).calls, { file, log }) : null;
  }

  #open(...args: Parameters<Opening>): number {
    const [, namePointer, file, flags] = args;
    const name = this.#sqlite.heap.text(namePointer);
    if (flags & OpenFlag.mainJournal && flags & OpenFlag.create) this.#noLongerLogged(name.replace(/-journal$/, ''));
    const code = this.#openPlain(...args);
    if (code !== 0) return code;
    if (flags & OpenFlag.mainDatabase) {
      this.#use(file, this.#kindsOf(file).database);
      this.#databases.set(file, { name, log: null, noteLeft: false, checkpoint: null, unmoved: 0, closing: false });
    } else if (flags & OpenFlag.wal) return this.#openLog(file, name.replace(/-wal$/, ''));
    return 0;
  }

  #openLog(file: Pointer, name: string): number {
    const { calls, log: methods } = this.#kindsOf(file);
    let log: LogFile;
    try {
      log = new LogFile(this.#sqlite, calls, file);
    } catch {
      calls.close(file);
      this.#use(file, 0);
      return Result.noMemory;
    }
    const code = log.open();
    if (code !== 0) {
      log.close();
      this.#use(file, 0);
      return code;
    }
    this.#use(file, methods);
    const database = [...this.#databases.values()].find((each) => each.name === name) ?? null;
    if (database) database.log = log;
    this.#logs.set(file, { log, database });
    return 0;
  }

  #use(file: Pointer, methods: Pointer): void {
    this.#sqlite.heap.view.setUint32(file, methods, true);
  }

  /** Another journal mode was chosen: from here on the note would name a commit that is no longer the last. */
  #noLongerLogged(name: string): void {
    for (const database of this.#databases.values()) {
      if (database.name !== name || !database.noteLeft) continue;
      const log = this.#sqlite.heap.allocateText(`${name}-wal`);
      this.#delete(this.#vfs, log.pointer, 0);
      this.#sqlite.heap.free(log.pointer);
      database.noteLeft = false;
    }
  }

  #control(calls: FileCalls, file: Pointer, operation: number, argument: Pointer): number {
    const database = this.#databases.get(file);
    if (operation === FileControl.commitPhaseTwo && database) {
      if (database.log) return database.log.committed();
      this.#noLongerLogged(database.name);
    } else if (operation === FileControl.persistWal) {
      // Asked when the log is closed. It stays, for its note, but not in another journal mode: SQLite would take what is there for a
      // sign of WAL and keep writing to it, and a VACUUM to another page size would leave a damaged file.
      this.#sqlite.heap.view.setInt32(argument, database?.closing === true ? 1 : 0, true);
      return 0;
    } else if (operation === FileControl.checkpointStart && database?.log) {
      database.unmoved = 0;
      database.checkpoint = Checkpoint.begin(this.#sqlite, calls, { file, log: database.log });
    } else if (operation === FileControl.checkpointDone && database?.checkpoint) {
      database.unmoved = database.checkpoint.end();
      database.checkpoint = null;
    }
    return calls.fileControl(file, operation, argument);
  }

  /** SQLite truncates the file when all pages are moved, before it counts them as moved. */
  #truncate(calls: FileCalls, file: Pointer, size: bigint): number {
    const database = this.#databases.get(file);
    const unmoved = database?.unmoved ?? 0;
    if (database) database.unmoved = 0;
    return unmoved || calls.truncate(file, size);
  }

  #closeLog(file: Pointer): number {
    const { log, database } = this.#logs.get(file)!;
    this.#logs.delete(file);
    const code = log.close();
    if (database) {
      database.log = null;
      database.noteLeft = log.hasNote;
    }
    return code;
  }

  /** Two copies of the file system's own functions with some of ours among them, made from the first file that is opened. */
  #kindsOf(file: Pointer): Kinds {
    if (this.#kinds) return this.#kinds;
    const methods = this.#sqlite.heap.pointerAt(file);
    const calls = fileCalls(this.#sqlite, methods);
    const properties = (of: Pointer): number => calls.deviceCharacteristics(of) | POWERSAFE_OVERWRITE;
    const logOf = (of: Pointer): LogFile => this.#logs.get(of)!.log;
    const database = this.#copyOf(methods, {
      write: [
        'ippij',
        (of: Pointer, at: Pointer, bytes: number, offset: bigint) =>
          this.#databases.get(of)?.checkpoint?.write(at, bytes, Number(offset)) ?? calls.write(of, at, bytes, offset),
      ],
      truncate: ['ipj', (of: Pointer, size: bigint) => this.#truncate(calls, of, size)],
      fileControl: ['ipip', (of: Pointer, ...rest: [number, Pointer]) => this.#control(calls, of, ...rest)],
      deviceCharacteristics: ['ip', properties],
      close: [
        'ip',
        (of: Pointer) => {
          this.#databases.delete(of);
          return calls.close(of);
        },
      ],
    });
    const log = this.#copyOf(methods, {
      read: [
        'ippij',
        (of: Pointer, at: Pointer, bytes: number, offset: bigint) => logOf(of).read(at, bytes, Number(offset)),
      ],
      write: [
        'ippij',
        (of: Pointer, at: Pointer, bytes: number, offset: bigint) => logOf(of).write(at, bytes, Number(offset)),
      ],
      truncate: ['ipj', (of: Pointer, size: bigint) => logOf(of).truncate(Number(size))],
      sync: ['ipi', (of: Pointer, flags: number) => logOf(of).sync(flags)],
      fileSize: ['ipp', (of: Pointer, out: Pointer) => logOf(of).fileSize(out)],
      deviceCharacteristics: ['ip', properties],
      close: ['ip', (of: Pointer) => this.#closeLog(of)],
    });
    return (this.#kinds = { calls, database, log });
  }

  #copyOf(
    methods: Pointer,
    ours: Partial<Record<keyof FileCalls, readonly [signature: string, callback: (...args: never[]) => number]>>,
  ): Pointer {
    const { heap } = this.#sqlite;
    const copy = heap.allocate(Io.structBytes);
    heap.bytes.copyWithin(copy, methods, methods + Io.structBytes);
    for (const [name, [signature, callback]] of Object.entries(ours))
      heap.view.setUint32(copy + Io[name as keyof FileCalls], this.#sqlite.install(signature, callback), true);
    return copy;
  }
}

/**
 * One checkpoint, from the moment SQLite begins to move pages from the log into the database file until it has moved the last
 * (`walCheckpoint` of wal.c). It moves one page at a time; here they are read and written in large pieces. Nothing else reads or writes
 * either file meanwhile, because the connection has both for itself.
 */
class Checkpoint {
  readonly #writes: JoinedWrites;
  readonly #log: LogFile;

  /** @param file of the database @throws AppError `full` without memory for a buffer */
  constructor(sqlite: Sqlite, calls: FileCalls, { file, log }: { readonly file: Pointer; readonly log: LogFile }) {
    this.#writes = new JoinedWrites(sqlite, calls, file);
    this.#log = log;
    log.beginCheckpoint();
  }

  /** Null without memory for a buffer: then pages are moved one at a time. */
  static begin(...args: ConstructorParameters<typeof Checkpoint>): Checkpoint | null {
    try {
      return new Checkpoint(...args);
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  write(source: Pointer, bytes: number, offset: number): number {
    // SQLite reads a page from the log and writes it, one after the other.
    return this.#log.takeSkipped() ? 0 : this.#writes.add(source, bytes, offset);
  }

  /** All pages are moved, or moving them has failed. @returns a result code */
  end(): number {
    const code = this.#writes.drain();
    this.#writes.free();
    this.#log.endCheckpoint();
    return code;
  }
}

/** Read at once. At least one frame of the largest page. */
const READ_BYTES = 256 << 10;

/**
 * Moves the frames of a log into the database file a piece at a time, where a checkpoint would take seconds without a pause. SQLite makes
 * its checkpoint afterwards all the same, and need not read or write these frames again.
 *
 * The order is that of a checkpoint: the log is flushed first, and the file when everything has been written. Until SQLite counts the frames
 * as moved it reads their pages from the log, so what is in the file by then does not matter, also not after a crash.
 */
class LogMove {
  readonly #sqlite: Sqlite;
  readonly #calls: FileCalls;
  readonly #file: Pointer;
  readonly #log: LogFile;
  readonly #writes: JoinedWrites;
  readonly #buffer: Pointer;

  /** @param file of the database @throws AppError `full` without memory for its buffers */
  constructor(sqlite: Sqlite, calls: FileCalls, { file, log }: { readonly file: Pointer; readonly log: LogFile }) {
    this.#sqlite = sqlite;
    this.#calls = calls;
    this.#file = file;
    this.#log = log;
    this.#writes = new JoinedWrites(sqlite, calls, file);
    try {
      this.#buffer = sqlite.heap.allocate(READ_BYTES);
    } catch (error) {
      this.#writes.free();
      throw error;
    }
  }

  /**
   * @param untilMs `performance.now()` at which it should pause
   * @returns whether there is more to move, or a result code when it failed
   */
  step(untilMs: number): { readonly isMore: boolean; readonly code: number } {
    let code = this.#log.moved === 0 ? this.#log.sync(SYNC_NORMAL) : 0;
    while (code === 0 && this.#log.moved < this.#log.frames) {
      code = this.#moveSome();
      if (performance.now() >= untilMs) break;
    }
    const isMore = code === 0 && this.#log.moved < this.#log.frames;
    return { isMore, code: code || (isMore ? 0 : this.#calls.sync(this.#file, SYNC_NORMAL)) };
  }

  free(): void {
    this.#writes.free();
    this.#sqlite.heap.free(this.#buffer);
  }

  /** A page that is there more than once is written more than once: its last frame is the last to be written. */
  #moveSome(): number {
    const log = this.#log;
    const { frameBytes } = log;
    const pageBytes = frameBytes - FRAME_HEADER_BYTES;
    const count = Math.min(Math.floor(READ_BYTES / frameBytes), log.frames - log.moved);
    let code = log.readFrames(this.#buffer, count);
    for (let frame = 0; code === 0 && frame < count; frame++) {
      const header = this.#buffer + frame * frameBytes;
      const page = this.#sqlite.heap.view.getUint32(header);
      code = this.#writes.add(header + FRAME_HEADER_BYTES, pageBytes, (page - 1) * pageBytes);
    }
    code ||= this.#writes.drain();
    if (code === 0) log.moved += count;
    return code;
  }
}
