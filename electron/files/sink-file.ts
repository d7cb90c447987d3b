// A file to write: collected beside its target and put in its place in one step, or not at all.
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing, writeError } from './file-errors.ts';

// A WAL or journal of the file that is replaced would be played into the new one by the next SQLite that opens it.
const LEFTOVERS = ['-wal', '-shm', '-journal'];

export class SinkFile {
  readonly path: string;
  readonly #temporary: string;
  #handle: Promise<FileHandle> | null = null;

  constructor(path: string) {
    this.path = path;
    this.#temporary = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.sidelite-part`);
  }

  get fileName(): string {
    return basename(this.path);
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      const handle = await this.#open();
      let written = 0;
      while (written < bytes.byteLength) written += (await handle.write(bytes, written)).bytesWritten;
    } catch (thrown) {
      throw writeError(this.fileName, thrown);
    }
  }

  async commit(): Promise<void> {
    try {
      const handle = await this.#open();
      await handle.sync();
      await this.#closeHandle();
      await this.#replaceTarget();
      await syncFolder(dirname(this.path));
    } catch (thrown) {
      await this.abort();
      throw writeError(this.fileName, thrown);
    }
  }

  async abort(): Promise<void> {
    if (!this.#handle) return;
    await this.#closeHandle().catch(() => undefined);
    this.#handle = null;
    await rm(this.#temporary, { force: true });
  }

  #open(): Promise<FileHandle> {
    return (this.#handle ??= open(this.#temporary, 'wx'));
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

/** Makes the rename itself durable. Windows can not open a folder, and needs no such thing. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}
