// Merges a library copy with its source: planned first, done once the user has decided.
import { toAppError, whatHappened } from '#shared/protocol/index.ts';
import type { DatabaseId, LibraryEntry, MergePlan } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { stepBackOrForth } from '../../workbench/history/history.ts';
import { runJob } from '../../workbench/jobs.ts';
import { FIRST_QUESTIONS, type MergeAnswers, type ShownMerge } from '../../state/slices/sources.ts';
import { lookAtSource } from '../../workbench/databases/sources.ts';
import { notify, showMerge, useStore } from '../../state/store.ts';
import { keepCopyOrNot } from './keep-copy.ts';
import { choicesOf, NO_ANSWERS } from './merge-answers.ts';
import { mergedLabel } from './merge-labels.ts';
import { settleEditing } from './settle-editing.ts';

const TOPIC = 'source';

export async function mergeWithSource(entry: LibraryEntry): Promise<void> {
  if (!(await settleEditing())) return;
  try {
    await show(entry.id, await findOut(entry), NO_ANSWERS);
  } catch (thrown) {
    notifyFailure(thrown);
  } finally {
    await lookAtSource(entry.id);
  }
}

async function show(database: DatabaseId, plan: MergePlan, answers: MergeAnswers): Promise<void> {
  const { questions } = await client.call('source.mergeQuestions', { database, start: 0, count: FIRST_QUESTIONS });
  showMerge({ database, plan, answers, first: questions });
}

export function endMerge({ database }: ShownMerge): void {
  showMerge(null);
  // It is released with the window at the latest.
  client.call('source.mergeEnd', { database }).catch(() => undefined);
}

/** Closes the dialog; if something prevents the merge, opens it again with the answers so far. */
export async function applyMerge(entry: LibraryEntry, merge: ShownMerge): Promise<void> {
  showMerge(null);
  try {
    await apply(entry, merge, false);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'not-undoable') await applyLarge(entry, merge, whatHappened(error));
    else if (error.code === 'conflict') again(entry, merge, error.message);
    else {
      endMerge(merge);
      notifyFailure(thrown);
    }
  } finally {
    await lookAtSource(entry.id);
  }
}

async function apply(entry: LibraryEntry, { database, answers }: ShownMerge, withoutUndo: boolean): Promise<void> {
  const fileName = entry.source?.fileName ?? '';
  const reply = await runJob(`Merging ${fileName}`, (options) =>
    client.call('source.mergeApply', { database, choices: choicesOf(answers), withoutUndo }, options),
  );
  if (!reply.applied) return show(database, reply.plan, await stillGood(database, answers, reply.plan));
  const { rowsChanged, later, step } = reply;
  const canUndo = step > 0 && useStore.getState().histories[database]?.undo?.step === step;
  notify({
    tone: 'success',
    topic: TOPIC,
    text: mergedLabel(fileName, rowsChanged, later),
    ...(canUndo && { action: { label: 'Undo', run: () => void stepBackOrForth('undo', database) } }),
  });
}

/** An answer that was tried and refused does not count. */
async function stillGood(database: DatabaseId, answers: MergeAnswers, plan: MergePlan): Promise<MergeAnswers> {
  const count = plan.questions.reduce((sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted, 0);
  const { questions } = await client.call('source.mergeQuestions', {
    database,
    start: 0,
    count: Math.min(count, 1000),
  });
  const refused = new Set(questions.filter(({ message }) => message !== null).map(({ id }) => id));
  const rows = Object.fromEntries(Object.entries(answers.rows).filter(([id]) => !refused.has(Number(id))));
  const isAnswered = questions.some(
    ({ id, table, message }) => message !== null && !answers.rows[id] && answers.tables[table],
  );
  return { rows, tables: isAnswered ? {} : answers.tables, all: refused.size > 0 ? null : answers.all };
}

async function applyLarge(entry: LibraryEntry, merge: ShownMerge, why: string): Promise<void> {
  try {
    const goesOn = await keepCopyOrNot(entry, { title: 'Merge without undo?', verb: 'Merge', why });
    if (goesOn) await apply(entry, merge, true);
    else endMerge(merge);
  } catch (thrown) {
    endMerge(merge);
    notifyFailure(thrown);
  }
}

function again(entry: LibraryEntry, merge: ShownMerge, why: string): void {
  endMerge(merge);
  notify({
    tone: 'warning',
    topic: TOPIC,
    text: why,
    action: { label: 'Merge again', run: () => void mergeWithSource(entry) },
  });
}

function findOut({ id, name, source }: LibraryEntry): Promise<MergePlan> {
  return runJob(`Comparing ${name} with ${source?.fileName ?? 'its source'}`, (options) =>
    client.call('source.merge', { database: id }, options),
  );
}
