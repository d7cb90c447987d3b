// Turns a scratch database into one of the library, unchanged.
import type { LibraryEntry } from '#shared/protocol/library.ts';
import type { LibraryContext } from '../library/context.ts';
import { libraryEntry } from '../library/library.ts';
import { cleanName } from '../library/names.ts';
import type { WindowSession } from '../sessions/session.ts';
import { sourceOf, takeSource } from './opened-sources.ts';

/** @throws AppError `not-found`, `invalid` for the name; the scratch database is still there then */
export function keepAsDatabase(context: LibraryContext, window: WindowSession, id: string, name: string): LibraryEntry {
  const clean = cleanName(name);
  const { connection, scratch } = sourceOf(window, id);
  connection.checkpoint();
  takeSource(window, id);
  connection.close();
  const entry = context.catalogue.add({ name: clean, source: null, file: scratch.file });
  return libraryEntry(context, entry.id);
}
