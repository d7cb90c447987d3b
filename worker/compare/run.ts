// A single run of a text to be compared: results kept with their digests, writes rolled back, SQLite's errors part of the answer.
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { ComparedResult, ComparedStatement, CompareRunReply } from '#shared/protocol/compare.ts';
import { AppError, fail, toErrorData } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { PlanLine } from '#shared/protocol/query.ts';
import type { Connection, ScriptStatement, Statement } from '../engines/engine.ts';
import { readerInfo, readersOf } from '../live/reader-registry.ts';
import { layoutOfResult } from '../live/select.ts';
import { SPOOL_LIMITS } from '../readers/spool.ts';
import type { DatabaseSession, Pause, Turn, WindowSession } from '../sessions/session.ts';
import { queryPlan } from '../query/query-plan.ts';
import { nextStatement, leadingWords, splitStatements, type TextRange } from '#shared/split-statements.ts';
import { setsSomething } from '../sql/statement-kinds.ts';
import { statementTitle } from '../sql/statement-title.ts';
import { ComparedReader } from './compared-reader.ts';

/** A transaction to be rolled back is better not seen by others at all: only long ones let them in. */
const WRITE_SLICE_MS = 100;
const MAX_RESULTS = 100;
const MAX_PLANS = 50;
const MAX_STATEMENTS = 200;

export interface CompareRequest {
  readonly sql: string;
  readonly writes: boolean;
}

export class CompareRun {
  readonly #database: DatabaseSession;
  readonly #window: WindowSession;
  readonly #request: CompareRequest;
  readonly #report: (progress: Progress) => void;
  readonly #statements: ComparedStatement[] = [];
  #results = 0;

  constructor(
    database: DatabaseSession,
    window: WindowSession,
    request: CompareRequest,
    report: (progress: Progress) => void,
  ) {
    this.#database = database;
    this.#window = window;
    this.#request = request;
    this.#report = report;
  }

  *run(turn: Turn): Generator<Pause, CompareRunReply> {
    const { connection } = turn;
    const before = connection.commitMark;
    let whole = false;
    try {
      yield* rolledBack(connection, this.#request.writes, this.#runAll(turn));
      const mark = connection.commitMark;
      whole = true;
      return {
        statements: this.#statements,
        wrote: this.#request.writes,
        mark: mark === before ? mark : null,
      };
    } finally {
      // The caller never learns of these results, so it cannot close them.
      if (!whole) for (const { result } of this.#statements) if (result) this.#close(result);
    }
  }

  /** Continues after a statement that fails, as long as earlier writes can still be rolled back. */
  *#runAll(turn: Turn): Generator<Pause, void> {
    let start: number | null = 0;
    try {
      while (start !== null) start = yield* this.#runFrom(turn, start);
    } finally {
      turn.measureBy(null);
    }
  }

  /** Returns where to continue after an error, or null at the end. */
  *#runFrom(turn: Turn, start: number): Generator<Pause, number | null> {
    const { sql, writes } = this.#request;
    const script = turn.connection.script(sql.slice(start));
    let current: TextRange | null = null;
    let end = sliceEnd(turn, writes);
    try {
      for (;;) {
        current = null;
        const watch = new Stopwatch();
        const statement = watch.time(() => script.next());
        if (!statement) return null;
        current = { from: start + statement.from, to: start + statement.to };
        if (isPassedOver(statement)) continue;
        this.#add(yield* this.#runOne(turn, statement, current, watch));
        if (turn.stopRequested) fail('stopped', 'The comparison was stopped.');
        if (performance.now() < end) continue;
        yield writes ? 'between' : 'reading';
        end = sliceEnd(turn, writes);
      }
    } catch (error) {
      if (!(error instanceof AppError) || !isAnswer(error)) throw error;
      const { from, to } = current ?? nextStatement(sql, start + script.position) ?? { from: 0, to: sql.length };
      this.#add({ from, to, error: toErrorData(error), result: null, rowsChanged: null, plan: [], engineMs: 0 });
      const mayGoOn = this.#statements.length < MAX_STATEMENTS && !(writes && turn.connection.autocommit);
      return mayGoOn && to < sql.length ? to : null;
    } finally {
      script.dispose();
    }
  }

  /** Lists the first statements of a long script one by one and sums up the rest, which a user would not look at. */
  #add(statement: ComparedStatement): void {
    const last = this.#statements.at(-1);
    if (this.#statements.length < MAX_STATEMENTS || !last || last.result || statement.result || statement.error)
      return void this.#statements.push(statement);
    const rowsChanged = (last.rowsChanged ?? 0) + (statement.rowsChanged ?? 0);
    const engineMs = last.engineMs + statement.engineMs;
    this.#statements[this.#statements.length - 1] = { ...last, to: statement.to, rowsChanged, engineMs, plan: [] };
  }

  *#runOne(
    turn: Turn,
    statement: ScriptStatement,
    { from, to }: TextRange,
    watch: Stopwatch,
  ): Generator<Pause, ComparedStatement> {
    const { connection } = turn;
    if (!statement.readonly && !this.#request.writes)
      fail('invalid', 'This statement writes in an unexpected way. Nothing was changed.');
    const sql = this.#request.sql.slice(from, to);
    const plan = this.#statements.length < MAX_PLANS ? planOf(connection, sql) : [];
    const changesBefore = connection.totalChanges;
    const result = yield* this.#rows(turn, statement, sql, watch);
    const rowsChanged = statement.readonly ? null : connection.totalChanges - changesBefore;
    return { from, to, error: null, result, rowsChanged, plan, engineMs: watch.elapsedMs };
  }

  *#rows(
    turn: Turn,
    statement: ScriptStatement,
    sql: string,
    watch: Stopwatch,
  ): Generator<Pause, ComparedResult | null> {
    if (statement.columnCount === 0 || ++this.#results > MAX_RESULTS) {
      watch.time(() => {
        while (statement.step());
      });
      return null;
    }
    const title = statementTitle(sql);
    const layout = layoutOfResult(statement.columns);
    const { id, reader } = readersOf(this.#window).add(
      this.#database,
      (host) => new ComparedReader(host, layout, title),
    );
    try {
      yield* this.#fill(turn, statement, reader, watch);
    } catch (error) {
      readersOf(this.#window).close(id);
      throw error;
    }
    reader.grew(watch.elapsedMs);
    return { reader: readerInfo(id, reader), rows: reader.extent.rows, digest: reader.finish() };
  }

  *#fill(turn: Turn, statement: ScriptStatement, reader: ComparedReader, watch: Stopwatch): Generator<Pause, void> {
    const { columnCount } = statement;
    const { writes } = this.#request;
    const progress = (): Progress => ({ phase: 'Running', done: reader.spool.rowCount, total: null, unit: 'rows' });
    turn.measureBy(progress);
    let end = sliceEnd(turn, writes);
    for (let more = true; more;) {
      const writer = new PackedRowsWriter(columnCount, { expectedRows: CHUNK_ROWS, previewBytes: Infinity });
      // RETURNING rows are read in one go, as everywhere.
      const deadlineMs = statement.readonly ? end : Infinity;
      more = watch.time(() => statement.pack(writer, { maxRows: CHUNK_ROWS, maxBytes: CHUNK_BYTES, deadlineMs }));
      reader.append(writer.finish());
      if (reader.disposed) fail('stopped', 'The comparison was closed.');
      if (!more || performance.now() < end || !statement.readonly) continue;
      this.#report(progress());
      yield 'reading';
      if (turn.stopRequested) fail('stopped', 'The comparison was stopped.');
      end = sliceEnd(turn, writes);
    }
  }

  #close({ reader }: ComparedResult): void {
    readersOf(this.#window).close(reader.reader);
  }
}

const { chunkRows: CHUNK_ROWS, chunkBytes: CHUNK_BYTES } = SPOOL_LIMITS;

export function sliceEnd({ deadlineMs }: Turn, writes: boolean): number {
  return writes ? performance.now() + WRITE_SLICE_MS : deadlineMs;
}

/** Runs `body` in a transaction that is rolled back however it ends. */
function* rolledBack<T>(connection: Connection, writes: boolean, body: Generator<Pause, T>): Generator<Pause, T> {
  if (!writes) return yield* body;
  connection.run('BEGIN IMMEDIATE');
  try {
    return yield* body;
  } finally {
    // Some failures (full disk, interrupt) have ended it already.
    if (!connection.autocommit) connection.run('ROLLBACK');
  }
}

/** An engine's error for a statement is a result like rows; that the run itself could not continue is not. */
function isAnswer({ code }: AppError): boolean {
  return (
    code === 'sql' ||
    code === 'constraint' ||
    code === 'too-big' ||
    code === 'corrupt' ||
    code === 'unavailable' ||
    code === 'invalid'
  );
}

function planOf(connection: Connection, sql: string): readonly PlanLine[] {
  try {
    return queryPlan(connection, sql);
  } catch {
    return []; // the run itself will report what is wrong
  }
}

/** Adds up the time inside the engine, without what is done between its calls. */
export class Stopwatch {
  elapsedMs = 0;

  time<T>(work: () => T): T {
    const began = performance.now();
    try {
      return work();
    } finally {
      this.elapsedMs += performance.now() - began;
    }
  }
}

// A comparison may run anything that a rollback undoes.

/** Statements to skip: all of the text is one transaction already. */
const PASSED_OVER: ReadonlySet<string> = new Set(['BEGIN', 'COMMIT', 'END']);
const REFUSED: ReadonlySet<string> = new Set(['ROLLBACK', 'ATTACH', 'DETACH', 'VACUUM']);
const READING: ReadonlySet<string> = new Set(['SELECT', 'VALUES', 'WITH', 'EXPLAIN', 'PRAGMA']);
const CHANGING_WORD = /\b(?:insert|update|delete|replace)\b/i;

/** Whether a statement is left out: the transaction is ours. @throws AppError `invalid` for what {@link assertComparable} should have refused */
export function isPassedOver({ control }: Pick<Statement, 'control'>): boolean {
  if (control === 'attach' || control === 'vacuum') throw refused('A statement like this');
  return control === 'transaction';
}

/** Returns whether it may write. @throws AppError `invalid` */
export function assertComparable(sql: string): boolean {
  let writes = false;
  for (const { from, to } of splitStatements(sql)) {
    const words = leadingWords(sql, from, 6);
    const [first = '', second] = words;
    // ROLLBACK TO a savepoint stays inside.
    if (REFUSED.has(first) && !(first === 'ROLLBACK' && words.includes('TO'))) throw refused(first);
    if (setsSomething(words)) throw refused('A PRAGMA that sets something');
    if (PASSED_OVER.has(first)) continue;
    const isExplained = first === 'EXPLAIN' && second !== undefined;
    if (!READING.has(first) || (first === 'WITH' && CHANGING_WORD.test(sql.slice(from, to)))) writes ||= !isExplained;
  }
  return writes;
}

function refused(what: string): AppError {
  return AppError.invalid(
    `${what} cannot be compared: its effect would outlast the transaction that is rolled back afterward. Remove it. Nothing was run.`,
  );
}
