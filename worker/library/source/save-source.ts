// Saves a library copy over the file it came from. Main replaces that in one step, or leaves it unchanged.
import { AppError } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { WindowSession } from '../../sessions/session.ts';
import type { LibraryContext } from '../context.ts';
import { streamOut, VERSION_BYTES, type FileVersion } from '../export.ts';
import { HEADER_BYTES } from '../file-header.ts';
import { FileSink, letGo } from '../files.ts';
import { runLongWork, type ProgressCall } from '../long-work.ts';
import { baselineNow } from './baseline.ts';
import { sourceLocationId } from './source-copy.ts';

interface SaveRequest {
  readonly database: DatabaseId;
  readonly overwrite: boolean;
}

export async function saveSource(
  context: LibraryContext,
  window: WindowSession,
  { database: id, overwrite }: SaveRequest,
  call: ProgressCall,
): Promise<{ readonly sizeBytes: number; readonly backup: string | null }> {
  const { catalogue, files } = context;
  const { name } = catalogue.entry(id);
  const locationId = sourceLocationId(context, id);
  const baseline = baselineNow(context, id);
  if (!baseline && !overwrite) throw neverCompared();
  const expected = overwrite ? null : baseline!.source;
  const version = await versionOf(context, locationId);
  const { token } = await files.call('source.openSink', { locationId, expected });
  const sink = new FileSink(files, token);
  try {
    const work = { window, databaseName: name, title: `Saving ${name} to its source` };
    const { sizeBytes, mark, backup } = await runLongWork(context, work, call, async (running) => {
      const written = await streamOut(context, window, id, 'Saving', running, (bytes) => sink.write(bytes), version);
      return { ...written, backup: await sink.commit() };
    });
    const state = await files.call('source.stat', { locationId });
    if (state.found === 'file' && state.print.sizeBytes === sizeBytes)
      catalogue.baselines.put(id, { source: state.print, copyMark: mark, atMs: Date.now() });
    return { sizeBytes, backup };
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

/** Programs that expect a WAL file find one again: the mode is a property of the file. */
async function versionOf({ files }: LibraryContext, locationId: string): Promise<FileVersion> {
  const state = await files.call('source.stat', { locationId });
  if (state.found !== 'file') return 1;
  const { token } = await files.call('source.open', { locationId });
  try {
    const head = await files.call('file.read', { token, part: 'main', offset: 0, length: HEADER_BYTES });
    return head[VERSION_BYTES[1]] === 2 ? 2 : 1;
  } finally {
    await letGo(files, token);
  }
}

function neverCompared(): AppError {
  return AppError.conflict(
    'Sidelite can’t tell whether the source has changed since this copy was made, so it was not replaced. Compare first, or choose to replace it.',
  );
}
