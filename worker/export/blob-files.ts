// Writes BLOBs of an export as files in a folder beside it, in batches, and names them.
import { trimmed } from '#shared/trimmed.ts';

export interface BlobFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Takes some files at a time; resolves when there is room for more. */
type BlobFileSink = (files: readonly BlobFile[]) => Promise<void>;

const FULL_BYTES = 2 * 2 ** 20;
const FULL_FILES = 200;
const OTHER = 'bin';
/** File types by their first bytes. */
const KINDS: readonly (readonly [string, readonly number[]])[] = [
  ['png', [0x89, 0x50, 0x4e, 0x47]],
  ['jpg', [0xff, 0xd8, 0xff]],
  ['gif', [0x47, 0x49, 0x46, 0x38]],
  ['pdf', [0x25, 0x50, 0x44, 0x46]],
  ['zip', [0x50, 0x4b, 3, 4]],
  ['gz', [0x1f, 0x8b]],
];

export class BlobFiles {
  readonly #folder: string;
  readonly #sink: BlobFileSink | null;
  readonly #counts = new Map<string, number>();
  #waiting: BlobFile[] = [];
  #bytes = 0;

  /** @param sink null when the files are only named, not written */
  constructor(folder: string, sink: BlobFileSink | null) {
    this.#folder = folder;
    this.#sink = sink;
  }

  get isFull(): boolean {
    return this.#bytes >= FULL_BYTES || this.#waiting.length >= FULL_FILES;
  }

  /** Returns its path, from the folder of the file that names it. The bytes are copied. */
  add(bytes: Uint8Array, column: string): string {
    const stem = safeStem(column, 'blob').toLowerCase().replaceAll('-', '_');
    const number = (this.#counts.get(stem) ?? 0) + 1;
    this.#counts.set(stem, number);
    // A hyphen, with which no stem ends, separates the number, so that a column “a-1” cannot collide with a file of a column “a”.
    const name = `${stem}-${number}.${kindOf(bytes)}`;
    if (this.#sink) {
      this.#waiting.push({ name, bytes: bytes.slice() });
      this.#bytes += bytes.length;
    }
    return `${this.#folder}/${name}`;
  }

  async flush(): Promise<void> {
    const files = this.#waiting;
    if (files.length === 0) return;
    this.#waiting = [];
    this.#bytes = 0;
    await this.#sink?.(files);
  }
}

const kindOf = (bytes: Uint8Array): string =>
  KINDS.find(([, start]) => start.every((byte, at) => bytes[at] === byte))?.[0] ?? OTHER;

/** Device names on Windows, with any extension (learn.microsoft.com, Naming Files). */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const MAX_LENGTH = 80;

/** A part of a file name: letters, digits and characters without a special meaning on any system. */
function safeStem(name: string, otherwise: string): string {
  const stem = trimmed(name.replace(/[^\p{L}\p{N}._ -]+/gu, '_').slice(0, MAX_LENGTH), '. ');
  if (stem === '') return otherwise;
  return DEVICES.test(stem) ? `_${stem}` : stem;
}

/** Returns one name for each, in order: `a/b` and `A_B` do not collide on any system. */
export function fileNamesFor(names: readonly string[], extension: string): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const stem = safeStem(name, 'table');
    let free = stem;
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${stem} (${number})`;
    taken.add(free.toLowerCase());
    return `${free}.${extension}`;
  });
}
