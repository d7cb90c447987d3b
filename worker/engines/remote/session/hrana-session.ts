// The session with a server that speaks Hrana: the transaction and its stream.
import type { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { GuardedOutcome, GuardedWrite } from '../../guarded-write.ts';
import type { HranaClient, CursorReply, Outcome, Pipeline, Request } from '../hrana/hrana-client.ts';
import type { BatchResult, RemoteSql, ReplicationIndex, StatementResult, Step } from '../hrana/messages.ts';
import { mayHaveActed } from '../network/network-error.ts';
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
import {
  afterOthers,
  ASKS_AUTOCOMMIT,
  inOneTransaction,
  inOpenTransaction,
  NOTHING,
  plain,
  SCHEMA_VERSION,
} from './requests.ts';
import { ServerState } from './server-state.ts';
import { SessionStream } from './session-stream.ts';
import { SessionTransaction } from './session-transaction.ts';
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
