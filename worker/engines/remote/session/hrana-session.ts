// The session with a server that speaks Hrana: the transaction and its stream.
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { GuardedOutcome, GuardedWrite } from '../../guarded-write.ts';
import type { HranaClient, CursorReply, Outcome, Pipeline, Request, Stream } from '../hrana/hrana-client.ts';
import type { BatchResult, RemoteSql, ReplicationIndex, StatementResult, Step } from '../hrana/messages.ts';
import { isLostConnection, mayHaveActed } from '../network/network-error.ts';
import { describeRefusal, describeServerError, RESPONSE_TOO_LARGE } from '../runtime/server-error.ts';
import { bindText } from '../statements/remote-text.ts';
import type { RemoteStatement } from '../statements/remote-statement.ts';
import {
  autocommitOf,
  batchOf,
  saysNothingOfTransaction,
  transactionEnded,
  transactionLost,
  unknownOutcome,
} from './outcomes.ts';
import type { Effect, RowsTouched, ServerSession, TogetherParts } from './server-session.ts';
import { inOneTransaction, inOpenTransaction, NOTHING, plain, SCHEMA_VERSION } from './requests.ts';
import { ServerState } from './server-state.ts';
import { writeTogether } from './write-together.ts';

export class HranaSession implements ServerSession {
  readonly schemaQuery = 'SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY rowid';
  readonly #client: HranaClient;
  #stream: Stream | null = null;
  /** Statements that begin a transaction. They travel with the first one in it: one round trip less. */
  #pending: readonly string[] = [];
  #autocommit = true;
  #transactions = 0;
  #lostTransactions = 0;
  readonly #server: ServerState;

  /** @param notOlderThan what reads must not be older than from the beginning */
  constructor(client: HranaClient, notOlderThan: ReplicationIndex | null = null) {
    this.#client = client;
    this.#server = new ServerState(notOlderThan);
  }

  get autocommit(): boolean {
    return this.#autocommit;
  }

  /** The version as of the last reply. */
  get schemaVersion(): number {
    return this.#server.schemaVersion;
  }

  get transaction(): number | null {
    return this.#autocommit ? null : this.#transactions;
  }

  get otherCommits(): number {
    return this.#server.otherCommits;
  }

  get lostTransactions(): number {
    return this.#lostTransactions;
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
    if (effect === 'begin' && this.#autocommit) return this.#begin([statement.sql]);
    // Nothing was sent yet, so there is nothing to end.
    if (effect === 'end' && this.#pending.length > 0) return this.#drop();
    if (effect === 'write' && this.#autocommit && this.#client.version === 3) return this.#runAlone(statement);
    return this.#runPlainly(statement, effect);
  }

  beginWith(statements: readonly string[]): void {
    this.#begin(statements);
  }

  /** Several statements in one transaction and one round trip; only outside a transaction, and only with version 3. */
  runTogether(steps: readonly Step[]): BatchResult {
    const outcome = this.#sendTogether(steps, true);
    const batch = this.#afterWriting(() => this.#server.note(batchOf(outcome, steps.length + 2)));
    this.#server.noteWritten();
    return batch;
  }

  /** Same as {@link runTogether}, for steps that commit nothing: whatever happens to the reply, nothing was changed. */
  tryTogether(steps: readonly Step[]): BatchResult {
    return this.#server.note(batchOf(this.#sendTogether(steps, false), steps.length + 2));
  }

  get canRunTogether(): boolean {
    return this.#autocommit && this.#client.version === 3;
  }

  /** Rows of any number, as they arrive. Only outside a transaction, and only with version 3. */
  cursor(statement: RemoteSql): CursorReply {
    return this.#reported(() => this.#client.cursor([{ statement }], this.#server.index));
  }

  get canUseCursor(): boolean {
    return this.#autocommit && this.#client.version === 3;
  }

  /** One round trip that tells whether others have committed, and whether the schema has changed. */
  refresh(): void {
    if (this.#autocommit) this.#client.hurriedly(() => void this.#runPlainly(plain('SELECT 1', true), 'read'));
  }

  refreshSchema(): void {
    if (this.#autocommit) this.#runPlainly(plain('SELECT 1', true), 'read');
  }

  describe(sql: string): Outcome {
    // Only a batch can say which state it must not be older than; what follows on its stream is not older either.
    const wait: Request = { type: 'batch', steps: [SCHEMA_VERSION], atLeast: this.#server.index };
    const isOver = this.#stream === null;
    const requests: readonly Request[] = [wait, { type: 'describe', sql }, ...this.#closing];
    const { outcomes } = this.#send(requests, { isWrite: false, isOver });
    const batch = batchOf(outcomes[0]!, 1);
    if (isOver) this.#server.noteBegun(batch);
    this.#server.note(batch);
    return outcomes[1]!;
  }

  close(): void {
    if (this.#stream !== null) this.#client.close(this.#stream);
    this.#stream = null;
    this.#autocommit = true;
    this.#pending = [];
  }

  #begin(statements: readonly string[]): StatementResult {
    this.#pending = statements;
    this.#autocommit = false;
    this.#transactions++;
    return NOTHING;
  }

  #drop(): StatementResult {
    this.#pending = [];
    this.#autocommit = true;
    return NOTHING;
  }

  /** Runs the statement in its own transaction, whose beginning tells the state it was made on. */
  #runAlone(statement: RemoteSql): StatementResult {
    const batch = this.runTogether([{ statement }, { statement: plain('COMMIT') }]);
    for (const error of [batch.step_errors[0], batch.step_errors[1]]) if (error) throw describeServerError(error);
    return batch.step_results[0] ?? NOTHING;
  }

  runInTransaction(statements: readonly RemoteSql[], goOn: boolean): BatchResult {
    const begun = this.#pending.length;
    const pending = this.#pending.map((sql): Step => ({ statement: plain(sql) }));
    const steps = inOpenTransaction(statements, begun, goOn);
    const { outcomes } = this.#send(
      [{ type: 'batch', steps: [...pending, ...steps, SCHEMA_VERSION], atLeast: null }, { type: 'get_autocommit' }],
      { isWrite: false, isOver: false },
    );
    this.#pending = [];
    const isEnded = autocommitOf(outcomes[1]!);
    if (isEnded) {
      this.#ended();
      this.#lostTransactions++;
    }
    const batch = batchOf(outcomes[0]!, begun + steps.length + 1, isEnded);
    const failed = batch.step_errors.find((error, at) => error && (isEnded || at < begun));
    if (failed) throw describeServerError(failed, isEnded && begun === 0);
    if (isEnded) throw transactionEnded();
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
    const begun = this.#pending.length;
    const pending = this.#pending.map((sql): Step => ({ statement: plain(sql) }));
    const isOver = this.#autocommit;
    const steps: Step[] = [
      begun === 0 ? { statement } : { statement, condition: { type: 'ok', step: begun - 1 } },
      SCHEMA_VERSION,
    ];
    const asksAutocommit = !isOver && this.#client.version === 3;
    const requests: Request[] = [
      { type: 'batch', steps: [...pending, ...steps], atLeast: this.#server.index },
      ...(asksAutocommit ? ([{ type: 'get_autocommit' }] as const) : []),
      ...(isOver ? this.#closing : []),
    ];
    const isWrite = effect === 'end' || (this.#autocommit && effect !== 'read');
    const { outcomes } = this.#send(requests, { isWrite, isOver });
    this.#pending = [];
    const autocommit = asksAutocommit ? autocommitOf(outcomes[1]!) : isOver || (effect === 'end' && outcomes[0]!.ok);
    if (!isOver && autocommit) this.#ended();
    const read = (): BatchResult => batchOf(outcomes[0]!, pending.length + 2, !isOver && autocommit);
    const batch = isWrite ? this.#afterWriting(read) : read();
    for (let at = 0; at <= begun; at++) {
      const error = batch.step_errors[at];
      if (!error) continue;
      if (autocommit && !isOver && effect !== 'end') this.#lostTransactions++;
      throw describeServerError(error, autocommit && !isOver && begun === 0);
    }
    if (begun > 0 || (isOver && effect !== 'end')) this.#server.noteBegun(batch);
    const { step_results: results } = this.#server.note(batch);
    if (isWrite) this.#server.noteWritten();
    return results[begun] ?? NOTHING;
  }

  #ended(): void {
    if (this.#stream !== null) this.#client.close(this.#stream);
    this.#stream = null;
    this.#autocommit = true;
  }

  get #closing(): readonly Request[] {
    return this.#stream === null ? [{ type: 'close' }] : [];
  }

  #send(
    requests: readonly Request[],
    { isWrite, isOver }: { readonly isWrite: boolean; readonly isOver: boolean },
  ): Pipeline {
    try {
      const reply = this.#sendAgain(requests, isOver && !isWrite);
      this.#stream = isOver ? this.#stream : reply.stream;
      return reply;
    } catch (error) {
      const isLost = !isOver || this.#stream !== null;
      if (isLost) this.#lose();
      const told = describeRefusal(error);
      // The stream, if any, is lost with the reply that would have told how to continue it.
      if (isWrite && mayHaveActed(told)) throw unknownOutcome(told);
      throw isLost && saysNothingOfTransaction(told) ? transactionLost(told) : told;
    }
  }

  /** A read can be repeated: a connection that the server has closed is only noticed when it is used. */
  #sendAgain(requests: readonly Request[], mayRepeat: boolean): Pipeline {
    try {
      return this.#client.pipeline(requests, this.#stream);
    } catch (error) {
      if (!mayRepeat || !isLostConnection(error)) throw error;
      return this.#client.pipeline(requests, this.#stream);
    }
  }

  #lose(): void {
    this.#stream = null;
    this.#pending = [];
    if (!this.#autocommit) this.#lostTransactions++;
    this.#autocommit = true;
  }

  /** The server has received the request: an unreadable or refused answer does not tell what was saved. */
  #afterWriting<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      const { kind, server } = (error instanceof AppError && error.detail) || {};
      throw kind === 'malformed' || server === RESPONSE_TOO_LARGE ? unknownOutcome(error) : error;
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
