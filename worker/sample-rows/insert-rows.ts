// Fills a table with sample rows: one transaction in slices. If it is stopped or fails, everything is as before.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { SamplePlan, SampleReply } from '#shared/protocol/sample-rows.ts';
import { assertNoTransaction } from '../history/undo-redo.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { readFacts } from './read-facts.ts';
import { SampleInsert, type Rejected } from './sample-insert.ts';

/** New requests arrive only between slices, and an edit in another database must not noticeably wait. */
const SLICE_MS = 20;
const REPORT_EVERY_MS = 100;
/** Batches grow to this, so that a plan that cannot work fails early. Never by the clock: rows are the same on every machine. */
const FIRST_ROWS = 100;
const GROWTH = 4;

/** @throws AppError, after which everything is as before */
export function* insertSampleRows(
  turn: Turn,
  plan: SamplePlan,
  report: (progress: Progress) => void,
): Generator<Pause, Omit<SampleReply, 'timeMs'>> {
  const { connection } = turn;
  assertNoTransaction(connection);
  connection.run('BEGIN IMMEDIATE');
  let insert: SampleInsert | null = null;
  try {
    const table = readFacts(connection, plan.table);
    insert = new SampleInsert(connection, plan, table);
    yield* insertAll(turn, plan, insert, report);
    const { inserted, repeated } = insert;
    insert.close();
    insert = null;
    connection.run('COMMIT');
    return { table: table.shape.name, inserted, skipped: plan.rows - inserted, repeated };
  } catch (error) {
    throw explained(error);
  } finally {
    insert?.close();
    // A full disk, a Stop inside SQLite or a trigger may have ended it already.
    if (!connection.autocommit) connection.run('ROLLBACK');
  }
}

function* insertAll(
  turn: Turn,
  { rows }: SamplePlan,
  insert: SampleInsert,
  report: (progress: Progress) => void,
): Generator<Pause, void> {
  let done = 0;
  let reportedMs = -Infinity;
  const progress = (): Progress => ({ phase: 'Inserting', done, total: rows, unit: 'rows' });
  turn.measureBy(progress);
  /** Called between two slices. */
  function* pause(): Generator<Pause, void> {
    if (turn.stopRequested) throw AppError.stopped('Stopped.');
    const now = performance.now();
    if (now - reportedMs >= REPORT_EVERY_MS) report(progress());
    if (now - reportedMs >= REPORT_EVERY_MS) reportedMs = now;
    yield 'between';
    if (turn.stopRequested) throw AppError.stopped('Stopped.');
  }
  let sliceEndMs = performance.now() + SLICE_MS;
  for (let most = FIRST_ROWS; done < rows; most *= GROWTH) {
    let row = done;
    for (const end = Math.min(rows, done + most); row < end && !insert.isFull; row++) {
      insert.add(row, 0);
      if (row % 256 > 0 || performance.now() < sliceEndMs) continue;
      yield* pause();
      sliceEndMs = performance.now() + SLICE_MS;
    }
    const rejected: Rejected[] = [];
    let at: number | null = 0;
    while ((at = insert.run(at, sliceEndMs, rejected)) !== null) {
      yield* pause();
      sliceEndMs = performance.now() + SLICE_MS;
    }
    for (const _ of insert.repeat(rejected)) yield* pause();
    done = row;
    yield* pause();
    sliceEndMs = performance.now() + SLICE_MS;
  }
}

function explained(thrown: unknown): unknown {
  if (!(thrown instanceof AppError) || thrown.code !== 'stopped') return thrown;
  return AppError.stopped(inParts('Inserting sample rows was stopped.', 'Everything is as it was before.'), {
    ...(thrown.sqlite && { sqlite: thrown.sqlite }),
  });
}
