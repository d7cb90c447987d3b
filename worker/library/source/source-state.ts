// Whether a library copy and the file it came from are still the same, and which of the two has changed.
import type { SourceFileState } from '#shared/protocol/files.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { SourceOnDisk, SourceState } from '#shared/protocol/source.ts';
import { samePrint } from '#shared/source-print.ts';
import { historyIfAny } from '../../history/histories.ts';
import type { Baseline } from '../baselines.ts';
import type { LibraryContext } from '../context.ts';
import { baselineNow, standsAt } from './baseline.ts';

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
