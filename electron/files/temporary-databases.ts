// Temporary databases of windows, each in a private folder of the profile: it belongs to a window and is removed with it.
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newUnpackedName } from '#shared/archives.ts';
import { newComparisonCopyName } from '#shared/protocol/compare.ts';
import { PRIVATE_FOLDER } from './file-access.ts';

export interface TemporaryDatabases {
  /** Returns a new name, and the path to write its file to. @param newName makes it, if it is of another kind than usual here */
  create(owner: object, newName?: (uuid: string) => string): { readonly name: string; readonly path: string };
  /** Null if the database does not belong to this owner. */
  pathOf(owner: object, name: string): string | null;
  remove(owner: object, name: string): void;
  removeAllOf(owner: object): void;
  removeAll(): void;
}

/** Name that earlier versions gave to the folder of comparison copies. */
const EARLIER_FOLDER = 'twins';

/** For the native engine to compare with. Call only in the one running instance, as for all of them. */
export function createComparisonCopyFiles(profile: string): TemporaryDatabases {
  remove(join(profile, EARLIER_FOLDER));
  return createTemporaryDatabases(join(profile, 'comparison-copies'), newComparisonCopyName);
}

/** Unpacked from archives, or read from a Git repository. */
export const createUnpackedFiles = (profile: string): TemporaryDatabases =>
  createTemporaryDatabases(join(profile, 'unpacked'), newUnpackedName);

/** Removes what a killed run left in `folder`. */
function createTemporaryDatabases(folder: string, newName: (uuid: string) => string): TemporaryDatabases {
  const databases = new Map<string, object>();
  const ownFolder = (name: string): string => join(folder, name);
  const pathOf = (name: string): string => join(ownFolder(name), 'database.sqlite3');
  const forget = (name: string): void => {
    databases.delete(name);
    remove(ownFolder(name));
  };
  remove(folder);
  return {
    create(owner, nameOf = newName) {
      const name = nameOf(randomUUID());
      mkdirSync(ownFolder(name), { recursive: true, mode: PRIVATE_FOLDER });
      databases.set(name, owner);
      return { name, path: pathOf(name) };
    },
    pathOf: (owner, name) => (databases.get(name) === owner ? pathOf(name) : null),
    remove(owner, name) {
      if (databases.get(name) === owner) forget(name);
    },
    removeAllOf(owner) {
      for (const [name, known] of databases) if (known === owner) forget(name);
    },
    removeAll() {
      databases.clear();
      remove(folder);
    },
  };
}

export function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Still open (Windows), or the disk is read-only now: the next start tries again.
  }
}
