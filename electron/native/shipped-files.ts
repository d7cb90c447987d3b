// Whether the files beside the archive, which the engines run, are those the app was packaged with: the archive has their hashes, made at
// packaging, and on macOS and Windows Electron checks the archive itself.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The SHA-256 of each file in hexadecimal, by its path below the folder; null: the system checks the file’s own signature. */
export type ShippedFiles = Readonly<Record<string, string | null>>;

/** A package that somebody has added, such as an engine to compare with: no file of the list is in it. */
const isAdded = (path: string, shipped: ShippedFiles): boolean =>
  /^node_modules\/[^/]+$/.test(path) && !Object.keys(shipped).some((file) => file.startsWith(`${path}/`));

/** Files that file managers put anywhere. Nothing loads a file by such a name. */
const OF_FILE_MANAGERS = /^(\..*|desktop\.ini|thumbs\.db)$/i;

/** The first file that differs from the list, or is missing in the list or in the folder; null if there is none. */
export function changedFile(folder: string, shipped: ShippedFiles): string | null {
  const found = filesBelow(folder, '', shipped);
  const isMissing = (file: string): boolean => !found.includes(file);
  const hasChanged = (file: string): boolean =>
    !Object.hasOwn(shipped, file) || ![null, hashOf(join(folder, file))].includes(shipped[file]!);
  return found.find(hasChanged) ?? Object.keys(shipped).find(isMissing) ?? null;
}

function filesBelow(folder: string, path: string, shipped: ShippedFiles): string[] {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    if (OF_FILE_MANAGERS.test(entry.name)) return [];
    const inside = path === '' ? entry.name : `${path}/${entry.name}`;
    if (!entry.isDirectory()) return [inside];
    return isAdded(inside, shipped) ? [] : filesBelow(folder, inside, shipped);
  });
}

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
