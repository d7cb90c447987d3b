// The archive that holds the app's code: whether every file is what its header says, and the header what the program expects.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>;
  readonly size?: number;
  /** Offset in bytes from the end of the header; missing for a file beside the archive. */
  readonly offset?: string;
  readonly integrity?: { readonly algorithm: string; readonly hash: string };
}

/** The header follows four numbers of 32 bits: 4, the length of the rest of it, of its content, and of its text. */
const HEADER_AT = 16;

/** Why the archive is not sound; empty when it is. */
export function wrongInArchive(path: string): string[] {
  const archive = readFileSync(path);
  const { files } = JSON.parse(headerOf(archive)) as Entry;
  const contentAt = 8 + archive.readUInt32LE(4);
  const wrong: string[] = [];
  const look = (name: string, { files: inside, size, offset, integrity }: Entry): void => {
    if (inside) {
      for (const [part, entry] of Object.entries(inside)) look(`${name}/${part}`, entry);
      return;
    }
    if (offset === undefined || size === undefined) return void wrong.push(`${name} is not in the archive`);
    const at = contentAt + Number(offset);
    const hash = sha256(archive.subarray(at, at + size));
    if (integrity?.algorithm !== 'SHA256') wrong.push(`${name} has no hash`);
    else if (integrity.hash !== hash) wrong.push(`${name} is not what its hash says`);
  };
  look('', { files: files ?? {} });
  return wrong;
}

/**
 * The hash that the program compares with before it loads the archive: in the Info.plist of a Mac app, in a resource of a Windows program
 * (Electron 30 and later). Other systems do not compare.
 * @param record the file that holds it
 */
export function hasArchiveHash(record: string, archive: string): boolean {
  return existsSync(record) && readFileSync(record).includes(sha256(headerOf(readFileSync(archive))));
}

function headerOf(archive: Buffer): string {
  return archive.subarray(HEADER_AT, HEADER_AT + archive.readUInt32LE(HEADER_AT - 4)).toString('utf8');
}

function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
