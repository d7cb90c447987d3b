// The moment when a library copy and its source were last the same, also after the step that made it so was undone.
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { History } from '../../history/history.ts';
import { historyIfAny } from '../../history/histories.ts';
import type { KeptCommit } from '../../history/merge-bases.ts';
import type { KnownStep } from '../../history/known-marks.ts';
import type { Baseline } from '../baselines.ts';
import type { LibraryContext } from '../context.ts';
import type { SourceFileState } from '#shared/protocol/files.ts';
import type { SourceOnDisk, SourceState } from '#shared/protocol/source.ts';
import { samePrint } from '#shared/source-print.ts';

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
function standsAt(history: History | null, mark: string): boolean {
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

// Whether a library copy and the file it came from are still the same, and which of the two has changed.

export async function sourceState(context: LibraryContext, id: DatabaseId): Promise<SourceState | null> {
  const locationId = context.catalogue.entry(id).source?.locationId ?? null;
  if (locationId === null) return null;
  const state = await context.files.call('source.stat', { locationId });
  const baseline = baselineNow(context, id);
  return stateOf(state, baseline, markNow(context, id, baseline));
}

/** Undo leads back to the same content through another commit: that is still the state of the baseline. */
function markNow({ databases }: LibraryContext, id: DatabaseId, baseline: Baseline | null): string | null {
  const database = databases.find(id);
  const mark = database?.commitMark ?? null;
  if (!database || !baseline || mark === baseline.copyMark) return mark;
  return standsAt(historyIfAny(database), baseline.copyMark) ? baseline.copyMark : mark;
}

/** @param mark of the copy now; null while it is closed */
export function stateOf(state: SourceFileState, baseline: Baseline | null, mark: string | null): SourceState {
  return {
    disk: onDisk(state, baseline),
    changedHere: baseline === null || mark === null ? null : baseline.ahead === true || baseline.copyMark !== mark,
    keptMine: state.found === 'file' && baseline?.keptMine !== undefined && samePrint(state.print, baseline.keptMine),
    sameAtMs: baseline?.atMs ?? null,
    why: state.found === 'unreadable' ? state.why : null,
  };
}

function onDisk(state: SourceFileState, baseline: Baseline | null): SourceOnDisk {
  if (state.found !== 'file') return state.found;
  if (baseline === null) return 'unknown';
  if (samePrint(state.print, baseline.source)) return 'unchanged';
  return state.print.fileId === baseline.source.fileId ? 'changed' : 'replaced';
}

/** Marks the file's current state as seen by the user, so that it is not reported again. */
export async function keepMine(context: LibraryContext, id: DatabaseId): Promise<SourceState | null> {
  const { catalogue, files } = context;
  const baseline = baselineNow(context, id);
  const locationId = catalogue.entry(id).source?.locationId ?? null;
  if (locationId !== null && baseline) {
    const state = await files.call('source.stat', { locationId });
    if (state.found === 'file') catalogue.baselines.put(id, { ...baseline, keptMine: state.print });
  }
  return sourceState(context, id);
}
