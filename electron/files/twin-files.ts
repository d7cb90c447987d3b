// Temporary copies of databases for the native engine to compare with: each belongs to a window and goes with it.
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newTwinName } from '#shared/protocol/compare.ts';
import { PRIVATE_FOLDER } from './file-access.ts';

export interface TwinFiles {
  /** A new name, and where its file is to be written. */
  create(owner: object): { readonly twin: string; readonly path: string };
  /** Null for one that is not this owner's. */
  pathOf(owner: object, twin: string): string | null;
  remove(owner: object, twin: string): void;
  removeAllOf(owner: object): void;
  removeAll(): void;
}

const SIDE_FILES = ['', '-wal', '-shm', '-journal'];

/** Only for the one instance that runs: what a killed run left in `folder` is removed. */
export function createTwinFiles(folder: string): TwinFiles {
  const twins = new Map<string, { readonly owner: object; readonly path: string }>();
  const removeFile = (path: string): void => {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Still open (Windows), or its disk is read-only now: the next start tries again.
    }
  };
  const removeTwin = (twin: string): void => {
    const path = twins.get(twin)?.path;
    twins.delete(twin);
    if (path !== undefined) for (const suffix of SIDE_FILES) removeFile(path + suffix);
  };
  removeFile(folder);
  return {
    create(owner) {
      mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
      const twin = newTwinName(randomUUID());
      const path = join(folder, `${twin}.sqlite3`);
      twins.set(twin, { owner, path });
      return { twin, path };
    },
    pathOf(owner, twin) {
      const known = twins.get(twin);
      return known?.owner === owner ? known.path : null;
    },
    remove(owner, twin) {
      if (twins.get(twin)?.owner === owner) removeTwin(twin);
    },
    removeAllOf(owner) {
      for (const [twin, known] of twins) if (known.owner === owner) removeTwin(twin);
    },
    removeAll() {
      twins.clear();
      removeFile(folder);
    },
  };
}
