// Builds a new pool file that becomes part of the library only when it is complete.
import type { LibraryEntry } from '#shared/protocol/library.ts';
import type { CatalogueEntry, NewDatabase } from './catalogue.ts';
import type { LibraryContext } from './context.ts';

/** Slots of the catalogue, besides what is listed and what is being built. */
const CATALOGUE = 1;

export function newFileName(): string {
  return `/db-${crypto.randomUUID()}.sqlite3`;
}

/**
 * Runs `build` on the name of a file that does not exist yet. When it succeeds the file is switched into the library,
 * otherwise every trace of it is removed.
 */
export async function buildNewFile<T extends Omit<NewDatabase, 'file'>>(
  context: LibraryContext,
  build: (file: string) => Promise<T>,
): Promise<{ readonly entry: LibraryEntry; readonly built: T }> {
  const { catalogue, pool } = context;
  const file = newFileName();
  try {
    await beginFile(context, file);
    const built = await build(file);
    const added = catalogue.add({ name: built.name, source: built.source, baseline: built.baseline ?? null, file });
    return { entry: sized(context, added, file), built };
  } catch (error) {
    pool.remove(file);
    catalogue.forgetFile(file);
    throw error;
  }
}

/** Notes that `file` is about to be written, and makes room for it and for whatever is being written beside it. */
export async function beginFile({ catalogue, pool }: LibraryContext, file: string): Promise<void> {
  catalogue.beginFile(file);
  await pool.reserve(catalogue.files.length + catalogue.unfinishedFiles.length + CATALOGUE);
}

function sized({ pool }: LibraryContext, entry: CatalogueEntry, file: string): LibraryEntry {
  return { ...entry, sizeBytes: pool.sizeOf(file) };
}

/** Creates an empty database of one page: a file of no bytes would be one too, but confuses other tools. */
export function createEmpty(context: LibraryContext, file: string): void {
  const connection = context.engine.open(file, { durability: 'full', create: true, untrusted: false });
  try {
    connection.run('PRAGMA user_version = 0');
    connection.checkpoint();
  } finally {
    connection.close();
  }
}
