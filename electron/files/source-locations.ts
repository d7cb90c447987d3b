// Remembers, across starts, where the library's source files are: pages know only the id of a path, never the path.
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { eachEntry } from '#shared/stored.ts';
import { readJson, writeJson } from '../json-file.ts';

export interface SourceLocations {
  /** Returns the id of a path, and remembers it. */
  idOf(path: string): string;
  pathOf(sourceId: string): string | null;
  forget(sourceId: string): void;
  /** Forgets all others, except those remembered since the app was started: a chosen file may still be on its way into the library. */
  keepOnly(sourceIds: readonly string[]): void;
}

/** Always the same for a path: histories of files in place are stored under it. */
export const sourceIdFor = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16);

export function createSourceLocations(storePath: string): SourceLocations {
  const paths = new Map(Object.entries(v.parse(eachEntry(v.string()), readJson(storePath))));
  const fresh = new Set<string>();
  const save = (): void => writeJson(storePath, Object.fromEntries(paths));
  return {
    idOf(path) {
      const id = sourceIdFor(path);
      fresh.add(id);
      if (!paths.has(id)) {
        paths.set(id, path);
        save();
      }
      return id;
    },
    pathOf: (sourceId) => paths.get(sourceId) ?? null,
    forget(sourceId) {
      fresh.delete(sourceId);
      if (paths.delete(sourceId)) save();
    },
    keepOnly(sourceIds) {
      const kept = new Set([...sourceIds, ...fresh]);
      const others = [...paths.keys()].filter((id) => !kept.has(id));
      for (const id of others) paths.delete(id);
      if (others.length > 0) save();
    },
  };
}
