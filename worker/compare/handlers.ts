// The operations of a comparison that both engines serve alike.
import type { CompareOperations } from '#shared/protocol/compare.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { EngineInfo } from '#shared/protocol/session.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { CallContext, Handlers } from '#shared/rpc/server.ts';
import { reading, writing } from '../sessions/call-work.ts';
import { readersOf } from '../live/reader-registry.ts';
import type { OperationSession, WorkRequest } from '../sessions/session.ts';
import { statementTitle } from '../sql/statement-title.ts';
import { yieldToOthers } from '../readers/slice.ts';
import { assertComparable } from './comparable.ts';
import { comparedReader } from './compared-reader.ts';
import { factsOf } from './facts.ts';
import { CompareRun } from './run.ts';
import { TimedRun } from './timed-run.ts';

/** Requirements of these operations besides an open database. */
export interface CompareSession extends OperationSession {
  readonly engine: EngineInfo;
}

type Shared = Omit<
  CompareOperations,
  | 'compare.copyOut'
  | 'compare.copyIn'
  | 'compare.snapshot'
  | 'compare.emptyComparisonCopy'
  | 'compare.openComparisonCopy'
  | 'compare.closeComparisonCopy'
>;

const REPORT_EVERY_MS = 100;

export const sharedCompareHandlers: Handlers<Shared, CompareSession> = {
  'compare.mark': ({ database }, context) =>
    reading(context, database, 'Reading committed data', ({ connection }) => ({
      mark: connection.commitMark,
      transaction: !connection.autocommit,
      sizeBytes: connection.fileSizeBytes,
    })),

  'compare.run'({ database: id, sql }, context) {
    const { session, emit } = context;
    const writes = assertComparable(sql);
    const run = new CompareRun(session.database(id), session.window, { sql, writes }, reporter(emit));
    return runInTurn(context, id, { sql, writes }, (turn) => run.run(turn));
  },

  'compare.time'({ database, sql }, context) {
    const writes = assertComparable(sql);
    const run = new TimedRun({ sql, writes });
    return runInTurn(context, database, { sql, writes }, (turn) => run.run(turn));
  },

  'compare.hashes': ({ reader, pages }, { session }) =>
    comparedReader(readersOf(session.window).get(reader)).hashesOf(pages),

  async 'compare.find'({ reader, buckets, limit }, context) {
    const steps = comparedReader(readersOf(context.session.window).get(reader)).rowsIn(buckets, limit);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      // Searching a million rows takes some tenths of a second: other work wants its turn in the meantime.
      await yieldToOthers();
    }
  },

  'compare.facts': ({ database }, context) =>
    reading(context, database, 'Reading the settings', ({ connection }) => factsOf(connection, context.session.engine)),
};

/** A rolled back run needs no undo, so the history makes no copy for it. */
function runInTurn<T>(
  context: CallContext<never, CompareSession>,
  database: DatabaseId,
  { sql, writes }: { readonly sql: string; readonly writes: boolean },
  body: WorkRequest<T>['body'],
): Promise<T> {
  const title = `Comparing ${statementTitle(sql)}`;
  return writes
    ? writing(context, database, { title, withoutUndo: true, tries: true }, body)
    : reading(context, database, { title, pausesReading: true }, body);
}

/** Reports are hints: a report is dropped when its port has no room or is closed. */
function reporter(emit: (progress: Progress) => Promise<void>): (progress: Progress) => void {
  let reportedMs = performance.now();
  let waiting = false;
  return (progress) => {
    const now = performance.now();
    if (waiting || now - reportedMs < REPORT_EVERY_MS) return;
    reportedMs = now;
    waiting = true;
    emit(progress).then(
      () => (waiting = false),
      () => undefined,
    );
  };
}
