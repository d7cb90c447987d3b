// Merges a library copy with its source: finds out what changed on which side, and makes the source's changes here as one step.
import { fail } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { MergeChoices, MergePlan, MergeQuestion, MergeReply } from '#shared/protocol/source.ts';
import { historyIfAny } from '../../history/histories.ts';
import type { History } from '../../history/history.ts';
import { watchWork } from '../../history/undo-redo.ts';
import type { OpenDatabase } from '../../sessions/database-session.ts';
import type { Turn, WindowSession } from '../../sessions/session.ts';
import type { LibraryContext } from '../context.ts';
import { runLongWork } from '../long-work.ts';
import type { ProgressCall } from '../long-work.ts';
import { baselineNow } from '../source/baseline.ts';
import { openSourceCopy, sourceLocationId } from '../source/source-copy.ts';
import { noteMerged } from './note-merged.ts';
import type { OpenMerge } from './open-merge.ts';
import { planMerge } from './plan-merge.ts';

export interface ApplyRequest {
  readonly database: DatabaseId;
  readonly choices: MergeChoices;
  readonly withoutUndo: boolean;
}

/** One merge per window and database. */
const open = new WeakMap<WindowSession, Map<DatabaseId, { readonly merge: OpenMerge; readonly forget: () => void }>>();

export async function beginMerge(
  context: LibraryContext,
  window: WindowSession,
  id: DatabaseId,
  call: ProgressCall,
): Promise<MergePlan> {
  endMerge(window, id);
  const { name } = context.catalogue.entry(id);
  const locationId = sourceLocationId(context, id);
  const owned = context.databases.of(window, id);
  const title = `Merge ${name} with its source`;
  const merge = await runLongWork(context, { window, databaseName: name, title }, call, async (work) => {
    const copy = await openSourceCopy(context, locationId, work);
    return planMerge(context, { window, id, title }, copy, work).catch((error: unknown) => {
      copy.close();
      throw error;
    });
  });
  endMerge(window, id); // begun twice at once
  if (!owned.windows.has(window)) {
    merge.parts.dispose();
    fail('disconnected', 'The database was closed. Nothing was merged.');
  }
  const stay = owned.onLeave(window, () => endMerge(window, id));
  const letRest = owned.keepOpenWhile(() => true);
  const forget = (): void => [stay, letRest].forEach((end) => end());
  open.set(window, (open.get(window) ?? new Map()).set(id, { merge, forget }));
  return merge.plan;
}

export function endMerge(window: WindowSession, id: DatabaseId): void {
  const held = open.get(window)?.get(id);
  if (!held) return;
  open.get(window)!.delete(id);
  held.forget();
  held.merge.parts.dispose();
}

export function mergeQuestions(
  { databases }: LibraryContext,
  window: WindowSession,
  { database: id, start, count }: { readonly database: DatabaseId; readonly start: number; readonly count: number },
): Promise<readonly MergeQuestion[]> {
  const merge = mergeOf(window, id);
  return databases.of(window, id).enqueue({
    window,
    kind: 'read',
    title: 'Reading rows to merge',
    body: ({ connection }) => merge.questions(connection, start, count),
  });
}

export async function applyMerge(
  context: LibraryContext,
  window: WindowSession,
  { database: id, choices, withoutUndo }: ApplyRequest,
  call: ProgressCall & { readonly onCancel: (listener: () => void) => void },
): Promise<MergeReply> {
  const merge = mergeOf(window, id);
  const database = context.databases.of(window, id);
  const title = `Merge from ${merge.parts.fileName}`;
  await context.histories.reserve();
  const outcome = await database.enqueue({
    window,
    kind: 'write',
    title,
    withoutUndo,
    call: call.id,
    onCancel: call.onCancel,
    body: (turn) => applyInTurn(context, database, merge, choices, turn, call),
  });
  if (outcome === 'refused') return { applied: false, plan: merge.plan };
  endMerge(window, id);
  return outcome;
}

function applyInTurn(
  context: LibraryContext,
  database: OpenDatabase,
  merge: OpenMerge,
  choices: MergeChoices,
  turn: Turn,
  call: ProgressCall,
): Extract<MergeReply, { applied: true }> | 'refused' {
  const { connection } = turn;
  const history = historyIfAny(database);
  const before = baselineNow(context, database.id);
  const rows = merge.plan.taken.reduce((sum, counts) => sum + counts.inserted + counts.updated + counts.deleted, 0);
  const watch = watchWork(turn, 'Merging', rows, (progress) => void call.emit(progress).catch(() => undefined));
  const applied = merge.apply(connection, choices, watch);
  if (applied === 'refused') return 'refused';
  const mark = connection.commitMark;
  noteMerged(context, { database, history, merge, choices, applied, before, turn, mark });
  const { rowsChanged, later } = applied;
  return { applied: true, step: rowsChanged > 0 ? stepAt(history, mark) : 0, rowsChanged, later };
}

function stepAt(history: History | null, mark: string): number {
  try {
    return history?.past.marks.known(mark)?.id ?? 0;
  } catch {
    return 0;
  }
}

function mergeOf(window: WindowSession, id: DatabaseId): OpenMerge {
  const held = open.get(window)?.get(id);
  if (held) return held.merge;
  fail('not-found', 'This merge is over. Start it again; nothing was changed.');
}
