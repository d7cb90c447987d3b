// The comparisons of rows that a window may still apply or save, until it closes them or ends.
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { RowChoice } from '#shared/protocol/row-comparison.ts';
import type { WindowSession } from '../sessions/session.ts';
import type { ChosenChanges, CollectedChanges } from './collected-changes.ts';

interface Kept {
  readonly database: DatabaseId;
  readonly collected: CollectedChanges;
}

/** Each may take 128 MB. A window that compares more forgets the oldest, which can be compared again. */
const MAX_KEPT = 4;

const kept = new WeakMap<WindowSession, Map<string, Kept>>();

/** Returns its id. */
export function keepComparison(window: WindowSession, comparison: Kept): string {
  const comparisons = kept.get(window) ?? new Map<string, Kept>();
  kept.set(window, comparisons);
  const id = crypto.randomUUID();
  comparisons.set(id, comparison);
  for (const oldest of [...comparisons.keys()].slice(0, -MAX_KEPT)) comparisons.delete(oldest);
  return id;
}

/** @throws AppError `not-found`; `too-big` */
export function changesOfComparison(
  window: WindowSession,
  database: DatabaseId,
  id: string,
  rows: RowChoice,
): ChosenChanges {
  const found = kept.get(window)?.get(id);
  if (found?.database !== database) throw AppError.notFound('This comparison no longer exists. Compare again.');
  if (!found.collected.isTooMany) return found.collected.chosen(rows);
  throw AppError.tooBig(
    'There are too many differences for a patch. Nothing was changed. Compare fewer tables at a time.',
  );
}

export function endComparison(window: WindowSession, id: string): void {
  kept.get(window)?.delete(id);
}
