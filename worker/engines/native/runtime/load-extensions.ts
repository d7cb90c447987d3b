// Loads the extensions of a database into a new connection: each only while its file is the one that was approved.
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { CHANGED_SINCE_APPROVED } from '#shared/extensions.ts';
import type { AddedFunction, ExtensionToLoad, ListedExtension } from '#shared/extensions.ts';
import type { LoadedExtension } from '../../engine.ts';
import type { Database } from './load.ts';

const CHUNK_BYTES = 1 << 20;
/** SQLite appends one to the path if the system cannot load the file: then it would load another file, which nobody has approved. */
const ENDINGS = ['so', 'dylib', 'dll'];

/** One that cannot be loaded says why; the others are loaded all the same. */
export const loadExtensions = (db: Database, extensions: readonly ExtensionToLoad[]): readonly LoadedExtension[] =>
  extensions.map(({ path, sha256, ...listed }) => {
    const without = (why: string, more: Pick<ListedExtension, 'awaitsApproval'> = {}): LoadedExtension => ({
      state: { ...listed, why, ...more, functions: 0, modules: [] },
      added: [],
    });
    if (listed.why !== null) return without(listed.why);
    try {
      const beside = ENDINGS.map((ending) => `${path}.${ending}`).find(existsSync);
      if (beside !== undefined) return without(besideIt(basename(beside)));
      if (hashOf(path) !== sha256) return without(CHANGED_SINCE_APPROVED, { awaitsApproval: true });
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

const besideIt = (other: string): string =>
  `“${other}” is in the same folder, and SQLite might load that file in place of this one, so neither was loaded. Move one of them to another folder.`;

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
