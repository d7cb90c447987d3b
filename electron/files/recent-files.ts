// The files a person has opened lately, for File › Open Recent and the system's own list. Paths never reach a page.
import { basename, dirname } from 'node:path';
import * as v from 'valibot';
import type { RecentFile } from '#shared/menu.ts';
import { forgetRecentInSystem, tellSystemRecent } from '../compat.ts';
import { readJson, writeJson } from '../json-file.ts';

const MAX_FILES = 12;

export interface RecentFiles {
  /** Newest first. */
  readonly paths: readonly string[];
  /** Names the path to a page, until the app ends. */
  idOf(path: string): string;
  add(path: string): void;
  clear(): void;
  /** Called after each change. */
  onChange(listener: () => void): void;
}

/** @param isWanted whether recent files are remembered at all */
export function createRecentFiles(storePath: string, isWanted: () => boolean): RecentFiles {
  const stored = readJson(storePath);
  const listeners: (() => void)[] = [];
  const ids = new Map<string, string>();
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
    idOf(path) {
      const id = ids.get(path) ?? `recent.${ids.size + 1}`;
      ids.set(path, id);
      return id;
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

/** Names for a page: files of the same name have that of their folder, too. */
export function recentNames(recent: RecentFiles): readonly RecentFile[] {
  const names = recent.paths.map((path) => basename(path));
  return recent.paths.map((path, at) => {
    const name = names[at]!;
    const isAlone = names.indexOf(name) === names.lastIndexOf(name);
    return { id: recent.idOf(path), name: isAlone ? name : `${name} (${basename(dirname(path))})` };
  });
}
