// A comparison as work of a database: in slices, with progress, until it is stopped.
import { fail } from '#shared/protocol/errors.ts';
import type { Pause, Turn } from '../../sessions/session.ts';
import type { LongWork } from '../long-work.ts';
import type { CompareStep } from './compare-databases.ts';

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
