// Remembers, across starts, the partial files and folders of exports: the next run removes those a killed run left.
import { rmSync } from 'node:fs';
import * as v from 'valibot';
import { each } from '#shared/stored.ts';
import { readJson, writeJson } from '../json-file.ts';

/** Every remembered name ends with this; no other file is ever removed. */
export const PART_SUFFIX = '.sidelite-part';

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
