// Operations that import the records of a file into a table.
import type { ImportOperations, ImportPlan } from '#shared/protocol/import.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { writing } from '../sessions/call-work.ts';
import { historyIfAny } from '../history/histories.ts';
import { analyze, importFile, importCorrected, endedImport, detectFile, openRecords } from '../import/import-file.ts';
import { openBytes } from '../import/byte-sources.ts';
import { readFirst } from '../import/first-records.ts';
import { previewTypes } from '../import/open-types.ts';
import { endSpareThread } from '../import/thread/reading-thread.ts';
import { MAX_PREVIEW_RECORDS, PREVIEW_RECORDS, previewImport, type ImportTry } from '../import/preview.ts';
import { letGo, type FileClient } from '../library/files.ts';
import type { OperationContext } from '../library/context.ts';
import type { OperationSession } from '../sessions/session.ts';

/** Requirements of these operations besides an open database. */
export interface ImportSession extends OperationSession {
  readonly library: Pick<OperationContext, 'files' | 'histories' | 'monitor' | 'clock'>;
}

const MAX_PROBLEMS = 1000;

/** The first rows of a file, for a preview. @param onCancel registers what ends the reading @throws AppError */
export async function firstOf(
  files: FileClient,
  { plan, maxRecords = PREVIEW_RECORDS }: { readonly plan: ImportPlan; readonly maxRecords?: number | undefined },
  onCancel: (listener: () => void) => void,
): Promise<ImportTry & { readonly fileName: string }> {
  const { source, options } = plan;
  const bytes = await openBytes(files, source);
  const reader = await openRecords({ files, source, options }, bytes, onCancel);
  try {
    const first = await readFirst(reader, Math.min(maxRecords, MAX_PREVIEW_RECORDS));
    return { plan: previewTypes(plan, first.records, reader.columns), fileName: bytes.fileName, ...first };
  } finally {
    reader.close?.();
  }
}

type OfLibrary = 'import.previewNew' | 'import.keepFile' | 'import.reopenFile' | 'import.forgetFile';

export const importHandlers: Handlers<Omit<ImportOperations, OfLibrary>, ImportSession> = {
  'import.detect': ({ source, options }, { session, onCancel }) =>
    detectFile(session.library.files, source, options, onCancel),

  'import.analyze': ({ source, options }, call) =>
    analyze(call.session.library, { source, options, window: call.session.window }, call),

  async 'import.preview'({ database: id, plan, maxRecords, valuesOnly }, context) {
    const database = context.session.database(id);
    const attempt = await firstOf(context.session.library.files, { plan, maxRecords }, context.onCancel);
    return writing(context, id, { title: `Preview of ${attempt.fileName}`, tries: true }, ({ connection }) => {
      const preview = () => previewImport(connection, attempt, { valuesOnly: valuesOnly === true });
      // The preview is rolled back: no copy needs to be made for it.
      return historyIfAny(database)?.unrecorded(preview) ?? preview();
    });
  },

  async 'import.run'({ database: id, plan, withoutUndo = false }, call) {
    const { session } = call;
    const database = session.database(id);
    await session.library.histories.reserve();
    return importFile(session.library, { database, window: session.window, plan, withoutUndo }, call);
  },

  'import.problems'({ database: id, id: importId, offset, limit }, { session }) {
    const { columns, problems } = endedImport(session.database(id), session.window, importId);
    return { columns, problems: problems.slice(offset, offset + Math.min(limit, MAX_PROBLEMS)) };
  },

  async 'import.again'({ database: id, id: importId, records }, { session, ...call }) {
    const database = session.database(id);
    const ended = endedImport(database, session.window, importId);
    await session.library.histories.reserve();
    return importCorrected({ database, window: session.window, withoutUndo: false }, ended, records, call);
  },

  async 'import.end'({ source }, { session }) {
    endSpareThread();
    if (source.kind === 'file') await letGo(session.library.files, source.token);
  },
};
