// The folder in which the file dialogs start. Not a setting: it means nothing on another machine.
import * as v from 'valibot';
import { readJson, writeJson } from './json-file.ts';

export interface LastFolder {
  get(): string | null;
  set(path: string): void;
}

export function createLastFolder(storePath: string): LastFolder {
  const stored = readJson(storePath);
  let folder = v.is(v.object({ folder: v.string() }), stored) ? stored.folder : null;
  return {
    get: () => folder,
    set(path) {
      if (path === folder) return;
      folder = path;
      writeJson(storePath, { folder });
    },
  };
}
