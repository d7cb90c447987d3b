// The files a person has opened lately, for File › Open Recent and the system's own list. Paths never reach a page.
import * as v from 'valibot';
import { forgetRecentInSystem, tellSystemRecent } from '../compat.ts';
import { readJson, writeJson } from '../json-file.ts';

const MAX_FILES = 12;

export interface RecentFiles {
  /** Newest first. */
  readonly paths: readonly string[];
  add(path: string): void;
  clear(): void;
  /** Called after each change. */
  onChange(listener: () => void): void;
}

/** @param isWanted whether recent files are remembered at all */
export function createRecentFiles(storePath: string, isWanted: () => boolean): RecentFiles {
  const stored = readJson(storePath);
  const listeners: (() => void)[] = [];
  let paths: readonly string[] = v.is(v.array(v.string()), stored) ? stored.slice(0, MAX_FILES) : [];
  const keep = (next: readonly string[]): void => {
    paths = next;
    writeJson(storePath, paths);
    for (const listener of listeners) listener();
  };
  return {
    get paths() {
      return isWanted() ? paths : [];
    },
    add(path) {
      if (!isWanted()) return;
      tellSystemRecent(path);
      if (paths[0] !== path) keep([path, ...paths.filter((other) => other !== path)].slice(0, MAX_FILES));
    },
    clear() {
      forgetRecentInSystem();
      if (paths.length > 0) keep([]);
    },
    onChange: (listener) => void listeners.push(listener),
  };
}
