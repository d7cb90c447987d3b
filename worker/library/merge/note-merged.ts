// Records a merge's result: since when both sides are the same, and where they still differ.
import type { MergeChoices } from '#shared/protocol/source.ts';
import type { History } from '../../history/history.ts';
import type { OpenDatabase } from '../../sessions/database-session.ts';
import type { Turn } from '../../sessions/session.ts';
import type { Baseline } from '../baselines.ts';
import type { LibraryContext } from '../context.ts';
import { afterStep } from '../source/baseline.ts';
import type { Applied, OpenMerge } from './open-merge.ts';

interface Merged {
  readonly database: OpenDatabase;
  readonly history: History | null;
  readonly merge: OpenMerge;
  readonly choices: MergeChoices;
  readonly applied: Applied;
  readonly before: Baseline | null;
  readonly turn: Turn;
  readonly mark: string;
}

/**
 * The source counts as merged when nothing of it was left out or put off: then saving to it overwrites nothing unseen. Otherwise the file
 * stays one that has changed, and only the rows that were decided are not asked about again.
 */
export function noteMerged(context: LibraryContext, merged: Merged): void {
  const { database, history, merge, choices, applied, before, turn, mark } = merged;
  const { planned, print, why } = merge.parts;
  const isWhole = planned.isWhole && applied.later === 0;
  // Rows that were not known before and are put off now remain unknown.
  if (!isWhole && (before === null || (why !== null && applied.later > 0))) return;
  const isSame = isWhole && applied.ahead === 0 && planned.isSameSchema;
  if (!isSame) keepDifferences(context, history, merge, choices, applied, turn, mark);
  const unmerged = planned.left.map((name) => name.toLowerCase());
  const baseline: Baseline = {
    source: isWhole ? print : before!.source,
    copyMark: mark,
    atMs: isSame ? Date.now() : (before?.atMs ?? Date.now()),
    ...(!isSame && { ahead: true as const }),
    ...(unmerged.length > 0 && { unmerged }),
  };
  const stepMark = applied.rowsChanged > 0 ? mark : null;
  context.catalogue.baselines.put(database.id, afterStep(baseline, history, stepMark, before));
}

/** Without these differences, the next merge asks about every row that differs. */
function keepDifferences(
  context: LibraryContext,
  history: History | null,
  merge: OpenMerge,
  choices: MergeChoices,
  { added }: Applied,
  { connection }: Turn,
  mark: string,
): void {
  try {
    const rows = merge.differing(choices, connection, added);
    history?.timeline.marks.putBase(mark, upTo(context.histories.limits.stepBytes, rows));
  } catch {
    // The merge is done; exceeding the limit, or a full disk, is no reason to report a failure.
  }
}

function* upTo(maxBytes: number, rows: Iterable<Uint8Array>): Generator<Uint8Array> {
  let sizeBytes = 0;
  for (const bytes of rows) {
    sizeBytes += bytes.length;
    if (sizeBytes > maxBytes) throw new Error('This is more than the history keeps of one step.');
    yield bytes;
  }
}
