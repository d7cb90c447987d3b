// A folder to write files into: they are collected in a hidden folder beside or inside it, and moved into place when all are complete.
import { existsSync, statSync } from 'node:fs';
import { chmod, link, mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#shared/protocol/errors.ts';
import { createToReplace, PRIVATE_FOLDER } from './file-access.ts';
import { writeError } from './file-errors.ts';
import { realTarget } from './real-target.ts';
import { partName, type UnfinishedFiles } from './unfinished-files.ts';

const MAX_NAME = 200;
/** Invalid in file names on any supported system (learn.microsoft.com, Naming Files). */
const FORBIDDEN = /[\0-\x1f<>:"/\\|?*]|^[. ]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * Accepts only the plain name of a file in the folder, whoever asks for it.
 * @throws AppError `invalid`
 */
export function safeName(name: unknown): string {
  if (typeof name === 'string' && name.length > 0 && name.length <= MAX_NAME && !FORBIDDEN.test(name)) return name;
  throw AppError.invalid('A file has a name that is not allowed. It was not written.');
}

export class FolderSink {
  /** Path with links resolved. */
  readonly path: string;
  readonly fileName: string;
  readonly #isNew: boolean;
  /**
   * Who may read new files and the new folder: no more people than may read the file that the folder belongs to, or any of the replaced
   * files.
   */
  #access: number;
  readonly #temporary: string;
  readonly #unfinished: UnfinishedFiles;
  readonly #written = new Set<string>();
  #current: { readonly name: string; readonly handle: FileHandle } | null = null;
  /** Writes run one after the other, in the order they came. */
  #tail: Promise<unknown> = Promise.resolve();

  /**
   * @param isNew the folder itself is created; otherwise it exists, and files are added to it
   * @param beside path of the file that a new folder belongs to; need not exist
   */
  constructor(path: string, unfinished: UnfinishedFiles, isNew: boolean, beside?: string) {
    this.path = realTarget(path);
    this.fileName = basename(path);
    this.#isNew = isNew;
    this.#unfinished = unfinished;
    this.#access = accessOf(beside) ?? ALL;
    this.#temporary = join(isNew ? dirname(this.path) : this.path, partName(path));
  }

  /** The names that already exist in the folder. If the folder is to be created but exists, all of them. */
  taken(names: readonly string[]): readonly string[] {
    if (this.#isNew) return existsSync(this.path) ? names : [];
    return names.filter((name) => existsSync(join(this.path, safeName(name))));
  }

  /** Appends. A file may be written in several pieces, but not after another file was started. */
  write(name: string, bytes: Uint8Array): Promise<void> {
    return this.#inOrder(() => this.#append(safeName(name), bytes));
  }

  /** @param replaced names of files that may be replaced */
  commit(replaced: ReadonlySet<string>): Promise<void> {
    return this.#inOrder(async () => {
      try {
        await this.#closeCurrent();
        if (this.#isNew) await this.#takePlace();
        else await this.#moveAllOut(replaced);
        await this.#removeTemporary();
      } catch (thrown) {
        await this.#discard();
        throw thrown;
      }
    });
  }

  abort(): Promise<void> {
    return this.#inOrder(() => this.#discard());
  }

  async #append(name: string, bytes: Uint8Array): Promise<void> {
    if (this.#written.size === 0) {
      this.#unfinished.begun(this.#temporary);
      // Nobody else reads files that are not complete.
      await mkdir(this.#temporary, { mode: PRIVATE_FOLDER });
    }
    if (this.#current?.name !== name) {
      await this.#closeCurrent();
      this.#written.add(name);
      const path = join(this.#temporary, name);
      const replaced = this.#isNew ? null : join(this.path, name);
      this.#access &= accessOf(replaced) ?? ALL;
      const handle = replaced === null ? await open(path, 'wx') : await createToReplace(path, replaced);
      this.#current = { name, handle };
    }
    await this.#current!.handle.writeFile(bytes);
  }

  async #closeCurrent(): Promise<void> {
    await this.#current?.handle.close();
    this.#current = null;
  }

  async #takePlace(): Promise<void> {
    if (this.#written.size === 0) return;
    if (existsSync(this.path)) throw isThere(this.fileName);
    await this.#restrict(this.#written);
    // The permissions of any new folder, and everyone who may read the file beside it may look into the folder.
    const looks = this.#access | ((this.#access & READS) >> 2);
    await chmod(this.#temporary, 0o777 & ~process.umask() & (looks | PRIVATE_FOLDER));
    await rename(this.#temporary, this.path);
  }

  async #moveAllOut(replaced: ReadonlySet<string>): Promise<void> {
    const clash = this.taken([...this.#written]).find((name) => !replaced.has(name));
    if (clash !== undefined) throw isThere(clash);
    await this.#restrict([...this.#written].filter((name) => !existsSync(join(this.path, name))));
    for (const name of this.#written) await this.#moveOut(name, replaced.has(name));
  }

  /** Takes rights away from new files that the replaced files do not have. */
  async #restrict(names: Iterable<string>): Promise<void> {
    if (this.#access === ALL) return;
    for (const name of names) {
      const path = join(this.#temporary, name);
      await chmod(path, statSync(path).mode & (this.#access | 0o600)).catch(() => undefined);
    }
  }

  async #moveOut(name: string, mayReplace: boolean): Promise<void> {
    const [from, to] = [join(this.#temporary, name), join(this.path, name)];
    if (mayReplace) return rename(from, to);
    try {
      await link(from, to);
    } catch (thrown) {
      // Some file systems have no hard links: there, checking first is the best available.
      if ((thrown as { readonly code?: string }).code !== 'EEXIST' && !existsSync(to)) return rename(from, to);
      throw isThere(name);
    }
  }

  async #discard(): Promise<void> {
    await this.#closeCurrent().catch(() => undefined);
    await this.#removeTemporary();
  }

  async #removeTemporary(): Promise<void> {
    await rm(this.#temporary, { recursive: true, force: true });
    this.#unfinished.ended(this.#temporary);
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(work).catch((thrown: unknown) => {
      throw writeError(this.fileName, thrown);
    });
    this.#tail = done.catch(() => undefined);
    return done;
  }
}

const ALL = 0o777;
const READS = 0o444;

/** Permissions of a file; null if there is none. */
function accessOf(path: string | null | undefined): number | null {
  const stats = path ? statSync(path, { throwIfNoEntry: false }) : undefined;
  return stats ? stats.mode & ALL : null;
}

const isThere = (name: string): AppError =>
  AppError.exists(`“${name}” already exists and was not replaced. Choose another folder or name.`);
