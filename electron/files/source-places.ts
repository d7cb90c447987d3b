// Remembers, across starts, where imported files came from: pages know only the id of a place, never its path.
import { createHash } from 'node:crypto';
import { readJson, writeJson } from '../json-file.ts';

export interface SourcePlaces {
  idOf(path: string): string;
  pathOf(sourceId: string): string | null;
}

export function createSourcePlaces(storePath: string): SourcePlaces {
  const stored = readJson(storePath);
  const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {});
  const paths = new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  return {
    idOf(path) {
      const id = createHash('sha256').update(path).digest('hex').slice(0, 16);
      if (!paths.has(id)) {
        paths.set(id, path);
        writeJson(storePath, Object.fromEntries(paths));
      }
      return id;
    },
    pathOf: (sourceId) => paths.get(sourceId) ?? null,
  };
}
