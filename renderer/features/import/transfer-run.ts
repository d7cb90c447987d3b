// The import of tables itself: into an existing or a new database, and its result.
import { toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, Progress } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { closeDatabase, openDatabase, refreshLibrary } from '../../state/databases.ts';
import { useStore } from '../../state/store.ts';
import type { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import { freeName, lastStep } from './import-run.ts';
import { isWhole, planOf } from '#shared/import/transfer-choices.ts';
import type { TransferOutcome, TransferView } from './transfer-view.ts';

interface RunOptions {
  readonly signal: AbortSignal;
  readonly waiver: UndoWaiver;
  readonly onProgress: (progress: Progress) => void;
}

/** @throws AppError; then nothing was imported, and a database created for it is gone */
export async function transfer(view: TransferView, options: RunOptions): Promise<TransferOutcome> {
  if (view.database !== null) return await moveInto(view.database, view, options);
  if (isWhole(view.choices)) return await keepWhole(view, options);
  const entry = await client.call('library.create', { name: freeName(view.databaseName) });
  try {
    if (!(await openDatabase(entry.id))) throw toAppError(new Error('The new database could not be opened.'));
    return { ...(await moveInto(entry.id, view, options)), isNewDatabase: true };
  } catch (thrown) {
    await closeDatabase(entry.id);
    await client.call('library.delete', { database: entry.id }).catch(() => undefined); // it is empty, and can be deleted by hand
    await refreshLibrary().catch(() => undefined);
    throw thrown;
  }
}

async function moveInto(
  database: DatabaseId,
  { contents, choices }: TransferView,
  { signal, waiver, onProgress }: RunOptions,
): Promise<TransferOutcome> {
  const plan = planOf(choices);
  const reply = await waiver.run((withoutUndo) =>
    client.call('transfer.move', { database, id: contents!.id, plan, ...withoutUndo }, { signal, onChunk: onProgress }),
  );
  return { ...reply, ...placeOf(database), isNewDatabase: false, steps: await lastStep(database), isUndone: false };
}

/** Keeps the database that the contents were read into. */
async function keepWhole(
  { contents, databaseName, choices }: TransferView,
  { signal, onProgress }: RunOptions,
): Promise<TransferOutcome> {
  const started = performance.now();
  const kept = { id: contents!.id, name: freeName(databaseName) };
  const entry = await client.call('transfer.keep', kept, { signal, onChunk: onProgress });
  await openDatabase(entry.id);
  return {
    ...placeOf(entry.id),
    databaseName: entry.name,
    tables: choices.tables.filter(({ kind }) => kind !== 'view').map(({ name, rows }) => ({ name, rows: rows ?? 0 })),
    problems: 0,
    kept: [],
    notes: [],
    leftOut: [],
    timeMs: performance.now() - started,
    isNewDatabase: true,
    steps: [],
    isUndone: false,
  };
}

const placeOf = (database: DatabaseId): Pick<TransferOutcome, 'database' | 'databaseName'> => ({
  database,
  databaseName: useStore.getState().openDatabases[database]?.entry.name ?? '',
});
