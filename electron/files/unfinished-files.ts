// Remembers, across starts, the files and folders that exports are being collected in: what a killed run left is removed by the next one.
import { rmSync } from 'node:fs';
import * as v from 'valibot';
import { each } from '#shared/stored.ts';
import { readJson, writeJson } from '../json-file.ts';

/** Ends every name listed here; nothing else is ever removed. */
export const PART_SUFFIX = '.sidelite-part';

export interface UnfinishedFiles {
  begun(path: string): void;
  ended(path: string): void;
}

/** Only for the one instance that runs: another one's files look just like leftovers. */
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

/** False while its disk is read-only or not ours to change: tried again at the next start. */
function removed(path: string): boolean {
  try {
    rmSync(path, { force: true, recursive: true });
    return true;
  } catch {
    return false;
  }
}
