// A file to write: collected beside its target and moved into place in one step, or not at all. A target that is not a regular file is
// written into.
import { constants, existsSync, statSync } from 'node:fs';
import { link, open, rename, rm, type FileHandle, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SIDE_FILES } from '#shared/file-header.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { createToReplace, PRIVATE_FILE, takeAccessOf } from './file-access.ts';
import { isMissing, writeError } from './file-errors.ts';
import { assertNotBesideDatabase, firstBytes, HEAD_BYTES, isSideFile, mayBeDatabase } from './side-files.ts';
import { realTarget } from './real-target.ts';
import { partName, type UnfinishedFiles } from './unfinished-files.ts';

export class SinkFile {
  /** Path with links resolved: their target is replaced, not the link. Another hard link to the same file keeps the old content. */
  readonly path: string;
  readonly fileName: string;
  readonly #temporary: string;
  /** A file existed when the user chose the name and agreed to replace it. */
  readonly #replaces: boolean;
  readonly #unfinished: UnfinishedFiles;
  readonly #isTemporary: boolean;
  /** A pipe or a device: nothing can be moved over it, and written bytes cannot be taken back. */
  readonly #isStream: boolean;
  readonly #head = new Uint8Array(HEAD_BYTES);
  /** Writes to a stream run one after the other. */
  #tail: Promise<unknown> = Promise.resolve();
  #handle: Promise<FileHandle> | null = null;
  #sizeBytes = 0;

  /** @param isTemporary the file is deleted when the app ends: it need not be flushed to disk, and only its owner may read it */
  constructor(path: string, unfinished: UnfinishedFiles, isTemporary = false) {
    // The target of a link such as /dev/stdout may have no path of its own.
    this.#isStream = isStream(path);
    this.path = this.#isStream ? path : realTarget(path);
    this.fileName = basename(path);
    this.#replaces = existsSync(this.path);
    this.#isTemporary = isTemporary;
    this.#unfinished = unfinished;
    this.#temporary = join(dirname(this.path), partName(this.path));
  }

  async write(bytes: Uint8Array): Promise<void> {
    // Several writes run at once, on separate threads: each gets its position when it arrives.
    const start = this.#sizeBytes;
    this.#sizeBytes += bytes.byteLength;
    if (start < HEAD_BYTES) this.#head.set(bytes.subarray(0, HEAD_BYTES - start), start);
    try {
      const handle = await this.#open();
      if (this.#isStream) return await this.#append(handle, bytes);
      for (let written = 0; written < bytes.byteLength;) {
        const rest = bytes.byteLength - written;
        written += (await handle.write(bytes, written, rest, start + written)).bytesWritten;
      }
    } catch (thrown) {
      throw this.refusal(thrown);
    }
  }

  /** Returns the name of the backup of the replaced file; null if none was kept. */
  async commit(): Promise<string | null> {
    let kept: Kept | null = null;
    let isReplaced = false;
    try {
      const handle = await this.#open();
      if (this.#isStream) {
        await this.#closeHandle();
        return null;
      }
      if (!this.#isTemporary) {
        await takeAccessOf(handle, this.path);
        await handle.sync();
      }
      kept = await this.beforeReplace();
      await this.#closeHandle();
      await this.#replaceTarget();
      isReplaced = true;
      this.#unfinished.ended(this.#temporary);
      await kept?.confirm();
      if (!this.#isTemporary) await syncFolder(dirname(this.path));
      return kept && basename(kept.path);
    } catch (thrown) {
      if (!isReplaced) await kept?.undo();
      await this.abort();
      throw this.refusal(thrown);
    }
  }

  /** Called when everything is written and on disk; if it throws, the target is left unchanged. */
  protected async beforeReplace(): Promise<Kept | null> {
    if (!this.#isTemporary && (await this.#isDatabaseInUse()))
      throw AppError.locked(
        `Another program has “${this.fileName}” open, so it was not replaced. Close it there, or choose another name.`,
      );
    return null;
  }

  /** Locks are listed by inode alone, which a file on another disk may have, too: only a database is in question. */
  async #isDatabaseInUse(): Promise<boolean> {
    const beginning = await firstBytes(this.path, HEAD_BYTES).catch(() => new Uint8Array(0));
    return mayBeDatabase(beginning) && (await isDatabaseLocked(this.path));
  }

  /** Describes a file system error for the user. */
  protected refusal(thrown: unknown): AppError {
    return writeError(this.fileName, thrown);
  }

  async abort(): Promise<void> {
    if (!this.#handle) return;
    await this.#closeHandle().catch(() => undefined);
    this.#handle = null;
    if (this.#isStream) return;
    await rm(this.#temporary, { force: true }).catch(ignoreMissing);
    this.#unfinished.ended(this.#temporary);
  }

  #open(): Promise<FileHandle> {
    if (!this.#handle && this.#isStream) {
      if (statSync(this.path).isBlockDevice()) throw isDisk(this.fileName);
      this.#handle = open(this.path, constants.O_WRONLY);
    }
    if (!this.#handle) {
      this.#unfinished.begun(this.#temporary);
      this.#handle = this.#isTemporary
        ? open(this.#temporary, 'wx', PRIVATE_FILE)
        : assertNotBesideDatabase(this.path).then(() => createToReplace(this.#temporary, this.path));
    }
    return this.#handle;
  }

  #append(handle: FileHandle, bytes: Uint8Array): Promise<void> {
    const done = this.#tail.then(() => handle.writeFile(bytes));
    this.#tail = done.catch(() => undefined);
    return done;
  }

  async #closeHandle(): Promise<void> {
    await (await this.#handle)?.close();
  }

  /** The next SQLite to open a new database would apply a WAL or journal left by the replaced one. */
  async #replaceTarget(): Promise<void> {
    const moved: { readonly from: string; readonly to: string }[] = [];
    try {
      for (const suffix of mayBeDatabase(this.#head.subarray(0, this.#sizeBytes)) ? SIDE_FILES : []) {
        const pair = { from: this.path + suffix, to: this.#temporary + suffix };
        if (!existsSync(pair.from)) continue;
        if (!(await isSideFile(pair.from))) throw inTheWay(this.fileName, basename(pair.from));
        await rename(pair.from, pair.to).then(() => moved.push(pair), ignoreMissing);
      }
      await this.#takePlace();
    } catch (thrown) {
      for (const { from, to } of moved) await rename(to, from);
      throw thrown;
    }
    for (const { to } of moved) await rm(to, { force: true });
  }

  /** A rename would replace a file that another program has put there since the name was chosen; a link does not. */
  async #takePlace(): Promise<void> {
    if (this.#replaces || this.#isTemporary) return rename(this.#temporary, this.path);
    try {
      await link(this.#temporary, this.path);
    } catch (thrown) {
      // Some file systems have no hard links: there, checking first is the best available.
      if (!isTaken(thrown) && !existsSync(this.path)) return rename(this.#temporary, this.path);
      throw cameMeanwhile(this.fileName);
    }
    await rm(this.#temporary, { force: true });
  }
}

interface Kept {
  readonly path: string;
  confirm(): Promise<void>;
  undo(): Promise<void>;
}

/** Whether the path is neither a file nor a folder. A path that cannot be examined fails when it is written to. */
function isStream(path: string): boolean {
  try {
    const stats = statSync(path);
    return !stats.isFile() && !stats.isDirectory();
  } catch {
    return false;
  }
}

const isDisk = (fileName: string): AppError =>
  AppError.invalid(`“${fileName}” is a disk. Nothing was written. Choose a file.`);

const inTheWay = (fileName: string, other: string): AppError =>
  AppError.exists(
    `“${other}” has the name that SQLite gives to a file of its own beside “${fileName}”, but is another file. Nothing was changed. Choose another name.`,
  );

const isTaken = (thrown: unknown): boolean => (thrown as { readonly code?: string }).code === 'EEXIST';

const cameMeanwhile = (fileName: string): AppError =>
  AppError.conflict(
    `Another program created “${fileName}” in the meantime, so it was not replaced. Save again to replace it, or choose another name.`,
  );

function ignoreMissing(thrown: unknown): void {
  if (!isMissing(thrown)) throw thrown;
}

/** Makes the rename itself durable. Windows cannot open a folder and does not need this. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

// Whether another program holds a lock on a file, where the system tells. A program that has a database open in WAL mode locks its `-shm`.

/** Also false where locks cannot be queried: then only the files beside a database tell whether it is in use. */
async function isLocked(path: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    const { ino } = await stat(path);
    return isLockListed(await readFile('/proc/locks', 'utf8'), ino);
  } catch {
    return false;
  }
}

/** Whether another program has a database open, as far as locks tell: one in WAL mode locks its `-shm`. */
export const isDatabaseLocked = async (path: string): Promise<boolean> =>
  (await isLocked(path)) || (await isLocked(`${path}-shm`));

/** Compares only inodes: on some file systems the list and `stat` report different devices. */
export function isLockListed(locks: string, inode: number): boolean {
  return locks.split('\n').some((line) => new RegExp(`:${inode} `).test(line));
}
