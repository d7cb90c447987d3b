// Private copies of extensions, from which they are loaded. A file is compared with what was approved while it is copied: what another
// program writes to it after that does not become code.
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { CHANGED_SINCE_APPROVED, MOST_EXTENSION_BYTES } from '#shared/extensions.ts';
import type { ExtensionFile, ExtensionToLoad } from '#shared/extensions.ts';
import { isAbandoned } from '#shared/scratch-names.ts';
import { thisSystem } from './process-table.ts';
import { makeScratchFolder } from './scratch-folders.ts';

const CHUNK_BYTES = 1 << 20;
const [PRIVATE_FOLDER, PRIVATE_PROGRAM] = [0o700, 0o500];
/** What stands in a library that looks for others beside itself, on Linux and on macOS. */
const BESIDE_ITSELF = ['$ORIGIN', '${ORIGIN}', '@loader_path'];
const OVERLAP_BYTES = 16;
/** SQLite appends one to the path if the system cannot load the file: then it would load another file, which nobody has approved. */
const ENDINGS = ['so', 'dylib', 'dll'];

export class ExtensionCopies {
  readonly #parent: string;
  #folder: string | null = null;

  /**
   * @param parent is created if it is missing. A folder of the profile: systems that are set up with care run no programs from the temporary
   * one
   */
  constructor(parent: string) {
    this.#parent = parent;
  }

  /** The extension with its copy, which is there as long as this process, or with the reason why there is none. */
  take({ sha256, ...file }: ExtensionToLoad): ExtensionFile {
    if (file.why !== null) return file;
    try {
      const stats = statSync(file.path, { throwIfNoEntry: false });
      if (!stats) return { ...file, why: `There is no file at ${file.displayPath}.` };
      if (!stats.isFile()) return { ...file, why: `${file.displayPath} is not an ordinary file.` };
      if (stats.size > MOST_EXTENSION_BYTES) return { ...file, why: `${file.displayPath} is larger than 1 GB.` };
      const copy = copyInto(this.#own(), file.path);
      if (copy === null || (sha256 !== null && copy.sha256 !== sha256)) {
        if (copy !== null) rmSync(copy.path, { force: true });
        return { ...file, why: CHANGED_SINCE_APPROVED, awaitsApproval: true };
      }
      // Whoever can replace the file can replace those beside it, which are compared with nothing.
      if (copy.looksBesideItself) {
        rmSync(copy.path, { force: true });
        return { ...file, why: whyNotInPlace(file.path) };
      }
      return { ...file, path: this.#keep(copy, basename(file.path)) };
    } catch (thrown) {
      return { ...file, why: `${file.displayPath} could not be copied to be loaded. ${(thrown as Error).message}` };
    }
  }

  /** Under its own name, from which SQLite derives that of its entry point. One that is there already may be in use, and is the same. */
  #keep({ path, sha256 }: Copy, name: string): string {
    const folder = join(this.#own(), sha256);
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    const kept = join(folder, name);
    if (existsSync(kept)) rmSync(path, { force: true });
    else renameSync(path, kept);
    return kept;
  }

  /** The folder of this process. Those of processes that are gone are removed. */
  #own(): string {
    if (this.#folder !== null) return this.#folder;
    mkdirSync(this.#parent, { recursive: true, mode: PRIVATE_FOLDER });
    const system = thisSystem();
    for (const name of readdirSync(this.#parent).filter((each) => isAbandoned(each, system)))
      rmSync(join(this.#parent, name), { recursive: true, force: true });
    return (this.#folder = makeScratchFolder(this.#parent));
  }
}

interface Copy {
  readonly path: string;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly looksBesideItself: boolean;
}

/** Null: the file grows, and has become too large. @throws the error of the file system */
function copyInto(folder: string, source: string): Copy | null {
  const path = join(folder, 'new');
  rmSync(path, { force: true });
  const hash = createHash('sha256');
  const bytes = Buffer.alloc(OVERLAP_BYTES + CHUNK_BYTES);
  const from = openSync(source, 'r');
  const to = openSync(path, 'wx', PRIVATE_PROGRAM);
  let looksBesideItself = false;
  try {
    for (let total = 0; ;) {
      const length = readSync(from, bytes, OVERLAP_BYTES, CHUNK_BYTES, null);
      if (length === 0) return { path, sha256: hash.digest('hex'), looksBesideItself };
      total += length;
      if (total > MOST_EXTENSION_BYTES) return null;
      const end = OVERLAP_BYTES + length;
      hash.update(bytes.subarray(OVERLAP_BYTES, end));
      looksBesideItself ||= BESIDE_ITSELF.some((text) => bytes.subarray(0, end).includes(text));
      for (let at = OVERLAP_BYTES; at < end;) at += writeSync(to, bytes, at, end - at);
      bytes.copyWithin(0, end - OVERLAP_BYTES, end);
    }
  } finally {
    closeSync(from);
    closeSync(to);
  }
}

function whyNotInPlace(path: string): string | null {
  const beside = ENDINGS.map((ending) => `${path}.${ending}`).find(existsSync);
  if (beside === undefined) return null;
  return `“${basename(beside)}” is in the same folder, and SQLite might load that file in place of this one, so neither was loaded. Move one of them to another folder.`;
}
