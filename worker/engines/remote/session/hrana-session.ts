// The session with a server that speaks Hrana: the transaction and its stream.
import { toAppError, type AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { GuardedOutcome, GuardedWrite } from '../../guarded-write.ts';
import type { HranaClient, CursorReply, Outcome, Pipeline, Request, Stream } from '../hrana/hrana-client.ts';
import type { BatchResult, RemoteSql, ReplicationIndex, StatementResult, Step, Condition } from '../hrana/messages.ts';
import { mayHaveActed, isLostConnection } from '../network/network-error.ts';
import { describeRefusal, describeServerError } from '../runtime/server-error.ts';
import { bindText } from '../statements/remote-text.ts';
import type { RemoteStatement } from '../statements/remote-statement.ts';
import {
  afterWriting,
  autocommitOf,
  batchOf,
  saysNothingOfTransaction,
  transactionEnded,
  transactionLost,
  unknownOutcome,
} from './outcomes.ts';
import type { Effect, RowsTouched, ServerSession, TogetherParts } from './server-session.ts';
import { writeTogether } from './write-together.ts';

/** What statements may do to an open transaction. */
const MAY_COMMIT: readonly Effect[] = ['commit', 'release'];
const ENDS: readonly Effect[] = ['commit', 'rollback'];
const MAY_END: readonly Effect[] = [...ENDS, 'release'];

export class HranaSession implements ServerSession {
  readonly schemaQuery = 'SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY rowid';
  readonly #client: HranaClient;
  readonly #stream: SessionStream;
  readonly #transaction = new SessionTransaction();
  readonly #server: ServerState;

  /** @param notOlderThan what reads must not be older than from the beginning */
  constructor(client: HranaClient, notOlderThan: ReplicationIndex | null = null) {
    this.#client = client;
    this.#stream = new SessionStream(client);
    this.#server = new ServerState(notOlderThan);
  }

  get autocommit(): boolean {
    return !this.#transaction.isOpen;
  }

  /** The version as of the last reply. */
  get schemaVersion(): number {
    return this.#server.schemaVersion;
  }

  get transaction(): number | null {
    return this.#transaction.id;
  }

  get otherCommits(): number {
    return this.#server.otherCommits;
  }

  get lostTransactions(): number {
    return this.#transaction.losses;
  }

  get whyLost(): AppError | null {
    return this.#transaction.whyLost;
  }

  get index(): ReplicationIndex | null {
    return this.#server.index;
  }

  get written(): ReplicationIndex | null {
    return this.#server.written;
  }

  get touched(): RowsTouched {
    return this.#server.touched;
  }

  bind({ sql, shape }: RemoteStatement, params: readonly Value[]): RemoteSql {
    return bindText(sql, shape, params);
  }

  writeTogether(parts: TogetherParts, writes: readonly GuardedWrite[]): GuardedOutcome {
    return writeTogether({ session: this, ...parts }, writes);
  }

  run(statement: RemoteSql, effect: Effect): StatementResult {
    const begins = effect === 'begin' && this.autocommit;
    const endsUnsent = ENDS.includes(effect) && this.#transaction.pending.length > 0;
    if (begins) this.#transaction.begin([statement.sql]);
    if (endsUnsent) this.#transaction.end();
    if (begins || endsUnsent) return NOTHING;
    if (effect === 'write' && this.autocommit && this.#client.version === 3) return this.#runAlone(statement);
    return this.#runPlainly(statement, effect);
  }

  beginWith(statements: readonly string[]): void {
    this.#transaction.begin(statements);
  }

  /** Several statements in one transaction and one round trip; only outside a transaction, and only with version 3. */
  runTogether(steps: readonly Step[]): BatchResult {
    const outcome = this.#sendTogether(steps, true);
    const batch = afterWriting(() => this.#server.note(batchOf(outcome, steps.length + 2)));
    this.#server.noteWritten();
    return batch;
  }

  /** Same as {@link runTogether}, for steps that commit nothing: whatever happens to the reply, nothing was changed. */
  tryTogether(steps: readonly Step[]): BatchResult {
    return this.#server.note(batchOf(this.#sendTogether(steps, false), steps.length + 2));
  }

  get canRunTogether(): boolean {
    return this.autocommit && this.#client.version === 3;
  }

  /** Rows of any number, as they arrive. Only outside a transaction, and only with version 3. */
  cursor(statement: RemoteSql): CursorReply {
    return this.#reported(() => this.#client.cursor([{ statement }], this.#server.index));
  }

  get canUseCursor(): boolean {
    return this.autocommit && this.#client.version === 3;
  }

  /** One round trip that tells whether others have committed, and whether the schema has changed. */
  refresh(): void {
    if (this.autocommit) this.#client.hurriedly(() => void this.#runPlainly(plain('SELECT 1', true), 'read'));
  }

  refreshSchema(): void {
    if (this.autocommit) this.#runPlainly(plain('SELECT 1', true), 'read');
  }

  describe(sql: string): Outcome {
    // Only a batch can say which state it must not be older than; what follows on its stream is not older either.
    const wait: Request = { type: 'batch', steps: [SCHEMA_VERSION], atLeast: this.#server.index };
    const isOver = !this.#stream.isOpen;
    const asks = !isOver && this.#client.version === 3;
    const last = asks ? [ASKS_AUTOCOMMIT] : this.#stream.closing;
    const { outcomes } = this.#send([wait, { type: 'describe', sql }, ...last], { isWrite: false, isOver });
    if (asks && autocommitOf(outcomes[2]!)) throw this.#lost(transactionEnded(), 'read');
    const batch = batchOf(outcomes[0]!, 1);
    if (isOver) this.#server.noteBegun(batch);
    this.#server.note(batch);
    return outcomes[1]!;
  }

  close(): void {
    this.#stream.close();
    this.#transaction.end();
  }

  /** Runs the statement in its own transaction, whose beginning tells the state it was made on. */
  #runAlone(statement: RemoteSql): StatementResult {
    const batch = this.runTogether([{ statement }, { statement: plain('COMMIT') }]);
    for (const error of [batch.step_errors[0], batch.step_errors[1]]) if (error) throw describeServerError(error);
    return batch.step_results[0] ?? NOTHING;
  }

  runInTransaction(statements: readonly RemoteSql[], goOn: boolean): BatchResult {
    const pending = this.#pendingSteps;
    const begun = pending.length;
    const steps = inOpenTransaction(statements, begun, goOn);
    const { outcomes } = this.#send(
      [{ type: 'batch', steps: [...pending, ...steps, SCHEMA_VERSION], atLeast: null }, ASKS_AUTOCOMMIT],
      { isWrite: false, isOver: false },
    );
    this.#transaction.sent();
    const isEnded = autocommitOf(outcomes[1]!);
    const batch = this.#batchOf(outcomes[0]!, begun + steps.length + 1, isEnded, 'other');
    const failed = batch.step_errors.find((error, at) => error && (isEnded || at < begun));
    const error = failed ? describeServerError(failed, isEnded && begun === 0) : transactionEnded();
    if (isEnded) throw this.#lost(error, 'other');
    if (failed) throw error;
    if (begun > 0) this.#server.noteBegun(batch);
    this.#server.note(batch);
    return {
      ...batch,
      step_results: batch.step_results.slice(begun, begun + statements.length),
      step_errors: batch.step_errors.slice(begun, begun + statements.length),
    };
  }

  #sendTogether(steps: readonly Step[], isWrite: boolean): Outcome {
    const { outcomes } = this.#send(inOneTransaction(steps), { isWrite, isOver: true });
    const begun = batchOf(outcomes[0]!, 1);
    if (begun.step_errors[0]) throw describeServerError(begun.step_errors[0]);
    this.#server.noteBegun(begun);
    return outcomes[1]!;
  }

  #runPlainly(statement: RemoteSql, effect: Effect): StatementResult {
    const pending = this.#pendingSteps;
    const begun = pending.length;
    const isOver = this.autocommit;
    const asks = !isOver && this.#client.version === 3;
    // The server may have ended the transaction: a statement of it must not take effect alone.
    const step = asks ? inOpenTransaction([statement], begun, true)[0]! : afterOthers(statement, begun);
    const requests: Request[] = [
      { type: 'batch', steps: [...pending, step, SCHEMA_VERSION], atLeast: this.#server.index },
      ...(asks ? [ASKS_AUTOCOMMIT] : isOver ? this.#stream.closing : []),
    ];
    const isWrite = MAY_COMMIT.includes(effect) || (isOver && effect !== 'read');
    const { outcomes } = this.#send(requests, { isWrite, isOver, effect });
    this.#transaction.sent();
    const autocommit = asks ? autocommitOf(outcomes[1]!) : isOver || (ENDS.includes(effect) && outcomes[0]!.ok);
    const isEnded = !isOver && autocommit;
    const read = (): BatchResult => this.#batchOf(outcomes[0]!, begun + 2, isEnded, effect);
    const batch = isWrite ? afterWriting(read) : read();
    const failed = batch.step_errors.slice(0, begun + 1).find(Boolean);
    if (failed) {
      const error = describeServerError(failed, isEnded && begun === 0);
      throw isEnded ? this.#lost(error, effect) : error;
    }
    const result = batch.step_results[begun];
    if (isEnded && (!result || !MAY_END.includes(effect))) throw this.#lost(transactionEnded(), effect);
    if (isEnded) this.#ended();
    if (begun > 0 || (isOver && !ENDS.includes(effect))) this.#server.noteBegun(batch);
    this.#server.note(batch);
    if (isWrite) this.#server.noteWritten();
    return result ?? NOTHING;
  }

  get #pendingSteps(): readonly Step[] {
    return this.#transaction.pending.map((sql) => ({ statement: plain(sql) }));
  }

  #batchOf(outcome: Outcome, steps: number, isEnded: boolean, effect: Effect): BatchResult {
    try {
      return batchOf(outcome, steps, isEnded);
    } catch (error) {
      throw isEnded ? this.#lost(error, effect) : error;
    }
  }

  #ended(): void {
    this.#stream.close();
    this.#transaction.end();
  }

  /** @param effect of the statement that noticed: who ends the transaction is told by the answer */
  #lost<E>(why: E, effect: Effect): E {
    this.#transaction.lose(ENDS.includes(effect) ? null : why);
    this.#ended();
    return why;
  }

  #send(
    requests: readonly Request[],
    {
      isWrite,
      isOver,
      effect = 'other',
    }: { readonly isWrite: boolean; readonly isOver: boolean; readonly effect?: Effect },
  ): Pipeline {
    try {
      return this.#stream.send(requests, { mayRepeat: isOver && !isWrite, keep: !isOver });
    } catch (error) {
      const told = describeRefusal(error);
      const isLost = !isOver || this.#stream.isOpen;
      const lost = isLost && saysNothingOfTransaction(told) ? transactionLost(told) : told;
      this.#stream.lose();
      if (isLost && this.#transaction.isOpen) this.#lost(transactionLost(lost), isWrite ? 'commit' : effect);
      throw isWrite && mayHaveActed(told) ? unknownOutcome(told) : lost;
    }
  }

  #reported<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      throw describeRefusal(error);
    }
  }
}

/**
 * State of the database on the server, read from replies: the state that reads must not be older than, whether others have
 * committed, the version of the schema, and what was read and written so far.
 */
class ServerState {
  index: ReplicationIndex | null;
  /** The state after the last write of this session. */
  written: ReplicationIndex | null = null;
  schemaVersion = -1;
  otherCommits = 0;
  touched: RowsTouched = { read: 0, written: 0 };

  /** @param notOlderThan what reads must not be older than from the beginning */
  constructor(notOlderThan: ReplicationIndex | null) {
    this.index = notOlderThan;
  }

  noteWritten(): void {
    this.written = this.index;
  }

  /** Call before this session commits anything: a state other than the last known one comes from others. */
  noteBegun({ replication_index: index }: BatchResult): void {
    if (typeof index === 'string' && index !== this.index && this.index !== null) this.otherCommits++;
    if (typeof index === 'string') this.index = index;
  }

  note(batch: BatchResult): BatchResult {
    let { read, written } = this.touched;
    for (const result of batch.step_results) {
      read += result?.rows_read ?? 0;
      written += result?.rows_written ?? 0;
    }
    this.touched = { read, written };
    const { replication_index: index } = batch;
    if (typeof index === 'string') this.index = index;
    const [version] = (batch.step_results.at(-1)?.rows[0] ?? []) as readonly { readonly value?: unknown }[];
    if (typeof version?.value === 'string') this.schemaVersion = Number(version.value);
    return batch;
  }
}

// Requests of a session: statements that run in a transaction, or not at all.

const plain = (sql: string, wantRows = false): RemoteSql => ({ sql, args: [], wantRows });
/** The last step of a batch; {@link ServerState.note} reads its row. */
const SCHEMA_VERSION: Step = { statement: plain('PRAGMA schema_version', true) };
const IN_TRANSACTION = { type: 'not', cond: { type: 'is_autocommit' } } as const;
const ASKS_AUTOCOMMIT: Request = { type: 'get_autocommit' };
/** Result of a statement that was not sent. */
const NOTHING: StatementResult = {
  cols: [],
  rows: [],
  affected_row_count: 0,
  last_insert_rowid: null,
  rows_read: 0,
  rows_written: 0,
};

/** A transaction of its own; what the steps do not commit is rolled back. */
function inOneTransaction(steps: readonly Step[]): readonly Request[] {
  const begin: Request = { type: 'batch', steps: [{ statement: plain('BEGIN IMMEDIATE') }], atLeast: null };
  const guarded = steps.map((step) => ({ ...step, condition: whileOpen(step.condition ?? null) }));
  // A commit that fails, for a foreign key that is checked late, leaves the transaction open.
  const end: Step = { statement: plain('ROLLBACK'), condition: IN_TRANSACTION };
  return [begin, { type: 'batch', steps: [...guarded, end, SCHEMA_VERSION], atLeast: null }, { type: 'close' }];
}

/**
 * Steps that run only while the transaction is open.
 *
 * @param before how many steps the batch has before them
 * @param goOn not: after a failure none of the others runs
 */
function inOpenTransaction(statements: readonly RemoteSql[], before: number, goOn: boolean): readonly Step[] {
  return statements.map((statement, at) => ({
    statement,
    condition: whileOpen(at === 0 || goOn ? null : { type: 'ok', step: before + at - 1 }),
  }));
}

/** @param before how many steps the batch has before this one; the last of them must have succeeded */
const afterOthers = (statement: RemoteSql, before: number): Step =>
  before === 0 ? { statement } : { statement, condition: { type: 'ok', step: before - 1 } };

const whileOpen = (condition: Condition | null): Condition =>
  condition === null ? IN_TRANSACTION : { type: 'and', conds: [IN_TRANSACTION, condition] };

/** The stream of a session: the connection on the server that keeps its transaction from one request to the next. */
class SessionStream {
  readonly #client: HranaClient;
  #stream: Stream | null = null;

  constructor(client: HranaClient) {
    this.#client = client;
  }

  get isOpen(): boolean {
    return this.#stream !== null;
  }

  /** Request that ends a stream with the request that began it. */
  get closing(): readonly Request[] {
    return this.isOpen ? [] : [{ type: 'close' }];
  }

  /**
   * @param mayRepeat for a read: a connection that the server has closed is only noticed when it is used
   * @param keep whether the stream goes on as the reply says
   */
  send(
    requests: readonly Request[],
    { mayRepeat, keep }: { readonly mayRepeat: boolean; readonly keep: boolean },
  ): Pipeline {
    const reply = this.#sendAgain(requests, mayRepeat);
    if (keep) this.#stream = reply.stream;
    return reply;
  }

  /** Call when a reply is lost: the stream is lost with it, because the reply would have told how to continue the stream. */
  lose(): void {
    this.#stream = null;
  }

  close(): void {
    if (this.#stream !== null) this.#client.close(this.#stream);
    this.#stream = null;
  }

  #sendAgain(requests: readonly Request[], mayRepeat: boolean): Pipeline {
    try {
      return this.#client.pipeline(requests, this.#stream);
    } catch (error) {
      if (!mayRepeat || !isLostConnection(error)) throw error;
      return this.#client.pipeline(requests, this.#stream);
    }
  }
}

/** The transaction of a session: what begins it, and why the last one was lost. */
class SessionTransaction {
  #isOpen = false;
  #pending: readonly string[] = [];
  #begun = 0;
  #losses = 0;
  #whyLost: AppError | null = null;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Statements that begin the transaction. They travel with its first statement, which saves a round trip. */
  get pending(): readonly string[] {
    return this.#pending;
  }

  /** Null while none is open. */
  get id(): number | null {
    return this.#isOpen ? this.#begun : null;
  }

  /** Transactions that have ended other than by COMMIT or ROLLBACK. */
  get losses(): number {
    return this.#losses;
  }

  /** Why the last transaction was lost; null if it was not, or if the statement that ended it was to blame. */
  get whyLost(): AppError | null {
    return this.#whyLost;
  }

  begin(statements: readonly string[]): void {
    this.#isOpen = true;
    this.#pending = statements;
    this.#begun++;
    this.#whyLost = null;
  }

  /** The pending statements have reached the server. */
  sent(): void {
    this.#pending = [];
  }

  end(): void {
    this.#isOpen = false;
    this.#pending = [];
  }

  /** @param why null: who ended it gets the reason as the answer */
  lose(why: unknown): void {
    this.#losses++;
    const error = why === null ? null : toAppError(why);
    this.#whyLost = error?.code === 'constraint' ? null : error;
    this.end();
  }
}
