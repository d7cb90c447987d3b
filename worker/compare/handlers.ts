// The operations of a comparison that both engines serve alike.
import { NO_ROWS, type PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { CompareOperations, EngineFacts, CompareTimeReply } from '#shared/protocol/compare.ts';
import { AppError, fail } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { EngineInfo } from '#shared/protocol/session.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { CallContext, Handlers } from '#shared/rpc/server.ts';
import type { Connection, ScriptStatement } from '../engines/engine.ts';
import { SPOOL_LIMITS } from '../readers/spool.ts';
import { reading, writing } from '../sessions/call-work.ts';
import { readersOf } from '../live/reader-registry.ts';
import type { OperationSession, WorkRequest, Pause, Turn } from '../sessions/session.ts';
import { statementTitle } from '../sql/statement-title.ts';
import { yieldToOthers } from '../readers/slice.ts';
import { comparedReader } from './compared-reader.ts';
import { CompareRun, sliceEnd, Stopwatch, assertComparable, isPassedOver, type CompareRequest } from './run.ts';

/** Requirements of these operations besides an open database. */
interface CompareSession extends OperationSession {
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

/** Pragmas that influence what is run or how fast it is. None of them writes when only queried. */
const PRAGMAS = [
  'application_id', 'auto_vacuum', 'automatic_index', 'busy_timeout', 'cache_size', 'case_sensitive_like',
  'cell_size_check', 'defer_foreign_keys', 'encoding', 'foreign_keys', 'freelist_count', 'journal_mode',
  'journal_size_limit', 'legacy_alter_table', 'locking_mode', 'mmap_size', 'page_count', 'page_size', 'query_only',
  'recursive_triggers', 'reverse_unordered_selects', 'schema_version', 'secure_delete', 'synchronous', 'temp_store',
  'threads', 'trusted_schema', 'user_version', 'wal_autocheckpoint',
]; // prettier-ignore

/** Facts a connection reports about itself: read back from it, not assumed. */
function factsOf(connection: Connection, info: Pick<EngineInfo, 'kind' | 'capabilities'>): EngineFacts {
  const [version, sourceId] = connection.one('SELECT sqlite_version(), sqlite_source_id()')!;
  const pragmas: Record<string, string> = {};
  for (const name of PRAGMAS) {
    const value = readPragma(connection, name);
    if (value !== null) pragmas[name] = value;
  }
  return {
    engine: { ...info, sqliteVersion: String(version), sqliteSourceId: String(sourceId) },
    compileOptions: connection.all('PRAGMA compile_options').map(([option]) => String(option)),
    pragmas,
  };
}

/** Null if an engine lacks it, or returns nothing for it. */
function readPragma(connection: Connection, name: string): string | null {
  try {
    const row = connection.one(`PRAGMA ${name}`);
    return row ? String(row[0]) : null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Largest request of a window, and about as much as it makes. */
const SENT_ROWS = 2000;
const SENT_BYTES = 1 << 20;

/** A run that is only timed: every row is packed as for display, and discarded; only the first ones are sent. */
class TimedRun {
  readonly #request: CompareRequest;
  readonly #watch = new Stopwatch();
  #sent: PackedRows | null = null;
  #rowCount = 0;

  constructor(request: CompareRequest) {
    this.#request = request;
  }

  *run(turn: Turn): Generator<Pause, CompareTimeReply> {
    const { connection } = turn;
    const { sql, writes } = this.#request;
    if (writes) this.#watch.time(() => connection.run('BEGIN IMMEDIATE'));
    const script = connection.script(sql);
    try {
      for (;;) {
        const statement = this.#watch.time(() => script.next());
        if (!statement) break;
        if (!isPassedOver(statement)) yield* this.#runOne(turn, statement);
      }
    } finally {
      script.dispose();
      if (writes && !connection.autocommit) this.#watch.time(() => connection.run('ROLLBACK'));
    }
    return { engineMs: this.#watch.elapsedMs, rowCount: this.#rowCount, rows: this.#sent ?? NO_ROWS };
  }

  *#runOne(turn: Turn, statement: ScriptStatement): Generator<Pause, void> {
    if (statement.columnCount === 0) {
      this.#watch.time(() => {
        while (statement.step());
      });
      return;
    }
    let end = sliceEnd(turn, this.#request.writes);
    for (let more = true; more;) {
      const isSent = this.#sent === null;
      const maxRows = isSent ? SENT_ROWS : SPOOL_LIMITS.chunkRows;
      const maxBytes = isSent ? SENT_BYTES : SPOOL_LIMITS.chunkBytes;
      const writer = new PackedRowsWriter(statement.columnCount, { expectedRows: SPOOL_LIMITS.chunkRows });
      const deadlineMs = statement.readonly ? end : Infinity;
      more = this.#watch.time(() => statement.pack(writer, { maxRows, maxBytes, deadlineMs }));
      const rows = writer.finish();
      this.#rowCount += rows.rowCount;
      if (isSent) this.#sent = rows;
      if (!more || performance.now() < end || !statement.readonly) continue;
      yield 'reading';
      if (turn.stopRequested) fail('stopped', 'The comparison was stopped.');
      end = sliceEnd(turn, this.#request.writes);
    }
  }
}
