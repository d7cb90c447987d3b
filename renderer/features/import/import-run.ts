// The import itself: into an existing or a new database, and its result.
import { toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, ImportAnalysis, ImportPlan, Progress } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { closeDatabase, openDatabase, refreshLibrary } from '../../state/databases.ts';
import { useStore } from '../../state/store.ts';
import { freeLibraryName } from '../../workbench/databases/library-names.ts';
import { isUndoable, newestOwnStep } from '../../workbench/history/history.ts';
import type { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import type { Outcome } from './import-view.ts';
import type { TargetChoice } from '#shared/import/target-choice.ts';

interface RunOptions {
  readonly signal: AbortSignal;
  readonly waiver: UndoWaiver;
  readonly onProgress: (progress: Progress) => void;
  readonly onAnalysis: (analysis: ImportAnalysis) => void;
}

/** @throws AppError; then nothing was imported, and a database created for it is gone */
export async function importInto(target: TargetChoice, plan: ImportPlan, options: RunOptions): Promise<Outcome> {
  if (target.database !== null) return await runOn(target.database, plan, options);
  const entry = await client.call('library.create', { name: nameForNew(target.databaseName) });
  try {
    if (!(await openDatabase(entry.id))) throw toAppError(new Error('The new database could not be opened.'));
    return await runOn(entry.id, plan, options);
  } catch (thrown) {
    await closeDatabase(entry.id);
    await client.call('library.delete', { database: entry.id }).catch(() => undefined); // it is empty, and can be deleted by hand
    await refreshLibrary().catch(() => undefined);
    throw thrown;
  }
}

async function runOn(
  database: DatabaseId,
  plan: ImportPlan,
  { signal, waiver, onProgress, onAnalysis }: RunOptions,
): Promise<Outcome> {
  const reply = await waiver.run((withoutUndo) =>
    client.call('import.run', { database, plan, ...withoutUndo }, { signal, onChunk: onProgress }),
  );
  if (reply.analysis) onAnalysis(reply.analysis);
  const changes = reply.added + reply.removed + reply.changed > 0 || plan.target.kind === 'new-table';
  const { id, table, added, removed, changed, equal, skipped, problems, notes, timeMs } = reply;
  return {
    id,
    format: plan.options.format,
    database,
    databaseName: useStore.getState().openDatabases[database]?.entry.name ?? '',
    table,
    added,
    removed,
    changed,
    equal,
    skipped,
    problems,
    lines: null,
    notes,
    timeMs,
    steps: changes ? await lastStep(database) : [],
    isUndone: false,
  };
}

export interface MendedRows {
  /** Null: one that could not be split into cells, and still is not. */
  readonly records: readonly (readonly string[] | null)[];
  /** Line of the file on which each record begins. */
  readonly lines: readonly number[];
}

/** Imports rows that were corrected, as another step. @throws AppError */
export async function importAgain(before: Outcome, { records, lines }: MendedRows): Promise<Outcome> {
  const reply = await client.call('import.again', { database: before.database, id: before.id, records });
  const steps = reply.added + reply.changed > 0 ? await lastStep(before.database) : [];
  return {
    ...before,
    id: reply.id,
    added: before.added + reply.added,
    changed: before.changed + reply.changed,
    equal: before.equal + reply.equal,
    skipped: before.skipped + reply.skipped,
    problems: reply.problems,
    lines,
    notes: reply.notes,
    steps: [...steps, ...before.steps],
  };
}

export async function lastStep(database: DatabaseId): Promise<Outcome['steps']> {
  const step = isUndoable(database) ? await newestOwnStep(database) : null;
  return step ? [step] : [];
}

export const nameForNew = (wanted: string): string => freeLibraryName(wanted.trim() || 'Imported');
