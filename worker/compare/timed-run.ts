// A run that is only timed: every row is packed as for display, and discarded; only the first ones are sent.
import { NO_ROWS } from '#shared/packed-rows/format.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { CompareTimeReply } from '#shared/protocol/compare.ts';
import { fail } from '#shared/protocol/errors.ts';
import type { ScriptStatement } from '../engines/engine.ts';
import { SPOOL_LIMITS } from '../readers/spool.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { isPassedOver } from './comparable.ts';
import { sliceEnd } from './run.ts';
import type { CompareRequest } from './run.ts';
import { Stopwatch } from './stopwatch.ts';

/** Largest request of a window, and about as much as it makes. */
const SENT_ROWS = 2000;
const SENT_BYTES = 1 << 20;

export class TimedRun {
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
