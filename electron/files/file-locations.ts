// Remembers, across starts, where the files of the library and of import tabs are: pages know only the id of a location, never the path.
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { eachEntry } from '#shared/stored.ts';
import { readJson, writeJson } from '../json-file.ts';

export interface FileLocations {
  /** Returns the id of a path, and remembers it. */
  idOf(path: string): string;
  pathOf(locationId: string): string | null;
  forget(locationId: string): void;
  /** Forgets all others, except those remembered since the app was started: a chosen file may still be on its way into the library. */
  keepOnly(locationIds: readonly string[]): void;
}

/** Always the same for a path: histories of files in place are stored under it. */
export const locationIdFor = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16);

export function createFileLocations(storePath: string): FileLocations {
  const paths = new Map(Object.entries(v.parse(eachEntry(v.string()), readJson(storePath))));
  const fresh = new Set<string>();
  const save = (): void => writeJson(storePath, Object.fromEntries(paths));
  return {
    idOf(path) {
      const id = locationIdFor(path);
      fresh.add(id);
      if (!paths.has(id)) {
        paths.set(id, path);
        save();
      }
      return id;
    },
    pathOf: (locationId) => paths.get(locationId) ?? null,
    forget(locationId) {
      fresh.delete(locationId);
      if (paths.delete(locationId)) save();
    },
    keepOnly(locationIds) {
      const kept = new Set([...locationIds, ...fresh]);
      const others = [...paths.keys()].filter((id) => !kept.has(id));
      for (const id of others) paths.delete(id);
      if (others.length > 0) save();
    },
  };
}
