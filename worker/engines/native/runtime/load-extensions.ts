// Loads the extensions of a database into a new connection.
import type { AddedFunction, ExtensionFile } from '#shared/extensions.ts';
import type { LoadedExtension } from '../../engine.ts';
import type { Database } from './load.ts';

/** One that cannot be loaded says why; the others are loaded all the same. */
export const loadExtensions = (db: Database, extensions: readonly ExtensionFile[]): readonly LoadedExtension[] =>
  extensions.map(({ path, ...listed }) => {
    const without = (why: string): LoadedExtension => ({
      state: { ...listed, why, functions: 0, modules: [] },
      added: [],
    });
    if (listed.why !== null) return without(listed.why);
    try {
      const before = { functions: functionsOf(db), modules: modulesOf(db) };
      db.loadExtension(path);
      const added = [...functionsOf(db).values()].filter(({ name }) => !before.functions.has(name));
      const modules = [...modulesOf(db)].filter((name) => !before.modules.has(name));
      return { state: { ...listed, functions: added.length, modules }, added };
    } catch (thrown) {
      return without(whyNotLoaded((thrown as Error).message));
    }
  });

/** Where the system cannot load the file, SQLite tries a name with an ending, and tells only why that one failed. */
const whyNotLoaded = (message: string): string =>
  // oxlint-disable-next-line sidelite/text-decisions -- SQLite has one code for all reasons: only the name of the entry point is in no other message
  /\bsqlite3_\w*init\b/.test(message)
    ? `It is a library, but has no entry point of the name that SQLite derives from its file name. If the file was renamed, give it the name from its project back, such as “vec0” (${message}).`
    : `It could not be loaded: it is no extension for this system, or a library that it needs is missing (${message}).`;

// Statements, not table-valued functions: a table of the database may have the name of such a function.
function functionsOf(db: Database): ReadonlyMap<string, AddedFunction> {
  const rows = db.prepare('PRAGMA function_list').all() as readonly { readonly name: string; readonly narg: number }[];
  const counts = new Map<string, Set<number>>();
  for (const { name, narg } of rows) counts.set(name, (counts.get(name) ?? new Set()).add(narg));
  return new Map(
    [...counts].map(([name, each]) => [name, { name, argumentCounts: [...each].sort((one, other) => one - other) }]),
  );
}

const modulesOf = (db: Database): ReadonlySet<string> =>
  new Set((db.prepare('PRAGMA module_list').pluck(true).all() as string[]).sort());
