// One run of the person's SQL: statement by statement, rows into spooled results, with pauses for the other windows.
import { AppError } from '#shared/protocol/errors.ts';
import type { QueryChunk, QueryReply } from '#shared/protocol/query.ts';
import type { Connection, ScriptStatement } from '../engines/engine.ts';
import { fillSpool, fillSpoolWhole } from '../readers/fill-spool.ts';
import { readerInfo, readersOf } from '../live/reader-registry.ts';
import { layoutOfResult, selectOf } from '../live/select.ts';
import { SpooledReader } from '../readers/spooled-reader.ts';
import type { SpooledOptions } from '../readers/spooled-reader.ts';
import { sliceEnd } from '../readers/slice.ts';
import type { DatabaseSession, Pause, Turn, WindowSession } from '../sessions/session.ts';
import { leadingKeyword } from '../sql/split-statements.ts';
import { statementTitle } from '../sql/statement-title.ts';
import { StatementProgress } from './statement-progress.ts';
import { stoppedSentence } from './stopped-sentence.ts';
import { ScriptOrigin } from './script-origin.ts';

const REPORT_INTERVAL_MS = 100;
/** Statements without rows get a `done` of their own up to this many; a longer script only reports progress. */
const MAX_DONE_CHUNKS = 100;
/** Results beyond this many are run and counted, but nobody could look at them all. */
const MAX_RESULTS = 100;

const CHANGING_WORDS = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'WITH']);

export class QueryRun {
  readonly origin: ScriptOrigin;
  readonly #database: DatabaseSession;
  readonly #window: WindowSession;
  readonly #sql: string;
  readonly #send: (chunk: QueryChunk) => void;
  #statement = 0;
  #results = 0;
  #rowsChanged = 0;
  #timeMs = 0;
  #transactionOpen = false;
  /** Before the statement that runs now. */
  #transactionWasOpen = false;
  readonly #progress = new StatementProgress();
  #reportedMs = performance.now();

  constructor(
    database: DatabaseSession,
    window: WindowSession,
    { sql, withoutUndo }: { readonly sql: string; readonly withoutUndo?: boolean },
    send: (chunk: QueryChunk) => void,
  ) {
    this.#database = database;
    this.#window = window;
    this.#sql = sql;
    this.#send = send;
    this.origin = new ScriptOrigin(sql, withoutUndo ?? false);
  }

  get reply(): QueryReply {
    return {
      statements: this.#statement,
      rowsChanged: this.#rowsChanged,
      timeMs: this.#timeMs,
      transactionOpen: this.#transactionOpen,
    };
  }

  /** Runs from `start` on. Answers where the first statement is that writes when it may not, otherwise null at the end. */
  *statements(turn: Turn, start: number, mayWrite: boolean): Generator<Pause, number | null> {
    const { connection } = turn;
    const script = connection.script(start === 0 ? this.#sql : this.#sql.slice(start));
    let current: ScriptStatement | null = null;
    try {
      let end = sliceEnd(turn);
      while ((current = script.next())) {
        const keyword = leadingKeyword(this.#sql, start + current.from);
        // SQLite calls transactions and ATTACH read-only, but they decide about what others may write.
        if (!mayWrite && (!current.readonly || current.control !== null)) return start + current.from;
        this.origin.at(start + current.from, start + current.to, !connection.autocommit);
        yield* this.#run(turn, current, start, CHANGING_WORDS.has(keyword) && !current.readonly);
        this.#statement++;
        if (turn.stopRequested) {
          this.#transactionWasOpen = !connection.autocommit;
          current = null;
          throw new AppError({ code: 'stopped', message: 'Stopped.' });
        }
        if (performance.now() < end) continue;
        this.#reportProgress(start + current.to);
        yield 'between';
        end = sliceEnd(turn);
      }
      return null;
    } catch (error) {
      throw this.#located(connection, error, start, current);
    } finally {
      turn.measureBy(null);
      script.dispose();
      this.#transactionOpen = mayWrite && !connection.autocommit;
    }
  }

  *#run(turn: Turn, statement: ScriptStatement, start: number, changes: boolean): Generator<Pause, void> {
    const before = changes ? turn.connection.totalChanges : 0;
    this.#transactionWasOpen = !turn.connection.autocommit;
    turn.measureBy(this.#progress.of(turn.connection, statement));
    let resumed = performance.now();
    let busyMs = 0;
    let rows: number | null = null;
    if (statement.columnCount === 0) yield* stepThrough(turn, statement);
    else {
      const result = this.#result(turn.connection, statement, start);
      for (const pause of result.fill(turn)) {
        busyMs += performance.now() - resumed;
        yield pause;
        resumed = performance.now();
      }
      rows = result.rows;
    }
    busyMs += performance.now() - resumed;
    const rowsChanged = changes ? turn.connection.totalChanges - before : null;
    this.#timeMs += busyMs;
    this.#rowsChanged += rowsChanged ?? 0;
    if (rows === null && this.#statement >= MAX_DONE_CHUNKS) return;
    const [from, to] = [start + statement.from, start + statement.to];
    this.#send({ kind: 'done', statement: this.#statement, from, to, rows, rowsChanged, timeMs: busyMs });
  }

  #result(connection: Connection, statement: ScriptStatement, start: number): StatementResult {
    if (++this.#results > MAX_RESULTS) return new CountedResult(statement);
    const readers = readersOf(this.#window);
    const [from, to] = [start + statement.from, start + statement.to];
    const sql = this.#sql.slice(from, to);
    const options: SpooledOptions = {
      title: statementTitle(sql),
      query: selectOf(connection, statement, sql),
      state: 'fixed',
      limitMs: null,
      whenStopped: 'paused',
    };
    const { id, reader } = readers.add(
      this.#database,
      (host) => new SpooledReader(host, layoutOfResult(statement.columns), options),
    );
    const number = this.#statement;
    const reads = statement.readonly ? statement.readTables : null;
    return new SpooledResult(statement, reader, (rows, first) => {
      if (first)
        this.#send({
          kind: 'result',
          statement: number,
          from,
          to,
          sql,
          reader: readerInfo(id, reader),
          reads,
        });
      else if (this.#isReportDue()) this.#send({ kind: 'rows', statement: number, rows });
    });
  }

  #reportProgress(position: number): void {
    if (this.#statement < MAX_DONE_CHUNKS || !this.#isReportDue()) return;
    this.#send({
      kind: 'progress',
      progress: { phase: `${this.#statement} statements`, done: position, total: this.#sql.length, unit: 'bytes' },
    });
  }

  #isReportDue(): boolean {
    const now = performance.now();
    if (now - this.#reportedMs < REPORT_INTERVAL_MS) return false;
    this.#reportedMs = now;
    return true;
  }

  /** The same error, with its offset in the whole text and the number of the statement. */
  #located(connection: Connection, error: unknown, start: number, statement: ScriptStatement | null): unknown {
    if (!(error instanceof AppError)) return error;
    const offset = error.sqlite && error.sqlite.offset >= 0 ? error.sqlite.offset + start : -1;
    const stopped = error.code === 'stopped';
    return new AppError({
      code: error.code,
      message: stopped
        ? stoppedSentence({
            wasOpen: this.#transactionWasOpen,
            isOpen: !connection.autocommit,
            before: this.#statement,
            inWrite: statement !== null && !statement.readonly,
          })
        : error.message,
      ...(error.sqlite && { sqlite: { ...error.sqlite, offset } }),
      detail: {
        ...error.detail,
        statement: this.#statement,
        ...(statement && { from: start + statement.from, to: start + statement.to }),
      },
    });
  }
}

/** A statement without rows that met a lock has changed nothing: it is begun again. */
function* stepThrough(turn: Turn, statement: ScriptStatement): Generator<Pause, void> {
  for (;;) {
    try {
      while (statement.step());
      return;
    } catch (error) {
      yield* turn.outlastLock(error);
    }
  }
}

interface StatementResult {
  readonly rows: number;
  fill(turn: Turn): Generator<Pause, void>;
}

class SpooledResult implements StatementResult {
  readonly #statement: ScriptStatement;
  readonly #reader: SpooledReader;
  readonly #grown: (rows: number, first: boolean) => void;
  #first = true;

  constructor(statement: ScriptStatement, reader: SpooledReader, grown: (rows: number, first: boolean) => void) {
    this.#statement = statement;
    this.#reader = reader;
    this.#grown = grown;
  }

  get rows(): number {
    return this.#reader.extent.rows;
  }

  *fill(turn: Turn): Generator<Pause, void> {
    const { spool } = this.#reader;
    let resumed = performance.now();
    let runMs = 0;
    try {
      // Rows of RETURNING are read in one go: a pause would show others half of a change.
      if (!this.#statement.readonly) fillSpoolWhole(this.#statement, spool);
      else {
        for (const pause of fillSpool(turn, this.#statement, spool, () => this.#report(null))) {
          if (this.#reader.disposed) return;
          runMs += performance.now() - resumed;
          yield pause;
          resumed = performance.now();
        }
      }
    } finally {
      this.#report(runMs + performance.now() - resumed);
    }
  }

  #report(runMs: number | null): void {
    this.#reader.grew(runMs);
    this.#grown(this.rows, this.#first);
    this.#first = false;
  }
}

class CountedResult implements StatementResult {
  readonly #statement: ScriptStatement;
  rows = 0;

  constructor(statement: ScriptStatement) {
    this.#statement = statement;
  }

  *fill(turn: Turn): Generator<Pause, void> {
    for (let end = sliceEnd(turn); this.#statement.step(); this.rows++) {
      if (performance.now() < end || !this.#statement.readonly) continue;
      yield 'reading';
      end = sliceEnd(turn);
    }
  }
}
