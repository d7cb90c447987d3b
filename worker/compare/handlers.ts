// The operations of a comparison that both engines serve alike.
import type { CompareOperations } from '#shared/protocol/compare.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { EngineInfo } from '#shared/protocol/session.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { readersOf } from '../live/reader-registry.ts';
import { newRun } from '../sessions/work-origin.ts';
import type { DatabaseSession, OperationSession, WindowSession } from '../sessions/session.ts';
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
  'compare.mark': ({ database: id }, { session }) => {
    const database = session.database(id);
    return inTurn(database, session.window, 'Reading committed data', ({ connection }) => ({
      mark: connection.commitMark,
      transaction: !connection.autocommit,
      sizeBytes: connection.fileSizeBytes,
    }));
  },

  'compare.run'({ database: id, sql }, { session, id: call, onCancel, emit }) {
    const { window } = session;
    const database = session.database(id);
    const writes = assertComparable(sql);
    const run = new CompareRun(database, window, { sql, writes }, reporter(emit));
    return database.enqueue({ ...workOf(window, sql, writes), call, onCancel, body: (turn) => run.run(turn) });
  },

  'compare.time'({ database: id, sql }, { session, id: call, onCancel }) {
    const { window } = session;
    const writes = assertComparable(sql);
    const run = new TimedRun({ sql, writes });
    return session
      .database(id)
      .enqueue({ ...workOf(window, sql, writes), call, onCancel, body: (turn) => run.run(turn) });
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

  'compare.facts': ({ database: id }, { session }) =>
    inTurn(session.database(id), session.window, 'Reading the settings', ({ connection }) =>
      factsOf(connection, session.engine),
    ),
};

function inTurn<T>(
  database: DatabaseSession,
  window: WindowSession,
  title: string,
  body: Parameters<typeof database.enqueue<T>>[0]['body'],
): Promise<T> {
  return database.enqueue({ window, kind: 'read', title, body });
}

/** A rolled back run needs no undo, so the history makes no copy for it. */
function workOf(window: WindowSession, sql: string, writes: boolean) {
  const title = `Comparing ${statementTitle(sql)}`;
  return writes
    ? ({ window, kind: 'write', title, origin: { title, sql: null, run: newRun(), withoutUndo: true } } as const)
    : ({ window, kind: 'read', pausesReading: true, title } as const);
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
