// Remembers, across starts, the partial files and folders of exports: the next run removes those a killed run left.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import * as v from 'valibot';
import { each } from '#shared/stored.ts';
import { firstChars } from '#shared/visible-text.ts';
import { readJson, writeJson } from '../json-file.ts';

/** Every remembered name ends with this; no other file is ever removed. */
export const PART_SUFFIX = '.sidelite-part';

/** Fewer than 200 bytes: a name of a file has 255 at most, and that of the file itself may have all of them. */
const NAME_CHARS = 40;

/** A name for what becomes the file or folder at `path` when it is complete. */
export const partName = (path: string): string =>
  `.${firstChars(basename(path), NAME_CHARS)}.${randomBytes(4).toString('hex')}${PART_SUFFIX}`;

export interface UnfinishedFiles {
  begun(path: string): void;
  ended(path: string): void;
}

/** Call only in the one running instance: another instance's files look like leftovers. */
export function createUnfinishedFiles(storePath: string): UnfinishedFiles {
  const stored = v.parse(each(v.pipe(v.string(), v.endsWith(PART_SUFFIX))), readJson(storePath));
  const paths = new Set(stored.filter((path) => !removed(path)));
  const save = (): void => writeJson(storePath, [...paths]);
  if (stored.length !== paths.size) save();
  return {
    begun(path) {
      paths.add(path);
      save();
    },
    ended(path) {
      if (paths.delete(path)) save();
    },
  };
}

/** Returns false while its disk is read-only or access is denied: the next start tries again. */
function removed(path: string): boolean {
  try {
    rmSync(path, { force: true, recursive: true });
    return true;
  } catch {
    return false;
  }
}
