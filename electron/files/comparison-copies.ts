// Temporary copies of databases for the native engine to compare with: each belongs to a window and is removed with it.
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newComparisonCopyName } from '#shared/protocol/compare.ts';
import { PRIVATE_FOLDER } from './file-access.ts';

export interface ComparisonCopyFiles {
  /** Returns a new name, and the path to write its file to. */
  create(owner: object): { readonly comparisonCopy: string; readonly path: string };
  /** Null if the copy does not belong to this owner. */
  pathOf(owner: object, comparisonCopy: string): string | null;
  remove(owner: object, comparisonCopy: string): void;
  removeAllOf(owner: object): void;
  removeAll(): void;
}

const SIDE_FILES = ['', '-wal', '-shm', '-journal'];

/** Name of the folder in the profile. */
const FOLDER = 'comparison-copies';
/** Name that earlier versions used. */
const EARLIER_FOLDER = 'twins';

/** Call only in the one running instance: removes what a killed run left. */
export function createComparisonCopyFiles(profile: string): ComparisonCopyFiles {
  const folder = join(profile, FOLDER);
  const comparisonCopies = new Map<string, { readonly owner: object; readonly path: string }>();
  const removeFile = (path: string): void => {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Still open (Windows), or the disk is read-only now: the next start tries again.
    }
  };
  const removeComparisonCopy = (comparisonCopy: string): void => {
    const path = comparisonCopies.get(comparisonCopy)?.path;
    comparisonCopies.delete(comparisonCopy);
    if (path !== undefined) for (const suffix of SIDE_FILES) removeFile(path + suffix);
  };
  for (const left of [folder, join(profile, EARLIER_FOLDER)]) removeFile(left);
  return {
    create(owner) {
      mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
      const comparisonCopy = newComparisonCopyName(randomUUID());
      const path = join(folder, `${comparisonCopy}.sqlite3`);
      comparisonCopies.set(comparisonCopy, { owner, path });
      return { comparisonCopy, path };
    },
    pathOf(owner, comparisonCopy) {
      const known = comparisonCopies.get(comparisonCopy);
      return known?.owner === owner ? known.path : null;
    },
    remove(owner, comparisonCopy) {
      if (comparisonCopies.get(comparisonCopy)?.owner === owner) removeComparisonCopy(comparisonCopy);
    },
    removeAllOf(owner) {
      for (const [comparisonCopy, known] of comparisonCopies)
        if (known.owner === owner) removeComparisonCopy(comparisonCopy);
    },
    removeAll() {
      comparisonCopies.clear();
      removeFile(folder);
    },
  };
}
