// The moment when a library copy and its source were last the same, also after the step that made it so was undone.
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { History } from '../../history/history.ts';
import { historyIfAny } from '../../history/histories.ts';
import type { KeptCommit } from '../../history/merge-bases.ts';
import type { KnownStep } from '../../history/known-marks.ts';
import type { Baseline } from '../baselines.ts';
import type { LibraryContext } from '../context.ts';

type BaselineContext = Pick<LibraryContext, 'catalogue' | 'databases'>;

/** Steps that were applied from the source and can be undone one after the other. */
const MAX_BEFORE = 4;

/** The commit marks whose states the baseline refers to. */
export function marksOf(baseline: Baseline | null): readonly KeptCommit[] {
  if (!baseline) return [];
  return [{ mark: baseline.copyMark, hasRows: baseline.ahead === true }, ...marksOf(baseline.step?.before ?? null)];
}

/** The baseline that applies to the current state of the copy. */
export function baselineNow({ catalogue, databases }: BaselineContext, id: DatabaseId): Baseline | null {
  const database = databases.find(id);
  const history = database && historyIfAny(database);
  let baseline = catalogue.baselines.get(id);
  while (baseline?.step && history && isUndone(history, baseline.step)) baseline = baseline.step.before;
  return baseline;
}

/** @param before the baseline until this step of the history; null when there was no step */
export function afterStep(
  baseline: Baseline,
  history: History | null,
  stepMark: string | null,
  before: Baseline | null,
): Baseline {
  const step = stepMark === null ? null : stepWith(history, stepMark);
  return step ? { ...baseline, step: { ...step, before: shortened(before, MAX_BEFORE) } } : baseline;
}

/** Whether everything that was done since the state with this mark was undone. */
export function standsAt(history: History | null, mark: string): boolean {
  try {
    return history?.timeline.marks.standsAt(mark) === true;
  } catch {
    return false;
  }
}

function isUndone(history: History, step: KnownStep): boolean {
  try {
    return history.past.marks.isDone(step) === false;
  } catch {
    return false; // an unreadable history proves nothing
  }
}

function stepWith(history: History | null, mark: string): KnownStep | null {
  try {
    return history?.past.marks.known(mark) ?? null;
  } catch {
    return null;
  }
}

function shortened(baseline: Baseline | null, depth: number): Baseline | null {
  if (!baseline?.step) return baseline;
  const { step, ...rest } = baseline;
  return depth === 0 ? rest : { ...rest, step: { ...step, before: shortened(step.before, depth - 1) } };
}
