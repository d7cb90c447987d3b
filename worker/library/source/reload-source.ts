// Makes a library copy equal to its current source, in one step that can be undone.
import { AppError } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { SourceState } from '#shared/protocol/source.ts';
import type { Value } from '#shared/protocol/values.ts';
import { historyIfAny } from '../../history/histories.ts';
import { detachedFrom, type WindowSession, newRun } from '../../sessions/session.ts';
import type { LibraryContext } from '../context.ts';
import { baselineOf } from '../import.ts';
import { runLongWork, type ProgressCall } from '../long-work.ts';
import { afterStep, baselineNow, sourceState } from './baseline.ts';
import { sourceLocationId, withSourceCopy } from './source-copy.ts';

interface ReloadRequest {
  readonly database: DatabaseId;
  readonly withoutUndo: boolean;
}

export async function reloadSource(
  context: LibraryContext,
  window: WindowSession,
  { database: id, withoutUndo }: ReloadRequest,
  call: ProgressCall,
): Promise<SourceState | null> {
  const { name } = context.catalogue.entry(id);
  const locationId = sourceLocationId(context, id);
  const detached = detachedFrom(window);
  const title = `Reload ${name} from its source`;
  await context.histories.reserve();
  await runLongWork(context, { window, databaseName: name, title }, call, (work) =>
    withSourceCopy(context, locationId, work, async (file, info) => {
      const pageSize = pageSizeOf(context, file);
      const database = context.databases.join(detached, id);
      try {
        const before = baselineNow(context, id);
        const mark = await database.enqueue({
          window: detached,
          kind: 'write',
          title,
          call: call.id,
          origin: { title: `Reload from ${info.fileName}`, sql: null, run: newRun(), withoutUndo },
          body({ connection }) {
            if (connection.one('PRAGMA page_size')?.[0] !== pageSize) throw otherPageSize(info.fileName);
            historyIfAny(database)?.keepWayBack();
            connection.restoreFrom(file);
            return connection.commitMark;
          },
        });
        const baseline = await baselineOf(context, info, mark);
        if (baseline) context.catalogue.baselines.put(id, afterStep(baseline, historyIfAny(database), mark, before));
      } finally {
        context.databases.leave(detached, id);
      }
    }),
  );
  return sourceState(context, id);
}

function pageSizeOf({ engine }: LibraryContext, file: string): Value | undefined {
  const connection = engine.open(file, { durability: 'full', isOfOthers: true });
  try {
    return connection.one('PRAGMA page_size')?.[0];
  } finally {
    connection.close();
  }
}

/** SQLite cannot change the page size in WAL mode. */
function otherPageSize(fileName: string): AppError {
  return AppError.unavailable(
    `“${fileName}” now has a different page size, so it cannot replace the contents of this copy. Open it as a separate database: File, Open File. Nothing was changed.`,
  );
}
