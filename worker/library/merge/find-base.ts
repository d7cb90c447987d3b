// State of a copy and its source when they were the same, as far as the copy's history leads back there.
import type { Connection } from '../../engines/engine.ts';
import { historyIfAny } from '../../history/histories.ts';
import type { History } from '../../history/history.ts';
import { putMergeBaseRows, shortWay, walk } from '../../history/past-rows.ts';
import type { ShortWay } from '../../history/past-rows.ts';
import type { Way } from '../../history/known-marks.ts';
import type { OpenDatabase } from '../../sessions/database-session.ts';
import type { Baseline } from '../baselines.ts';
import type { LibraryContext } from '../context.ts';
import { baselineNow } from '../source/baseline.ts';
import type { MergeFile } from './merge-file.ts';
import type { Base } from './plan-rows.ts';

export interface FoundBase {
  /** Null: it is not known, and `why` says why. */
  readonly base: Base | null;
  readonly why: string | null;
  /** Writes the rows that were changed since into the file; reports how many now and then. Run this first. */
  walk(): Generator<number, void>;
  close(): void;
}

const ROWS_A_STEP = 64;

export function baseOf(context: LibraryContext, database: OpenDatabase, mine: Connection, file: MergeFile): FoundBase {
  const baseline = baselineNow(context, database.id);
  const history = historyIfAny(database);
  const found = baseline && history && wayTo(history, baseline.copyMark);
  if (!found) return unknown(whyNot(baseline, history));
  const copy = found.short.copy === null ? null : context.engine.open(found.short.copy, { durability: 'full' });
  return {
    base: { copy, unknown: new Set(baseline.unmerged) },
    why: null,
    *walk() {
      for (const _pause of walk(history, found.way, found.short, copy ?? mine, file)) yield ROWS_A_STEP;
      putMergeBaseRows(history.past.store.mergeBases.rowsAt(baseline.copyMark), file);
    },
    close() {
      if (!copy) return;
      copy.close();
      history.past.files.removeLog(found.short.copy!);
    },
  };
}

function wayTo(history: History, mark: string): { readonly way: Way; readonly short: ShortWay } | null {
  try {
    const way = history.timeline.marks.wayTo(mark);
    const short = way && shortWay(history, way);
    return short && { way, short };
  } catch {
    return null; // nothing is kept at the moment, or the history is damaged
  }
}

function unknown(why: string): FoundBase {
  return {
    base: null,
    why,
    *walk() {
      // There are no steps to walk.
    },
    close: () => undefined,
  };
}

function whyNot(baseline: Baseline | null, history: History | null): string {
  if (!baseline) return 'Sidelite can’t tell when this copy and the file were last the same.';
  return history?.state.why ?? 'The history of this copy does not reach back to when both were the same.';
}
