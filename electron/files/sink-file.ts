// A file to write: collected beside its target and put in its place in one step, or not at all.
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing, writeError } from './file-errors.ts';
import { PART_SUFFIX } from './unfinished-files.ts';
import type { UnfinishedFiles } from './unfinished-files.ts';

// A WAL or journal of the file that is replaced would be played into the new one by the next SQLite that opens it.
const LEFTOVERS = ['-wal', '-shm', '-journal'];

export class SinkFile {
  readonly path: string;
  readonly #temporary: string;
  readonly #unfinished: UnfinishedFiles;
  readonly #isTemporary: boolean;
  #handle: Promise<FileHandle> | null = null;
  #sizeBytes = 0;

  /** @param isTemporary it goes with the app: nothing of it has to be on disk */
  constructor(path: string, unfinished: UnfinishedFiles, isTemporary = false) {
    this.path = path;
    this.#isTemporary = isTemporary;
    this.#unfinished = unfinished;
    this.#temporary = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}${PART_SUFFIX}`);
  }

  get fileName(): string {
    return basename(this.path);
  }

  async write(bytes: Uint8Array): Promise<void> {
    // Several are on their way at once, on threads of their own: each has its place from the moment it came.
    const start = this.#sizeBytes;
    this.#sizeBytes += bytes.byteLength;
    try {
      const handle = await this.#open();
      for (let written = 0; written < bytes.byteLength;) {
        const rest = bytes.byteLength - written;
        written += (await handle.write(bytes, written, rest, start + written)).bytesWritten;
      }
    } catch (thrown) {
      throw writeError(this.fileName, thrown);
    }
  }

  async commit(): Promise<void> {
    try {
      const handle = await this.#open();
      if (!this.#isTemporary) await handle.sync();
      await this.beforeReplace(handle);
      await this.#closeHandle();
      await this.#replaceTarget();
      this.#unfinished.ended(this.#temporary);
      if (!this.#isTemporary) await syncFolder(dirname(this.path));
    } catch (thrown) {
      await this.abort();
      throw writeError(this.fileName, thrown);
    }
  }

  /** Everything is written and on disk; what throws here leaves the target as it is. */
  protected async beforeReplace(_handle: FileHandle): Promise<void> {}

  async abort(): Promise<void> {
    if (!this.#handle) return;
    await this.#closeHandle().catch(() => undefined);
    this.#handle = null;
    await rm(this.#temporary, { force: true });
    this.#unfinished.ended(this.#temporary);
  }

  #open(): Promise<FileHandle> {
    if (!this.#handle) {
      this.#unfinished.begun(this.#temporary);
      this.#handle = open(this.#temporary, 'wx');
    }
    return this.#handle;
  }

  async #closeHandle(): Promise<void> {
    await (await this.#handle)?.close();
  }

  async #replaceTarget(): Promise<void> {
    const moved: { readonly from: string; readonly to: string }[] = [];
    try {
      for (const suffix of LEFTOVERS) {
        const pair = { from: this.path + suffix, to: this.#temporary + suffix };
        await rename(pair.from, pair.to).then(() => moved.push(pair), ignoreMissing);
      }
      await rename(this.#temporary, this.path);
    } catch (thrown) {
      for (const { from, to } of moved) await rename(to, from);
      throw thrown;
    }
    for (const { to } of moved) await rm(to, { force: true });
  }
}

function ignoreMissing(thrown: unknown): void {
  if (!isMissing(thrown)) throw thrown;
}

/** Makes the rename itself durable. Windows cannot open a folder, and needs no such thing. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}
