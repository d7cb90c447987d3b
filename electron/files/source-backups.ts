// Where a source that is saved over is kept: `name.bak` beside it. Only backups made here are ever replaced by newer ones.
import { existsSync } from 'node:fs';
import { readJson, writeJson } from '../json-file.ts';

export interface SourceBackups {
  /** Of the file as it was before the last save. */
  placeFor(path: string): string;
  made(backup: string): void;
}

export function createSourceBackups(storePath: string): SourceBackups {
  const stored = readJson(storePath);
  const own = new Set(Array.isArray(stored) ? stored.filter((path) => typeof path === 'string') : []);
  return {
    placeFor(path) {
      for (let number = 1; ; number++) {
        const place = number === 1 ? `${path}.bak` : `${path}.bak${number}`;
        if (own.has(place) || !existsSync(place)) return place;
      }
    },
    made(backup) {
      if (own.has(backup)) return;
      own.add(backup);
      writeJson(storePath, [...own]);
    },
  };
}
