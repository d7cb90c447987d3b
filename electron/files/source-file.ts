// A file to read from, with a WAL and rollback journal beside it.
import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, sep } from 'node:path';
import { AppError } from '#shared/protocol/errors.ts';
import type { FilePart, SourceFileInfo } from '#shared/protocol/files.ts';
import { isMissing, readError } from './file-errors.ts';

/** Suffixes that SQLite uses: sqlite.org/wal.html, sqlite.org/lockingv3.html. */
const SUFFIX: Record<FilePart, string> = { main: '', wal: '-wal', journal: '-journal' };

export class SourceFile {
  readonly path: string;
  readonly locationId: string;
  readonly #handles = new Map<FilePart, Promise<FileHandle>>();

  constructor(path: string, locationId: string) {
    this.path = path;
    this.locationId = locationId;
  }

  get fileName(): string {
    return basename(this.path);
  }

  async info(): Promise<SourceFileInfo> {
    try {
      // Opened, not just checked: a file without read permission is refused now instead of midway.
      const main = await (await this.#open('main')).stat();
      if (main.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
      if (!main.isFile())
        throw AppError.invalid(`“${this.fileName}” is a pipe or a device. Nothing was changed. Choose a file.`);
      return {
        fileName: this.fileName,
        displayPath: forPeople(this.path),
        locationId: this.locationId,
        sizeBytes: main.size,
        modifiedAtMs: main.mtimeMs,
        walSizeBytes: await this.#sizeOf('wal'),
        journalSizeBytes: await this.#sizeOf('journal'),
      };
    } catch (thrown) {
      throw readError(this.fileName, thrown);
    }
  }

  async read(part: FilePart, offset: number, length: number): Promise<Uint8Array> {
    try {
      const handle = await this.#open(part);
      const bytes = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await handle.read(bytes, filled, length - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return filled === length ? bytes : bytes.slice(0, filled);
    } catch (thrown) {
      throw readError(this.fileName + SUFFIX[part], thrown);
    }
  }

  async close(): Promise<void> {
    const handles = [...this.#handles.values()];
    this.#handles.clear();
    for (const handle of handles) await handle.then((opened) => opened.close()).catch(() => undefined);
  }

  #open(part: FilePart): Promise<FileHandle> {
    const opened = this.#handles.get(part);
    if (opened) return opened;
    // Otherwise opening a pipe waits for its other end, in one of the few threads that all files share.
    const opening = open(this.path + SUFFIX[part], constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    this.#handles.set(part, opening);
    opening.catch(() => this.#handles.delete(part)); // a later try may succeed
    return opening;
  }

  async #sizeOf(part: FilePart): Promise<number> {
    try {
      return (await stat(this.path + SUFFIX[part])).size;
    } catch (thrown) {
      if (isMissing(thrown)) return 0;
      throw thrown;
    }
  }
}

export function forPeople(path: string): string {
  const home = homedir() + sep;
  return path.startsWith(home) ? `~${sep}${path.slice(home.length)}` : path;
}
