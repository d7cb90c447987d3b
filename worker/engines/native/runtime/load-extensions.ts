// Loads the extensions of a database into a new connection: each only while its file is the one that was approved.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { CHANGED_SINCE_APPROVED } from '#shared/extensions.ts';
import type { AddedFunction, ExtensionToLoad, ListedExtension } from '#shared/extensions.ts';
import type { LoadedExtension } from '../../engine.ts';
import type { Database } from './load.ts';

const CHUNK_BYTES = 1 << 20;

/** One that cannot be loaded says why; the others are loaded all the same. */
export const loadExtensions = (db: Database, extensions: readonly ExtensionToLoad[]): readonly LoadedExtension[] =>
  extensions.map(({ path, sha256, ...listed }) => {
    const without = (why: string, more: Pick<ListedExtension, 'awaitsApproval'> = {}): LoadedExtension => ({
      state: { ...listed, why, ...more, functions: 0, modules: [] },
      added: [],
    });
    if (listed.why !== null) return without(listed.why);
    try {
      if (hashOf(path) !== sha256) return without(CHANGED_SINCE_APPROVED, { awaitsApproval: true });
      const before = { functions: functionsOf(db), modules: modulesOf(db) };
      db.loadExtension(path);
      const added = [...functionsOf(db).values()].filter(({ name }) => !before.functions.has(name));
      const modules = [...modulesOf(db)].filter((name) => !before.modules.has(name));
      return { state: { ...listed, functions: added.length, modules }, added };
    } catch (thrown) {
      // Where the system cannot load the file, SQLite tries a name with an ending, and tells only why that one failed.
      const { message } = thrown as Error;
      return without(
        `It could not be loaded: it is no extension for this system, or a library that it needs is missing (${message}).`,
      );
    }
  });

function hashOf(path: string): string {
  const hash = createHash('sha256');
  const bytes = Buffer.alloc(CHUNK_BYTES);
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const length = readSync(file, bytes, 0, CHUNK_BYTES, null);
      if (length === 0) return hash.digest('hex');
      hash.update(bytes.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}

function functionsOf(db: Database): ReadonlyMap<string, AddedFunction> {
  const rows = db.prepare('SELECT DISTINCT name, narg FROM pragma_function_list ORDER BY name, narg').raw(true).all();
  const functions = new Map<string, AddedFunction>();
  for (const [name, narg] of rows as readonly (readonly [string, number])[])
    functions.set(name, { name, argumentCounts: [...(functions.get(name)?.argumentCounts ?? []), narg] });
  return functions;
}

const modulesOf = (db: Database): ReadonlySet<string> =>
  new Set(db.prepare('SELECT name FROM pragma_module_list ORDER BY name').pluck(true).all() as readonly string[]);
