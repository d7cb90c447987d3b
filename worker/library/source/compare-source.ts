// Compares a library copy with its current source; the copy can be worked on in the meantime.
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { SourceComparison } from '#shared/protocol/source.ts';
import type { Connection } from '../../engines/engine.ts';
import type { OpenDatabase } from '../../sessions/database-session.ts';
import { detachedFrom, type Pause, type WindowSession, type Turn } from '../../sessions/session.ts';
import type { LibraryContext } from '../context.ts';
import { baselineOf } from '../import.ts';
import { runLongWork, type LongWork, type ProgressCall } from '../long-work.ts';
import { compareDatabases, type CompareStep } from './compare-databases.ts';
import { sourceLocationId, withSourceCopy } from './source-copy.ts';
import { fail } from '#shared/protocol/errors.ts';

export function compareSource(
  context: LibraryContext,
  window: WindowSession,
  id: DatabaseId,
  call: ProgressCall,
): Promise<SourceComparison> {
  const { name } = context.catalogue.entry(id);
  const locationId = sourceLocationId(context, id);
  const detached = detachedFrom(window);
  const title = `Comparison of ${name} with its source`;
  return runLongWork(context, { window, databaseName: name, title }, call, (work) =>
    withSourceCopy(context, locationId, work, async (file, info) => {
      const theirs = context.engine.open(file, { durability: 'full', isOfOthers: true });
      theirs.onProgress(() => work.tick());
      const database = context.databases.join(detached, id);
      try {
        const { markBefore, comparison } = await compareInTurns(database, detached, theirs, work, title);
        const isSettled = database.commitMark === markBefore;
        if (!isSettled) return { ...comparison, notes: [...comparison.notes, MOVED_ON] };
        // Nothing differs, so from now on both count as the same, whatever was written to either in the meantime.
        const isSame = comparison.tables.length === 0 && comparison.notes.length === 0;
        const baseline = isSame ? await baselineOf(context, info, markBefore) : null;
        if (baseline) context.catalogue.baselines.put(id, baseline);
        return comparison;
      } finally {
        context.databases.leave(detached, id);
        theirs.close();
      }
    }),
  );
}

const MOVED_ON = 'This copy was changed while it was compared: compare again for exact numbers.';

interface Compared {
  readonly markBefore: string;
  readonly comparison: SourceComparison;
}

function compareInTurns(
  database: OpenDatabase,
  window: WindowSession,
  theirs: Connection,
  work: LongWork,
  title: string,
): Promise<Compared> {
  return database.enqueue({
    window,
    kind: 'read',
    pausesReading: true,
    title,
    *body(turn): Generator<Pause, Compared> {
      const markBefore = turn.connection.commitMark;
      return { markBefore, comparison: yield* paced(turn, work, compareDatabases(turn.connection, theirs)) };
    },
  });
}

// A comparison as work of a database: in slices, with progress, until it is stopped.

/** @throws AppError `stopped` */
export function* paced<T>(
  turn: Turn,
  work: LongWork,
  steps: Generator<CompareStep, T, undefined>,
): Generator<Pause, T> {
  let done = 0;
  turn.measureBy(() => ({ phase: 'Comparing', done, total: null, unit: 'rows' }));
  try {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      done += step.value.rows;
      if (turn.stopRequested || work.stopRequested) fail('stopped', 'The comparison was stopped. Nothing was changed.');
      if (performance.now() < turn.deadlineMs) continue;
      turn.pauseUntil(work.report({ phase: 'Comparing', done, total: null, unit: 'rows' }).catch(() => undefined));
      yield step.value.readsMine ? 'reading' : 'between';
    }
  } finally {
    steps.return(undefined as never);
  }
}
