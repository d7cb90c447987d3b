// Turns a scratch database into one of the library, unchanged, once SQLite has checked it as it checks a file that is imported.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { LibraryEntry } from '#shared/protocol/library.ts';
import { checkCopy } from '../library/check.ts';
import type { LibraryContext } from '../library/context.ts';
import { libraryEntry } from '../library/library.ts';
import { runLongWork, type ProgressCall } from '../library/long-work.ts';
import { cleanName } from '../library/names.ts';
import type { WindowSession } from '../sessions/session.ts';
import { sourceOf, takeSource } from './opened-sources.ts';

interface Kept {
  readonly id: string;
  readonly name: string;
}

/** @throws AppError `not-found`, `corrupt`, `stopped`, `invalid` for the name; the scratch database is still there then */
export async function keepAsDatabase(
  context: LibraryContext,
  window: WindowSession,
  { id, name }: Kept,
  call: ProgressCall,
): Promise<LibraryEntry> {
  const clean = cleanName(name);
  const { connection, scratch, contents } = sourceOf(window, id);
  const title = { window, databaseName: clean, title: `Checking ${contents.fileName}` };
  await runLongWork(context, title, call, async (work) => {
    connection.onProgress(() => work.tick());
    try {
      // A dump can write what virtual tables keep their content in, and the connection that read it was not in defensive mode.
      const [problem] = (await checkCopy(connection, (progress) => work.report(progress))).messages;
      if (problem !== undefined) throw damaged(contents.fileName, problem);
    } finally {
      connection.onProgress(null);
    }
  });
  // The window may have released it in the meantime.
  sourceOf(window, id);
  connection.checkpoint();
  takeSource(window, id);
  connection.close();
  const entry = context.catalogue.add({ name: clean, source: null, file: scratch.file });
  return libraryEntry(context, entry.id);
}

function damaged(fileName: string, problem: string): AppError {
  const what = `“${fileName}” describes a damaged database: ${problem.split('\n')[0]!}.`;
  return AppError.corrupt(
    inParts(what, 'Nothing was added to the library. Tables can still be chosen and moved into another database.'),
  );
}
