// A run of the user's SQL: statement by statement, rows into spooled results, with pauses for the other windows.
import { AppError, fail, inParts } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import { RUN_LIMITS, type ParameterValues, type QueryEvent, type QueryReply } from '#shared/protocol/query.ts';
import { ClockReads } from '../engines/clock-reads.ts';
import type { Connection, ScriptStatement, Statement } from '../engines/engine.ts';
import { parameterValues } from '../engines/engine-errors.ts';
import { readerInfo, readersOf } from '../live/reader-registry.ts';
import { layoutOfResult, selectOf } from '../live/select.ts';
import { SpooledReader, type SpooledOptions } from '../readers/spooled-reader.ts';
import { sliceEnd } from '../readers/slice.ts';
import { explainMissing } from '../schema/missing-name.ts';
import { estimateRows } from '../schema/row-estimate.ts';
import type { DatabaseSession, Pause, Turn, WindowSession } from '../sessions/session.ts';
import { leadingKeyword, nextStatement, type TextRange } from '#shared/split-statements.ts';
import { statementTitle } from '../sql/statement-title.ts';
import { isWrite, writesOnlyTemp } from './written.ts';
import { countRest, countRows, SpooledResult, stepAgain } from './statement-results.ts';
import { ScriptOrigin } from './script-origin.ts';

const REPORT_INTERVAL_MS = 100;
/** How long a run waits for a window to read the first rows. */
const READ_TIMEOUT_MS = 2000;
/** How often the run checks for Stop between statements, most of which take a few microseconds. */
const LOOK_EVERY_MS = 1;

const TRANSACTION_WORDS = new Set(['BEGIN', 'COMMIT', 'END', 'ROLLBACK', 'SAVEPOINT', 'RELEASE']);
const CHANGING_WORDS = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'WITH']);

/** `temporary`: only statements that write, and only to TEMP tables. */
type Allowed = 'read' | 'temporary' | 'write';

interface RunText {
  readonly sql: string;
  readonly parameters?: ParameterValues;
  readonly withoutUndo?: boolean;
  readonly showsRows?: boolean;
}

export class QueryRun {
  readonly origin: ScriptOrigin;
  readonly #database: DatabaseSession;
  readonly #window: WindowSession;
  readonly #sql: string;
  readonly #parameters: ParameterValues;
  readonly #send: (event: QueryEvent) => void;
  #statement = 0;
  #results = 0;
  #rowsChanged = 0;
  #timeMs = 0;
  #transactionOpen = false;
  /** State before the current statement. */
  #isInTransaction = false;
  /** Counter of the connection before the current statement; null when it has to be read again. */
  #totalChanges: number | null = null;
  #last: ScriptStatement | null = null;
  #keyword = '';
  /** Result of the current statement; null when its rows are only counted. */
  #kept: SpooledResult | null = null;
  readonly #counted = { rows: 0 };
  readonly #clockReads = new ClockReads();
  /** Time at which a statement ended, the last time the clock was read, or the last pause. */
  #lapMs = 0;
  /** Time before the last pause of what has run since that statement. */
  #busyMs = 0;
  #lookAgainMs = 0;
  /** Settles when the first result has been read; null if nothing waits for that. */
  #firstRead: Promise<unknown> | null = null;
  #showsRows: boolean;
  readonly #progress = new StatementProgress();
  #reportedMs = performance.now();

  constructor(
    database: DatabaseSession,
    window: WindowSession,
    { sql, parameters = {}, withoutUndo, showsRows = false }: RunText,
    send: (event: QueryEvent) => void,
  ) {
    this.#database = database;
    this.#window = window;
    this.#sql = sql;
    this.#parameters = parameters;
    this.#send = send;
    this.#showsRows = showsRows;
    this.origin = new ScriptOrigin(sql, withoutUndo ?? false);
  }

  get reply(): QueryReply {
    return {
      statements: this.#statement,
      results: this.#results,
      rowsChanged: this.#rowsChanged,
      timeMs: this.#timeMs,
      transactionOpen: this.#transactionOpen,
    };
  }

  /** The first statement may only run as a write, so there is no need to begin as a read. */
  get beginsAsWrite(): boolean {
    return TRANSACTION_WORDS.has(leadingKeyword(this.#sql));
  }

  /** Runs from `start` on. Returns the position of the first statement that needs another turn than this; null at the end. */
  *statements(turn: Turn, start: number, allowed: Allowed): Generator<Pause, number | null> {
    const { connection } = turn;
    const text = start === 0 ? this.#sql : this.#sql.slice(start);
    const script = connection.script(text, this.#parameters);
    let current: ScriptStatement | null = null;
    try {
      this.#resume(connection);
      let end = sliceEnd(turn);
      for (;;) {
        current = null;
        current = script.next();
        if (!current) return (this.#lap(), null);
        const keyword = this.#keywordOf(current, start);
        if (needsAnotherTurn(connection, current, text, allowed)) return (this.#lap(), start + current.from);
        this.origin.at(start + current.from, start + current.to, this.#isInTransaction);
        turn.measureBy(this.#progress.of(connection, current));
        const changes = !current.readonly && CHANGING_WORDS.has(keyword);
        const before = changes ? (this.#totalChanges ??= connection.totalChanges) : 0;
        const rest = this.#begin(turn, current, start, end);
        if (rest) yield* this.#withPauses(connection, rest);
        const isTimed = this.#end(connection, current, start, changes ? before : null);
        if (!isTimed && !rest) continue;
        const now = isTimed ? this.#lapMs : this.#lap().now;
        if (now >= this.#lookAgainMs) {
          this.#lookAgainMs = now + LOOK_EVERY_MS;
          if (turn.stopRequested) {
            current = null;
            fail('stopped', 'Stopped.');
          }
        }
        const awaited = this.#takeFirstRead(text, current.to);
        if (awaited) turn.pauseUntil(awaited);
        else if (now < end) continue;
        this.#reportProgress(start + current.to);
        yield 'between';
        this.#resume(connection);
        end = sliceEnd(turn);
      }
    } catch (error) {
      // A statement that could not be prepared has no object yet.
      const failed = current ?? nextStatement(this.#sql.slice(start), script.position);
      throw locatedError(connection, error, {
        sql: this.#sql,
        start,
        failed,
        statement: this.#statement,
        results: this.#results,
        wasOpen: this.#isInTransaction,
      });
    } finally {
      turn.measureBy(null);
      script.dispose();
      this.#transactionOpen = allowed !== 'read' && !connection.autocommit;
    }
  }

  /**
   * Runs the statement as far as possible without a pause. Returns null when that was to the end, as for most statements of a script;
   * otherwise the rest.
   */
  #begin(turn: Turn, statement: ScriptStatement, start: number, end: number): Generator<Pause, void> | null {
    this.#counted.rows = 0;
    this.#kept = null;
    if (statement.columnCount === 0) {
      try {
        while (statement.step());
        return null;
      } catch (error) {
        return stepAgain(turn, statement, error);
      }
    }
    if (++this.#results > RUN_LIMITS.results)
      return countRows(statement, this.#counted, end) ? null : countRest(turn, statement, this.#counted);
    // What has run since the last look at the clock is not part of its time.
    if (this.#clockReads.hasUnread) this.#lap();
    this.#kept = this.#keptResult(turn.connection, statement, start);
    return this.#kept.fill(turn);
  }

  /**
   * Returns whether the clock was read. Within a transaction and between reads, statements are often shorter than that takes.
   * @param changesBefore total changes of the connection before, for a statement that changes rows
   */
  #end(connection: Connection, statement: ScriptStatement, start: number, changesBefore: number | null): boolean {
    this.#progress.end();
    this.#totalChanges = changesBefore === null ? null : connection.totalChanges;
    const rowsChanged = this.#totalChanges === null ? null : this.#totalChanges - changesBefore!;
    if (TRANSACTION_WORDS.has(this.#keyword)) this.#database.pending.afterControl(this.#sql, start + statement.from);
    this.#isInTransaction = !connection.autocommit;
    this.#rowsChanged += rowsChanged ?? 0;
    const number = this.#statement++;
    const hasRows = statement.columnCount > 0;
    const isSent = hasRows ? this.#kept !== null : number < RUN_LIMITS.statements;
    const mayBeShort = this.#isInTransaction || (statement.readonly && statement.control === null);
    if (!isSent && mayBeShort && !this.#clockReads.isDue()) return false;
    const { timeMs } = this.#lap();
    const [from, to] = [start + statement.from, start + statement.to];
    if (isSent)
      this.#send({ kind: 'done', statement: number, from, to, rows: this.#kept?.rows ?? null, rowsChanged, timeMs });
    return true;
  }

  /** Adds up the time since the last call, without pauses. */
  #lap(): { readonly now: number; readonly timeMs: number } {
    const now = performance.now();
    const timeMs = this.#busyMs + now - this.#lapMs;
    this.#clockReads.noteRead(now);
    this.#timeMs += timeMs;
    this.#lapMs = now;
    this.#busyMs = 0;
    return { now, timeMs };
  }

  /** A promise to await before the next statement, once. */
  #takeFirstRead(text: string, position: number): Promise<unknown> | null {
    const awaited = this.#firstRead;
    this.#firstRead = null;
    if (!awaited || !nextStatement(text, position)) return null;
    const timeout = new Promise((resolve) => setTimeout(resolve, READ_TIMEOUT_MS));
    // The reply is on its way in the next task.
    return Promise.race([awaited.then(() => new Promise((resolve) => setTimeout(resolve))), timeout]);
  }

  /** Called after a pause, during which other work may have changed anything. */
  #resume(connection: Connection): void {
    this.#isInTransaction = !connection.autocommit;
    this.#totalChanges = null;
    this.#lapMs = performance.now();
  }

  /** Time that passes while a statement is paused does not count as its time. */
  *#withPauses(connection: Connection, rest: Generator<Pause, void>): Generator<Pause, void> {
    for (const pause of rest) {
      this.#busyMs += performance.now() - this.#lapMs;
      yield pause;
      this.#resume(connection);
    }
  }

  /** A statement that is bound again is the same object with the same first word. */
  #keywordOf(statement: ScriptStatement, start: number): string {
    if (statement !== this.#last) this.#keyword = leadingKeyword(this.#sql, start + statement.from);
    this.#last = statement;
    return this.#keyword;
  }

  #keptResult(connection: Connection, statement: ScriptStatement, start: number): SpooledResult {
    const readers = readersOf(this.#window);
    const [from, to] = [start + statement.from, start + statement.to];
    const sql = this.#sql.slice(from, to);
    const options: SpooledOptions = {
      title: statementTitle(sql),
      query: selectOf(connection, statement, sql, parameterValues(sql, from, this.#parameters)),
      state: 'fixed',
      limitMs: null,
      whenStopped: 'paused',
    };
    const { id, reader } = readers.add(
      this.#database,
      (host) => new SpooledReader(host, layoutOfResult(statement.columns), options),
    );
    if (this.#showsRows) this.#firstRead = reader.firstRead;
    this.#showsRows = false;
    const number = this.#statement;
    const reads = statement.readonly ? statement.readTables : null;
    return new SpooledResult(statement, options.query, reader, (rows, first) => {
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
    if (this.#statement < RUN_LIMITS.statements || !this.#isReportDue()) return;
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
}

/** @throws AppError `refused` for a statement that writes to the file after all: an earlier one has changed what its names mean */
function needsAnotherTurn(
  connection: Connection,
  statement: ScriptStatement,
  script: string,
  allowed: Allowed,
): boolean {
  if (allowed === 'write') return false;
  const text = script.slice(statement.from, statement.to);
  if (isWrite(statement, text) === (allowed === 'read')) return true;
  if (allowed === 'temporary' && !writesOnlyTemp(connection, text))
    throw AppError.refused(
      inParts(
        'This statement would change the file, which is read-only until your first edit.',
        'The file was not changed: run this statement alone.',
      ),
    );
  return false;
}

/** State of a run when it ended. */
interface RunState {
  /** The whole text. */
  readonly sql: string;
  /** Start of the part that ran. */
  readonly start: number;
  /** The statement that failed: its range in that part. Null if none had begun. */
  readonly failed: (TextRange & { readonly readonly?: boolean }) | null;
  /** How many statements and results came before. */
  readonly statement: number;
  readonly results: number;
  /** A transaction was open before the statement. */
  readonly wasOpen: boolean;
}

/** The error of a run, with its position in the whole text and what was done before it. */
function locatedError(connection: Connection, thrown: unknown, state: RunState): unknown {
  if (!(thrown instanceof AppError)) return thrown;
  const { sql, start, failed, statement, results, wasOpen } = state;
  const error = explainMissing(connection, thrown, sql.slice(start), failed);
  const offset = error.sqlite && error.sqlite.offset >= 0 ? error.sqlite.offset + start : -1;
  const inWrite = failed?.readonly === false;
  return new AppError({
    code: error.code,
    message:
      error.code === 'stopped'
        ? stoppedSentence({ wasOpen, isOpen: !connection.autocommit, before: statement, inWrite })
        : error.message,
    ...(error.sqlite && { sqlite: { ...error.sqlite, offset } }),
    detail: {
      ...error.detail,
      statement,
      results,
      ...(failed && { from: start + failed.from, to: start + failed.to }),
    },
  });
}

interface Stop {
  /** Whether a transaction was open before the statement; `isOpen`: after it. */
  readonly wasOpen: boolean;
  readonly isOpen: boolean;
  /** Statements of the same run that had ended. */
  readonly before: number;
  /** False between two statements, too. */
  readonly inWrite: boolean;
}

/** Describes what Stop did to the statement, to those before it and to an open transaction (sqlite.org/c3ref/interrupt.html). */
function stoppedSentence({ wasOpen, isOpen, before, inWrite }: Stop): string {
  if (wasOpen && !isOpen)
    return 'Stopped in the middle of a write, so SQLite rolled back the whole open transaction. None of it was kept.';
  if (isOpen)
    return 'Stopped. The transaction is still open, with everything done in it so far: COMMIT or ROLLBACK ends it.';
  const own = inWrite ? ' Nothing of this statement was kept.' : '';
  if (before === 0) return `Stopped.${own}`;
  return `Stopped.${own} ${before === 1 ? 'The statement before it is kept' : `The ${before} statements before it are kept`}.`;
}

/** CREATE INDEX takes two passes: it reads the rows, then writes them in order. */
const PASSES_OF_INDEX = 2;

/** Progress of a running statement: the rows it has visited, out of those in the table if it uses only one. */
class StatementProgress {
  /** Row counts by table, each read once, because a script may use the same table thousands of times. */
  readonly #rows = new Map<string, number | null>();
  /** Tables of the previous statement: the next one in a script is often similar and then has the same lists. */
  #last: { reads: unknown; written: unknown; readonly: boolean } | null = null;
  #lastTotal: number | null = null;
  #statement: Statement | null = null;
  /** Shared by all statements, because a script may have very many. */
  readonly #measure = (): Progress => {
    if (this.#statement) this.#measured = progressOf(this.#statement, this.#lastTotal);
    return this.#measured;
  };
  #measured: Progress = { phase: 'Reading', done: 0, total: null, unit: 'rows' };

  /** Null when the engine cannot tell. The returned function may be called while the statement runs. */
  of(connection: Connection, statement: Statement): (() => Progress) | null {
    // Checks only for the property: reading it takes as long as some statements do.
    if (!('rowsVisited' in statement)) return null;
    const { reads, writtenTables: written, readonly } = statement;
    const last = this.#last;
    if (reads !== last?.reads || written !== last.written || readonly !== last.readonly) {
      this.#last = { reads, written, readonly };
      this.#lastTotal = this.#totalOf(connection, statement);
    }
    this.#statement = statement;
    return this.#measure;
  }

  /** Call before the statement is destroyed: keeps its last progress. */
  end(): void {
    this.#statement = null;
  }

  /** Number of rows the statement visits; null when that is unknown. */
  #totalOf(connection: Connection, statement: Statement): number | null {
    const written = statement.writtenTables ?? [];
    const [table, another] = new Set([...statement.readTables, ...written]);
    const rows = table === undefined || another !== undefined ? null : this.#rowsIn(connection, table);
    const passes = statement.readonly || written.length > 0 ? 1 : PASSES_OF_INDEX;
    return rows === null ? null : rows * passes;
  }

  #rowsIn(connection: Connection, table: string): number | null {
    const known = this.#rows.get(table);
    if (known !== undefined) return known;
    const rows = countOf(connection, table);
    this.#rows.set(table, rows);
    return rows;
  }
}

function progressOf(statement: Statement, total: number | null): Progress {
  const done = statement.rowsVisited ?? 0;
  // More rows visited than there are: the statement sorts, also walks an index, or reads the table twice, so the total is unknown.
  return { phase: 'Reading', done, total: total !== null && done <= total ? total : null, unit: 'rows' };
}

/** Null for anything but a table with its own rows in this database. */
function countOf(connection: Connection, table: string): number | null {
  try {
    return estimateRows(connection, table, 'rowid')?.count ?? null;
  } catch {
    return null;
  }
}
