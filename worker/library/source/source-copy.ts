// The current source, copied into the pool temporarily: to compare with, or to apply.
import { fail } from '#shared/protocol/errors.ts';
import type { SourceFileInfo } from '#shared/protocol/files.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { LibraryContext } from '../context.ts';
import { checkHeader } from '../file-header.ts';
import { letGo } from '../files.ts';
import { copyAndCheck, readHead } from '../import.ts';
import type { LongWork } from '../long-work.ts';
import { beginFile, createEmpty } from '../new-file.ts';

/** @throws AppError `not-found` when the database came from no file */
export function sourceLocationId({ catalogue }: LibraryContext, id: DatabaseId): string {
  const { name, source } = catalogue.entry(id);
  if (source?.locationId) return source.locationId;
  fail('not-found', `“${name}” did not come from a file that can be found again. Export it to a file instead.`);
}

export async function withSourceCopy<T>(
  context: LibraryContext,
  locationId: string,
  work: LongWork,
  body: (file: string, info: SourceFileInfo) => Promise<T>,
): Promise<T> {
  const { file, info, close } = await openSourceCopy(context, locationId, work);
  try {
    return await body(file, info);
  } finally {
    close();
  }
}

/** Exists until it is closed. */
export async function openSourceCopy(
  context: LibraryContext,
  locationId: string,
  work: LongWork,
): Promise<{ readonly file: string; readonly info: SourceFileInfo; readonly close: () => void }> {
  const { files, pool, catalogue } = context;
  // Not a database name: what a crash leaves behind is removed at the next start.
  const file = `/source-${crypto.randomUUID()}.sqlite3`;
  const close = (): void => {
    pool.remove(file);
    catalogue.forgetFile(file);
  };
  const { token } = await files.call('source.open', { locationId });
  try {
    const info = await files.call('file.info', { token });
    const { empty } = checkHeader(await readHead(context, token), info);
    await beginFile(context, file);
    if (empty) createEmpty(context, file);
    else await copyAndCheck(context, token, info, file, work);
    return { file, info, close };
  } catch (error) {
    close();
    throw error;
  } finally {
    await letGo(files, token);
  }
}
